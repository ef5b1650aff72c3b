import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadRun } from '../../../src/launch/load/load_run.js';
import { emptyProject, evenkeel } from '../../rig/command.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

function moduleFile(name: string, message = 'hello'): string {
  return `import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: '${name}',
  summary: 'says ${message}',
  args: Type.Object({}),
  examples: [],
  check: true,
  run: () => Promise.resolve({ status: 'ok', message: '${message}', spoken: true }),
});
`;
}

const INVENTORY = 'all: { hosts: { lb1: } }\n';

function diagnosticsOf(files: Files): Promise<readonly string[]> {
  return inFolder({ 'inventory.yml': INVENTORY, ...files }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const source = { type: 'files', files: ['site.yml'] } as const;
    await loadRun(source, { inventory: ['inventory.yml'] }, { cwd, env: {} }, diagnostics);
    return diagnostics.list.map(worded);
  });
}

describe('the modules of a role', () => {
  it('are available to its tasks, to later ones, and in roles that are chosen during the run', async () => {
    const project = await emptyProject({
      'inventory.yml': INVENTORY,
      'roles/greeting/modules/greet.ts': moduleFile('greet'),
      'roles/greeting/tasks/main.yml': '- greet:\n',
      'roles/farewell/modules/part.ts': moduleFile('part', 'goodbye'),
      'roles/farewell/tasks/main.yml': '- part:\n- greet:\n',
      'site.yml':
        '- hosts: all\n  roles: [greeting]\n  pre_tasks: [{ greet: }]\n  tasks: [{ include_role: { name: "{{r}}" } }]\n',
    });
    try {
      const args = ['run', 'site.yml', '-i', 'inventory.yml', '-e', 'r=farewell', '-o', 'lines'];
      const { code, stdout, stderr } = await evenkeel(args, { cwd: project.directory });
      expect([code, stderr]).to.deep.equal([0, '']);
      const said = stdout.split('\n').filter((line) => /hello|goodbye/.test(line));
      expect(said.map((line) => line.replace(/^ok +lb1 +/, ''))).to.deep.equal([
        'greet: hello',
        'greeting : greet: hello',
        'farewell : part: goodbye',
        'farewell : greet: hello',
      ]);
    } finally {
      await project.remove();
    }
  });

  it('must not have the names of other modules, unless the files are equal', async () => {
    const site = '- hosts: all\n  roles: [a, b, c, d]\n';
    expect(
      await diagnosticsOf({
        'site.yml': site,
        'roles/a/modules/greet.ts': moduleFile('greet'),
        'roles/b/modules/greet.ts': moduleFile('greet'),
        'roles/c/modules/greet.ts': moduleFile('greet', 'another'),
        'roles/d/modules/debug.ts': moduleFile('debug'),
      }),
    ).to.deep.equal([
      'site.yml:2:17 roles/c/modules/greet.ts has the name of roles/a/modules/greet.ts — give it another name',
      'site.yml:2:20 roles/d/modules/debug.ts has the name of a built-in module — give it another name',
    ]);
    expect(await diagnosticsOf({ 'site.yml': '- hosts: all\n', 'modules/debug.ts': moduleFile('debug') })).to.match(
      /has the name of a built-in module — give it another name$/,
    );
    const names = ['assert', 'debug', 'fail', 'pause', 'other'];
    const files = Object.fromEntries(names.map((name): [string, string] => [`modules/${name}.ts`, moduleFile(name)]));
    const several = await diagnosticsOf({ 'site.yml': '- hosts: all\n', ...files });
    expect(several).to.have.lengthOf(1);
    expect(several[0]).to.match(
      /assert\.ts, \S*debug\.ts, \S*fail\.ts and 1 more have the names of built-in modules — give them other names$/,
    );
  });

  it('are not read from another copy of this program', async () => {
    const files = { 'site.yml': '- hosts: all\n', 'modules/debug.ts': moduleFile('debug'), 'modules/own.ts': 'broken' };
    const manifest = (bin: object): string => JSON.stringify({ name: 'evenkeel', bin }, null, 2);
    const checkout = { ...files, 'package.json': manifest({ evenkeel: 'dist/main.js' }) };
    expect(await diagnosticsOf(checkout)).to.deep.equal([]);
    // A project that has only its name.
    expect(await diagnosticsOf({ ...files, 'package.json': manifest({}) })).to.have.lengthOf(1);
  });

  it('of a project override those of roles, and the last of several folders overrides the others', async () => {
    expect(
      await diagnosticsOf({
        'site.yml': '- hosts: all\n  roles: [a]\n',
        'evenkeel.yml': 'modules_path: [one, two]\n',
        'one/greet.ts': moduleFile('greet'),
        'two/greet.ts': moduleFile('greet', 'two'),
        'roles/a/modules/greet.ts': moduleFile('greet', 'a'),
      }),
    ).to.deep.equal(['site.yml:2:11 roles/a/modules/greet.ts has the name of two/greet.ts — give it another name']);
  });

  it('that are written for Ansible are ignored with a message', async () => {
    const files = {
      'roles/a/library/greet.py': '',
      'roles/b/library/README.md': '',
      'roles/b/library/avi_pool.py': '',
    };
    expect(await diagnosticsOf({ 'site.yml': '- hosts: all\n  roles: [a, b]\n', ...files })).to.deep.equal([
      'warning: site.yml:2:11 roles/a/library holds modules for Ansible, which are not read — ' +
        'modules in TypeScript go into roles/a/modules',
    ]);
  });
});
