import { expect } from 'chai';
import type { RoleRun } from '../../../src/core/model/playbook/step.js';
import type { Files } from '../../rig/folder.js';
import { load, mistakes } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

function task(name: string): string {
  return `- { name: ${name}, debug: }\n`;
}

const SITE = '- hosts: all\n  roles: [web]\n';

const CHAIN: Files = {
  'roles/web/meta/main.yml':
    'dependencies: [{ role: base, size: 2, when: b, vars: { v: base } }, log]\ngalaxy_info: {}\n',
  'roles/web/tasks/main.yml': task('web'),
  'roles/web/defaults/main.yml': 'size: 3\n',
  'roles/web/vars/main.yml': 'v: web\n',
  'roles/web/handlers/main.yml': '- { name: of web, debug: }\n',
  'roles/base/meta/main.yml': 'dependencies:\n  - name: log\n',
  'roles/base/tasks/main.yml': task('base'),
  'roles/base/defaults/main.yml': 'size: 1\n',
  'roles/base/handlers/main.yml': '- { name: of base, debug: }\n',
  'roles/log/tasks/main.yml': task('log'),
  'roles/log/handlers/main.yml': '- { name: of log, debug: }\n',
};

describe('The dependencies of a role', () => {
  it('run before it, after their own dependencies; equal ones have the same key', async () => {
    const { plays, diagnostics } = await load(SITE, CHAIN);
    expect(diagnostics).to.deep.equal([]);
    const tasks = (plays[0]?.tasks ?? []) as readonly RoleRun[];
    expect(outline(tasks)).to.deep.equal([
      { 'role log': ['log'] },
      { 'role base': ['base'] },
      { 'role log': ['log'] },
      { 'role web': ['web'] },
    ]);
    expect(tasks[0]?.key).to.equal(tasks[2]?.key);
    expect(tasks[1]?.source).to.deep.equal({ file: 'roles/web/meta/main.yml', line: 1, column: 24 });
    expect(plays[0]?.roles).to.deep.equal({ named: ['web'], dependencies: ['log', 'base'] });
    expect(plays[0]?.handlers.map(({ name }) => name?.value)).to.deep.equal(['of log', 'of base', 'of web']);
  });

  it('are the same uses of their roles as entries of the play, other than those of an import', async () => {
    const { plays } = await load('- hosts: all\n  roles: [log, web]\n  tasks: [{ import_role: { name: log } }]\n', {
      ...CHAIN,
      'roles/web/meta/main.yml': 'dependencies: [log]\n',
    });
    const [own, dependency, , imported] = (plays[0]?.tasks ?? []) as readonly RoleRun[];
    expect([own?.name, dependency?.name, imported?.name]).to.deep.equal(['log', 'log', 'log']);
    expect(own?.key).to.equal(dependency?.key).and.not.to.equal(imported?.key);
  });

  it('inherit its keywords and see its variables', async () => {
    const { plays } = await load('- hosts: all\n  roles: [{ role: web, when: a, tags: [t], p: 1 }]\n', CHAIN);
    const [, base] = (plays[0]?.tasks ?? []) as readonly RoleRun[];
    const [step] = base?.steps ?? [];
    if (step?.type !== 'task') throw new Error('no task');
    expect(step.when.map(({ expression }) => expression)).to.deep.equal(['a', 'b']);
    expect(step.tags).to.deep.equal(['t']);
    const layers = step.layers.filter(({ level }) => level !== 'magic');
    expect(layers.map(({ level, values }) => [level, values])).to.deep.equal([
      ['role defaults', { size: 3 }],
      ['role vars', { v: 'web' }],
      ['role params', { p: 1 }],
      ['role defaults', { size: 1 }],
      ['role vars', { v: 'base' }],
      ['role params', { size: 2 }],
    ]);
  });

  it('search files in their own folder, then in that of the role that depends on them', async () => {
    const { plays } = await load(SITE, CHAIN);
    const [log] = (plays[0]?.tasks ?? []) as readonly RoleRun[];
    const [step] = log?.steps ?? [];
    const magic = step?.type === 'task' ? step.layers.flatMap(({ values }) => values['ansible_search_path'] ?? []) : [];
    const root = plays[0]?.directory ?? '';
    expect(magic).to.deep.equal([
      `${root}/roles/log`,
      `${root}/roles/base`,
      `${root}/roles/web`,
      `${root}/roles/log/tasks`,
      root,
    ]);
  });

  it('can have the keys of Galaxy', async () => {
    const meta = 'dependencies:\n  - src: https://git.example.com/roles/log.git\n    version: "1.0"\n    scm: git\n';
    const { plays, diagnostics } = await load(SITE, { ...CHAIN, 'roles/web/meta/main.yml': meta });
    expect(diagnostics).to.deep.equal([]);
    expect(outline(plays[0]?.tasks ?? [])).to.deep.equal([{ 'role log': ['log'] }, { 'role web': ['web'] }]);
    const [log] = (plays[0]?.tasks ?? []) as readonly RoleRun[];
    expect(log?.key).not.to.contain('version');
  });

  it('must not multiply without limit, with or without tasks', async () => {
    const files: Record<string, string> = { 'roles/r19/defaults/main.yml': '{}\n' };
    for (let at = 0; at < 19; at += 1) {
      files[`roles/r${at}/meta/main.yml`] = `dependencies: [r${at + 1}, r${at + 1}]\n`;
    }
    expect(await mistakes('- hosts: all\n  roles: [r0]\n', files)).to.deep.equal([
      'roles/r18/meta/main.yml:1:21 roles and task files are read more than 10000 times — each role that names another twice doubles the number',
    ]);
  });

  it('must not form a cycle', async () => {
    const files = {
      'roles/web/meta/main.yml': 'dependencies: [base]\n',
      'roles/base/meta/main.yml': 'dependencies: [log, { role: web }]\n',
      'roles/log/meta/main.yml': 'dependencies:\n  - log\n',
    };
    expect(await mistakes(SITE, files)).to.deep.equal([
      'roles/log/meta/main.yml:2:5 dependency cycle: log → log — remove one of the dependencies',
      'roles/base/meta/main.yml:1:29 dependency cycle: web → base → web — remove one of the dependencies',
    ]);
  });

  it('are reported if they are invalid', async () => {
    const meta = (text: string): Promise<readonly string[]> => mistakes(SITE, { 'roles/web/meta/main.yml': text });
    expect(await meta('dependencies: log\n')).to.deep.equal([
      'roles/web/meta/main.yml:1:15 "dependencies" must be a list of roles, not text — begin each with "- "',
    ]);
    expect(await meta('dependencies: [missing]\n')).to.deep.equal([
      'roles/web/meta/main.yml:1:16 there is no role "missing" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders',
    ]);
    expect(await meta('dependencies: ["{{x}}"]\n')).to.deep.equal([
      'roles/web/meta/main.yml:1:16 variable "x" is not defined; before the run only the variables of the play and of -e are known — write the name without a template',
    ]);
    expect(await meta('- a\n')).to.deep.equal(['roles/web/meta/main.yml:1:1 the file must be a mapping, not a list']);
    expect(await meta('dependancies: []\nallow_duplicates: "{{x}}"\ncollections: []\n')).to.deep.equal([
      'roles/web/meta/main.yml:1:1 unknown key "dependancies" in the metadata of a role — did you mean "dependencies"?',
      'roles/web/meta/main.yml:2:19 "allow_duplicates" must be true or false: it is read before the run',
    ]);
  });
});
