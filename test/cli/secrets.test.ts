import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, evenkeel, type Project } from '../rig/command.js';

const PASSWORD = 'Pa$$w0rd "ü" & <more>/%?';
const NESTED = 'nested+secret/value==';
const HIDDEN = 'said under no_log';

const FILES = {
  'inv.yml': `all:
  vars:
    controller_url: https://{{inventory_hostname}}
    controller_username: admin
    controller_password: ${JSON.stringify(PASSWORD)}
    controller_api_version: 22.1.3
  hosts: { lb1: , lb2: }
`,
  'p.yml': `- hosts: all
  tasks:
    - cloud_present:
        name: edge
        vcenter_configuration: { username: root, password: ${JSON.stringify(NESTED)} }
      register: cloud
    - debug: { var: cloud }
    - debug: { msg: 'the password is {{controller_password}}' }
    - debug: { msg: '{{controller_password | b64encode}} {{controller_password | urlencode}}' }
    - debug: { msg: '${HIDDEN}' }
      no_log: true
      loop: [1, 2]
    - api_request: { path: /api/cloud/ }
      register: raw
    - fail: { msg: 'failed with {{controller_password}}' }
      ignore_errors: true
    - debug: { msg: '{{nothing_of + controller_password}}' }
`,
};

function encodings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    Buffer.from(`admin:${secret}`).toString('base64'),
  ];
}

/** Every file below a folder but the simulated controllers' own state, which stands for what the controllers keep. */
async function written(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    files
      .filter((file) => file.isFile() && !file.parentPath.includes('simulator'))
      .filter((file) => !Object.keys(FILES).includes(file.name))
      .map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')),
  );
}

describe('secrets', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject(FILES);
  });
  after(() => project.remove());

  for (const output of ['lines', 'json', 'quiet']) {
    it(`appear nowhere in ${output} output at -vvvv, in no encoding`, async () => {
      const ended = await evenkeel(['run', 'p.yml', '-i', 'inv.yml', '--simulate', '-vvvv', '-D', '-o', output], {
        cwd: project.directory,
      });
      expect(ended.code, ended.stderr).to.equal(2);
      const places = [ended.stdout, ended.stderr, ...(await written(path.join(project.directory)))];
      for (const secret of [PASSWORD, NESTED, HIDDEN].flatMap(encodings)) {
        for (const text of places) expect(text.includes(secret), `${secret} in:\n${text}`).to.be.false;
      }
    });
  }
});
