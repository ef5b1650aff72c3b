import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { OUTPUTS } from '../../src/core/model/run/choices.js';
import { Simulator } from '../../src/simulator/simulator.js';
import { emptyProject, type Project, STARTED } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { Terminal } from '../rig/terminal.js';

const PASSWORD = 'Pa$$w0rd "ü" & <more>/%?';
const NESTED = 'nested+secret/value==';
const HIDDEN = 'said under no_log';

const PLAYBOOK = `- hosts: all
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
    - debug: { msg: '{{raw.nothing_of + controller_password}}' }
`;

/** Controllers in a separate process, so that the run writes every file in the project. */
function inventory(urls: readonly string[], caFile: string): string {
  return `all:
  vars:
    controller_username: admin
    controller_password: ${JSON.stringify(PASSWORD)}
    controller_api_version: 22.1.3
    controller_ca_file: ${caFile}
  hosts: { ${urls.map((url, index) => `lb${index + 1}: { controller_url: "${url}" }`).join(', ')} }
`;
}

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

const OURS = ['inv.yml', 'p.yml', 'ca.pem', 'evenkeel'];

/** All files in the folder that the test itself did not write. */
async function written(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    files
      .filter((file) => file.isFile() && !OURS.includes(file.name))
      .map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')),
  );
}

describe('secrets', () => {
  let simulator: Simulator;
  let project: Project;
  before(async () => {
    simulator = await Simulator.start();
    const standing = ['lb1', 'lb2'].map((name) =>
      simulator.startController(name, { username: 'admin', password: PASSWORD }),
    );
    const urls = (await Promise.all(standing)).map(({ url }) => url);
    project = await emptyProject({ 'p.yml': PLAYBOOK, 'ca.pem': simulator.ca, 'inv.yml': inventory(urls, 'ca.pem') });
  });
  after(async () => {
    await simulator.close();
    await project.remove();
  });

  const args = (output: string) => ['run', 'p.yml', '-i', 'inv.yml', '-vvvv', '-D', '-o', output];

  async function expectNone(...printed: readonly string[]): Promise<void> {
    for (const text of [...printed, ...(await written(project.directory))]) {
      for (const secret of [PASSWORD, NESTED, HIDDEN].flatMap(encodings)) {
        expect(text.includes(secret), `${secret} in:\n${text}`).to.be.false;
      }
    }
  }

  for (const output of OUTPUTS.filter((one) => one !== 'live')) {
    it(`appear nowhere in ${output} output at -vvvv, in no encoding`, async () => {
      const { code, stdout, stderr } = await evenkeel(args(output), { cwd: project.directory });
      expect(code, stderr).to.equal(2);
      await expectNone(stdout, stderr);
    });
  }

  it('appear nowhere in a terminal at -vvvv', async () => {
    const terminal = new Terminal(process.execPath, [...STARTED, ...args('live')], {
      columns: 4000,
      rows: 50,
      cwd: project.directory,
    });
    expect(await terminal.exited).to.equal(2);
    expect(terminal.written).to.include('recap');
    await expectNone(terminal.written);
  });

  it('are not what a module declares to be none, whatever it is called: the `key` of group_by', async () => {
    const playbook = `- hosts: all
  tasks: [{ group_by: { key: made } }]
- hosts: made
  tasks: [{ name: Greet those made, debug: { msg: hello } }]
`;
    const groups = await emptyProject({ 'p.yml': playbook });
    try {
      const { stdout } = await evenkeel(['run', 'p.yml', '-i', 'localhost,'], { cwd: groups.directory });
      expect(stdout).to.include('play made · 1 controller').and.to.include('Greet those made');
    } finally {
      await groups.remove();
    }
  });
});
