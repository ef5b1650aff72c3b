import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { BUILT_IN_LIBRARY } from '../../../src/language/library.js';
import { ProjectSources } from '../../../src/project/document/project_sources.js';
import { checkTaskFiles } from '../../../src/project/playbook/check_task_files.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { catalogue, worded } from '../../rig/loaded.js';
import { ENCRYPTED_FILE, PASSWORD, vaultOf } from '../../rig/vault.js';

interface Checked {
  readonly said: readonly string[];
  /** The files that were read. */
  readonly read: readonly string[];
}

/** @param roles the folder of the role of a file, by file */
function checked(files: Files, roles: Readonly<Record<string, string>> = {}, password?: string): Promise<Checked> {
  return inFolder(files, async (cwd) => {
    const diagnostics = new Diagnostics();
    const read: string[] = [];
    const sources = new ProjectSources({ onRead: (_type, name) => read.push(path.relative(cwd, name)) });
    const loose = Object.keys(files)
      .filter((name) => name.includes('/tasks/') || name.includes('/handlers/') || name.startsWith('tasks/'))
      .map((name) => {
        const role = roles[name];
        return { path: path.join(cwd, name), shown: name, role: role && path.join(cwd, role) };
      });
    const { vault } = vaultOf(password === undefined ? {} : { default: password });
    const rolesPath = [path.join(cwd, 'shared')];
    const options = { cwd, catalogue, library: BUILT_IN_LIBRARY, vault, sources, rolesPath, diagnostics };
    await checkTaskFiles(loose, options);
    return { said: diagnostics.list.map(worded), read };
  });
}

describe('files of tasks that no playbook names', () => {
  it('are checked as files of tasks, or of handlers where they are in such a folder', async () => {
    const text = '- { name: x, debug: , listen: y }\n- { debug: , whn: z }\n';
    const { said } = await checked({ 'tasks/a.yml': text, 'roles/web/handlers/b.yml': text });
    expect(said).to.deep.equal([
      'tasks/a.yml:1:23 "listen" is not a keyword of a task — it belongs to a handler',
      'tasks/a.yml:2:14 "whn" is not a keyword of a task — did you mean "when"?',
      'roles/web/handlers/b.yml:2:14 "whn" is not a keyword of a handler — did you mean "when"?',
    ]);
  });

  it('find what they import beside them, in their role, and in other folders of roles', async () => {
    const files = {
      'roles/web/tasks/deep/a.yml':
        '- import_tasks: other.yml\n- import_role: { name: base }\n- import_tasks: none.yml\n',
      'roles/web/tasks/other.yml': '- debgu:\n',
      'shared/base/tasks/main.yml': '- debug:\n',
      'tasks/b.yml': '- import_role: { name: nowhere }\n',
    };
    const { said, read } = await checked(files, { 'roles/web/tasks/deep/a.yml': 'roles/web' });
    const missing = 'there is no module "debgu" — did you mean "debug"?';
    expect(said.map((one) => one.replace(/ \(looked in .*$/, ''))).to.deep.equal([
      `roles/web/tasks/other.yml:1:3 ${missing}`,
      'roles/web/tasks/deep/a.yml:3:17 there is no file "none.yml"',
      `roles/web/tasks/other.yml:1:3 ${missing}`,
      'tasks/b.yml:1:24 there is no role "nowhere"',
    ]);
    expect(new Set(read)).to.deep.equal(
      new Set(['roles/web/tasks/deep/a.yml', 'roles/web/tasks/other.yml', 'shared/base/tasks/main.yml', 'tasks/b.yml']),
    );
  });

  it('are decrypted, and left alone where they are no lists', async () => {
    const files = { 'tasks/a.yml': ENCRYPTED_FILE, 'tasks/b.yml': 'a: 1\n', 'tasks/c.yml': '' };
    expect((await checked(files, {}, PASSWORD)).said).to.deep.equal([]);
    expect((await checked(files)).said.map((one) => one.split(',')[0])).to.deep.equal([
      'tasks/a.yml:1:1 this file is encrypted',
    ]);
    expect(
      (await checked({ 'tasks/a.yml': '- [\n', 'tasks/b.yml': '- debgu:\n' })).said.map((one) => one.split(' ')[0]),
    ).to.deep.equal(['tasks/a.yml:2:1', 'tasks/b.yml:1:3']);
  });
});
