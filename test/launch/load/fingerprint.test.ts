import { chmod, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadRun } from '../../../src/launch/load/load_run.js';
import { takeFingerprint } from '../../../src/launch/prepare/prepare_run.js';
import type { Fingerprint } from '../../../src/launch/request/invocation.js';
import { differencesSince } from '../../../src/resume/differences.js';
import { inFolder, type Files } from '../../rig/folder.js';

const FILES: Files = {
  'site.yml': `- hosts: all
  roles: [web]
  vars_files: [more.yml]
  tasks:
    - include_tasks: steps.yml
`,
  'more.yml': 'size: 1\n',
  'steps.yml': '- debug:\n',
  'roles/web/tasks/main.yml': '- debug:\n',
  'roles/web/defaults/main.yml': 'port: 1\n',
  'inventory.yml': 'all: { hosts: { lb1: , lb2: } }\n',
  'group_vars/all.yml': 'secret: hunter2\n',
  'host_vars/lb1.yml': 'rack: 4\n',
  'modules/own.js': 'export {};\n',
  'modules/_shared.js': 'export {};\n',
  'filters/_shared.js': 'export {};\n',
  'extra.yml': 'x: 1\n',
  'inventory.sh': '#!/bin/sh\necho \'{"all": {"hosts": ["lb3"]}, "_meta": {"hostvars": {}}}\'\n',
};

const OPTIONS = { inventory: ['inventory.yml', './inventory.sh'], extraVars: ['@extra.yml'] };

async function taken(cwd: string, version = '1.0.0', key = 'key'): Promise<Fingerprint> {
  const diagnostics = new Diagnostics();
  const context = { cwd, env: { PATH: process.env['PATH'] } };
  const loaded = await loadRun({ type: 'files', files: ['site.yml'] }, OPTIONS, context, diagnostics);
  expect(diagnostics.list).to.deep.equal([]);
  if (loaded === undefined) throw new Error('it was not loaded');
  return takeFingerprint(loaded, { version, cwd, key });
}

/** What differs after `change`. */
function after(change: (folder: string) => Promise<unknown>): Promise<readonly string[]> {
  return inFolder(FILES, async (folder) => {
    await chmod(path.join(folder, 'inventory.sh'), 0o755);
    const then = await taken(folder);
    await change(folder);
    return differencesSince(then, await taken(folder));
  });
}

function writing(file: string, text: string): Promise<readonly string[]> {
  return after((folder) => writeFile(path.join(folder, file), text));
}

describe('the fingerprint of a run', () => {
  it('is the same as long as nothing changes', async () => {
    expect(await after(() => Promise.resolve())).to.deep.equal([]);
  });

  for (const file of [
    'site.yml',
    'more.yml',
    'steps.yml',
    'roles/web/tasks/main.yml',
    'roles/web/defaults/main.yml',
    'inventory.yml',
    'group_vars/all.yml',
    'host_vars/lb1.yml',
    'modules/own.js',
    'modules/_shared.js',
    'filters/_shared.js',
    'extra.yml',
  ]) {
    it(`changes with ${file}`, async () => {
      const text = FILES[file] ?? '';
      expect(await writing(file, `${text}${file.endsWith('.js') ? '// other' : '# other'}\n`)).to.deep.equal([
        `${file} has changed`,
      ]);
    });
  }

  it('reports added and removed files', async () => {
    expect(await writing('host_vars/lb2.yml', 'rack: 5\n')).to.deep.equal([
      'host_vars/lb2.yml was not read when the run started',
    ]);
    expect(await after((folder) => rm(path.join(folder, 'host_vars/lb1.yml')))).to.deep.equal([
      'host_vars/lb1.yml is no longer read',
    ]);
  });

  it('reports added and removed controllers', async () => {
    const hosts = ['lb2', 'lb4', 'lb5', 'lb6', 'lb7', 'lb8', 'lb9'].map((name) => `${name}: `).join(', ');
    expect(await writing('inventory.yml', `all: { hosts: { ${hosts} } }\n`)).to.deep.equal([
      'inventory.yml has changed',
      'host_vars/lb1.yml is no longer read',
      '6 controllers are new in the inventory: lb4, lb5, lb6, lb7, lb8 and 1 more',
      '1 controller is gone from the inventory: lb1',
    ]);
  });

  it('includes the output of programs, not their files', async () => {
    const prints = (variables: string): string =>
      `#!/bin/sh\n# other\necho '{"all": {"hosts": ["lb3"]}, "_meta": {"hostvars": ${variables}}}'\n`;
    expect(await writing('inventory.sh', prints('{}'))).to.deep.equal([]);
    expect(await writing('inventory.sh', prints('{"lb3": {"rack": 1}}'))).to.deep.equal([
      '"./inventory.sh --list" prints different output now',
    ]);
  });

  it('reports another version', async () => {
    await inFolder(FILES, async (folder) => {
      await chmod(path.join(folder, 'inventory.sh'), 0o755);
      expect(differencesSince(await taken(folder), await taken(folder, '1.1.0'))).to.deep.equal([
        'this is evenkeel 1.1.0, and the run was started with 1.0.0',
      ]);
    });
  });

  it('does not reveal the content of a file, not even by guessing', async () => {
    await inFolder(FILES, async (folder) => {
      await chmod(path.join(folder, 'inventory.sh'), 0o755);
      const [one, other] = [await taken(folder, '1.0.0', 'one'), await taken(folder, '1.0.0', 'other')];
      expect(one.files['group_vars/all.yml']).to.match(/^[\w-]{43}$/);
      expect(one.files['group_vars/all.yml']).to.not.equal(other.files['group_vars/all.yml']);
    });
  });
});
