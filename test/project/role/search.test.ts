import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadPlaybooks } from '../../../src/project/playbook/playbook.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { catalogue, load, mistakes, worded } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

function role(name: string): Files {
  return { [`${name}/tasks/main.yml`]: `- { name: from ${name}, debug: }\n` };
}

/** The first task of each role of `plays/site.yml`, or the mistakes. */
function found(text: string, files: Files, rolesPath: readonly string[] = []): Promise<unknown> {
  return inFolder({ 'plays/site.yml': text, ...files }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const options = { cwd, catalogue, diagnostics, rolesPath: rolesPath.map((one) => `${cwd}/${one}`) };
    const [playbook] = await loadPlaybooks(['plays/site.yml'], options);
    return diagnostics.list.length > 0 ? diagnostics.list.map(worded) : outline(playbook?.plays[0]?.tasks ?? []);
  });
}

describe('The search for a role', () => {
  const site = '- hosts: all\n  roles: [web]\n';
  const places = ['plays/roles/web', 'shared/web', 'more/web', 'plays/web', 'web'];
  for (const [index, place] of places.entries()) {
    it(`uses ${place} ${index === 0 ? 'first' : `before ${places[index + 1] ?? 'nothing'}`}`, async () => {
      const files = Object.assign({}, ...places.slice(index).map(role)) as Files;
      expect(await found(site, files, ['shared', 'more'])).to.deep.equal([{ 'role web': [`from ${place}`] }]);
    });
  }

  it('accepts an absolute or relative path', async () => {
    const relative = '- hosts: all\n  roles: [../other/web, sub/web]\n';
    expect(await found(relative, { ...role('plays/other/web'), ...role('plays/roles/sub/web') })).to.deep.equal([
      { 'role web': ['from plays/other/web'] },
      { 'role sub/web': ['from plays/roles/sub/web'] },
    ]);
    await inFolder(role('elsewhere/web'), async (other) => {
      const absolute = `- hosts: all\n  roles: [${other}/elsewhere/web]\n`;
      expect(await found(absolute, {})).to.deep.equal([{ 'role web': ['from elsewhere/web'] }]);
    });
  });

  it('ends with the roles that ship with Evenkeel, which a role of the project replaces', async () => {
    const drain = '- hosts: all\n  roles: [evenkeel.drain]\n';
    expect(JSON.stringify(await found(drain, {}))).to.include('"Read the pool"');
    expect(await found(drain, role('shared/evenkeel.drain'), ['shared'])).to.deep.equal([
      { 'role evenkeel.drain': ['from shared/evenkeel.drain'] },
    ]);
    expect(await found('- hosts: all\n  roles: [evenkeel.drian]\n', {})).to.deep.equal([
      'plays/site.yml:2:11 there is no role "evenkeel.drian" (looked in plays/roles, plays) — did you mean "evenkeel.drain"?',
    ]);
  });

  it('finds a full name in the collections next to the playbook, with the roles of the collection that it depends on', async () => {
    const roles = 'plays/collections/ansible_collections/acme/lb/roles';
    const files = {
      ...role(`${roles}/web`),
      ...role(`${roles}/base`),
      ...role('plays/roles/acme.lb.web'),
      [`${roles}/web/meta/main.yml`]: 'dependencies: [base]\n',
    };
    expect(await found('- hosts: all\n  roles: [acme.lb.web]\n', files)).to.deep.equal([
      { 'role acme.lb.base': [`from ${roles}/base`] },
      { 'role acme.lb.web': [`from ${roles}/web`] },
    ]);
  });

  it('begins in the collections that the play, the block, the import or the metadata of the role names, in their order', async () => {
    const roles = (collection: string): string => `plays/collections/ansible_collections/acme/${collection}/roles`;
    const files = {
      ...role(`${roles('lb')}/web`),
      ...role(`${roles('old')}/web`),
      ...role(`${roles('old')}/base`),
      ...role('plays/roles/web'),
      ...role('plays/roles/base'),
      ...role('plays/roles/own'),
      'plays/roles/own/meta/main.yml': 'collections: [acme.old]\ndependencies: [web]\n',
      'plays/roles/own/tasks/main.yml': '- import_role: { name: web }\n',
    };
    const play = (keywords: string, roles_: string): string => `- hosts: all\n  ${keywords}\n  roles: [${roles_}]\n`;
    expect(await found(play('collections: [acme.none, acme.lb, acme.old]', 'web, base, own'), files)).to.deep.equal([
      { 'role acme.lb.web': [`from ${roles('lb')}/web`] },
      { 'role acme.old.base': [`from ${roles('old')}/base`] },
      { 'role web': ['from plays/roles/web'] },
      { 'role own': [{ 'role acme.old.web': [`from ${roles('old')}/web`] }] },
    ]);
    const steps =
      '- hosts: all\n  tasks:\n    - block: [{ import_role: { name: web } }]\n      collections: [acme.lb]\n' +
      '    - import_role: { name: web }\n      collections: [acme.old]\n    - import_role: { name: web }\n';
    expect(JSON.stringify(await found(steps, files))).to.match(
      /from \S+lb\/roles\/web.*from \S+old\/roles\/web.*from plays\/roles\/web/,
    );
  });

  it('finds folders, not files', async () => {
    expect(await found(site, { 'plays/web': '', ...role('shared/web') }, ['shared'])).to.deep.equal([
      { 'role web': ['from shared/web'] },
    ]);
  });

  it('fails if a file has the name of the role, and reports the file', async () => {
    expect(await found(site, { 'plays/roles/web': '' })).to.deep.equal([
      'plays/site.yml:2:11 there is no role "web" (looked in plays/roles, plays) — plays/roles/web is a file; a role is a folder',
    ]);
  });

  it('refuses a name that renders to nothing, which would be the folder of all roles', async () => {
    const text = "- hosts: all\n  vars: { none: '' }\n  roles: ['{{ none }}', web]\n";
    expect(await found(text, role('plays/roles/web'))).to.deep.equal([
      'plays/site.yml:3:11 the name of a role is empty — it comes from a template: give its variable a value',
    ]);
  });

  it('ignores files in place of the folders of a role', async () => {
    const parts = ['defaults', 'handlers', 'library', 'meta', 'modules', 'tasks', 'vars'];
    const files = Object.fromEntries(parts.map((part) => [`plays/roles/web/${part}`, '']));
    expect(await found(site, files)).to.deep.equal([{ 'role web': [] }]);
  });

  it('fails, and reports the searched folders and the nearest name', async () => {
    const text =
      '- hosts: all\n  roles:\n    - gatway\n    - role: /nowhere/web\n    - acme.lb.web\n    - { name: zzz }\n    - some-one.ntp\n';
    expect(await found(text, role('plays/roles/gateway'), ['shared'])).to.deep.equal([
      'plays/site.yml:3:7 there is no role "gatway" (looked in plays/roles, shared, plays) — did you mean "gateway"?',
      'plays/site.yml:4:13 there is no role "/nowhere/web"',
      'plays/site.yml:5:7 there is no role "acme.lb.web" (looked in plays/roles, shared, plays) — ' +
        'to install its collection, run: ansible-galaxy collection install -p collections acme.lb',
      'plays/site.yml:6:15 there is no role "zzz" (looked in plays/roles, shared, plays) — "roles_path" in evenkeel.yml names more folders',
      'plays/site.yml:7:7 there is no role "some-one.ntp" (looked in plays/roles, shared, plays) — ' +
        'to install it, run: ansible-galaxy role install -p roles some-one.ntp',
    ]);
  });

  it('uses the folder of the role that depends on it', async () => {
    const files = {
      ...role('shared/web'),
      ...role('shared/base'),
      'shared/web/meta/main.yml': 'dependencies: [base]\n',
    };
    expect(await found('- hosts: all\n  roles: [../shared/web]\n', files)).to.deep.equal([
      { 'role base': ['from shared/base'] },
      { 'role web': ['from shared/web'] },
    ]);
    const below = Object.fromEntries(Object.entries(files).map(([name, text]) => [`plays/${name}`, text]));
    expect(await found('- hosts: all\n  roles: [shared/web]\n', below)).to.deep.equal([
      { 'role base': ['from shared/base'] },
      { 'role shared/web': ['from shared/web'] },
    ]);
  });

  it('accepts a name with variables of the play or of -e', async () => {
    const text = '- hosts: all\n  vars: { kind: web }\n  roles: ["{{kind}}", "{{other}}-1"]\n';
    const files = { ...role('roles/web'), ...role('roles/db-1') };
    const { plays, diagnostics } = await load(text, files, undefined, { extraVars: { other: 'db' } });
    expect(diagnostics).to.deep.equal([]);
    expect(outline(plays[0]?.tasks ?? [])).to.deep.equal([
      { 'role web': ['from roles/web'] },
      { 'role db-1': ['from roles/db-1'] },
    ]);
    expect(await mistakes('- hosts: all\n  roles: ["{{inventory_hostname}}"]\n')).to.deep.equal([
      'site.yml:2:11 variable "inventory_hostname" is not defined; before the run only the variables of the play and of -e are known — ' +
        'include_role in "tasks" can choose a role during the run',
    ]);
  });
});
