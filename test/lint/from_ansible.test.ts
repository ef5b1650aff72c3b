import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { BUILT_IN_LIBRARY } from '../../src/language/library.js';
import { checkTaskFiles } from '../../src/lint/from_ansible.js';
import { ProjectSources } from '../../src/project/document/project_sources.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { inFolder, type Files } from '../rig/folder.js';
import { evenkeel } from '../rig/gate_command.js';
import { catalogue, worded } from '../rig/loaded.js';
import { ENCRYPTED_FILE, PASSWORD, vaultOf } from '../rig/vault.js';

const LEAVES_A_TRACE = `require('node:fs').writeFileSync(process.env.TRACE ?? '/dev/null', 'executed')`;

/** As long as what a password encrypts. */
const SEALED = Buffer.from(['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(32)].join('\n')).toString('hex');
const FILES = {
  'site/ansible.cfg':
    '[defaults]\nroles_path = shared\nforce_handlers = True ; always\nnocows = 1\nany_errors_fatal = no\nlibrary = ./library\n[ssh_connection]\npipelining: true\n',
  'site/inventory/hosts.ini': '[edge]\nlb[1:2]\n',
  'site/inventory/group_vars/edge.yml': 'name: edge\n',
  'site/netbox.yml': 'plugin: netbox.netbox.nb_inventory\n',
  'site/inventory/dynamic': '#!/bin/sh\ntouch ../trace\n',
  'site/modules/trace.ts': `${LEAVES_A_TRACE}\nexport default {};\n`,
  'site/filters/trace.ts': `${LEAVES_A_TRACE}\nexport default () => 1;\n`,
  'site/library/avi_pool.py': '',
  'site/filter_plugins/mine.py': "class FilterModule:\n    def filters(self):\n        return {'mine': str}\n",
  'site/site.yml': `---
- hosts: edge
  become: true
  roles: [web]
  tasks:
    - name: Say it
      debug: { msg: "{{ lookup('pipe', 'touch ../trace') }}" }
    - name: Ask
      uri: { url: https://example.com }
    - name: Several
      when: '{{ a }} == 1'
      block:
        - copy: src=a dest=b
        - debug:
            msg: |
              - not: a task
        - include: more.yml
      rescue:
        - debug: { msg: "{{ x | no_such_filter }}" }
  handlers:
    - name: restart
      service: name=x
`,
  'site/more.yml': '- template: src=a dest=b\n- debug: msg=x\n',
  'site/shared/web/tasks/main.yml': '- copy: src=a dest=b\n  notify: restart\n- import_tasks: other.yml\n',
  'site/shared/web/tasks/other.yml': '# a comment\n\n- name: One\n  set_fact: { a: 1 }\n  loop:\n    - 1\n    - 2\n',
  'site/shared/web/tasks/loose.yml': '- command: ls\n',
  'site/shared/web/defaults/main.yml': 'port: 80\n',
  'fine/play.yml': '- hosts: all\n  tasks:\n    - debug: msg=x\n',
  'sealed/play.yml': '- hosts: all\n  tasks:\n    - debug: msg=x\n',
  'sealed/group_vars/all.yml': `$ANSIBLE_VAULT;1.1;AES256\n${SEALED}\n`,
  'divided/play.yml': '- hosts: prod\n  tasks:\n    - debug: msg=x\n',
  'divided/inventory/01-hosts': '[web]\nlb1\n',
  'divided/inventory/02-groups': '[prod:children]\nweb\n[web:vars]\na=1\n',
  'none/readme.md': 'nothing\n',
};

describe('evenkeel lint --from-ansible', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject(FILES);
    chmodSync(path.join(project.directory, 'site/inventory/dynamic'), 0o755);
  });
  after(() => project.remove());

  const survey = (...args: readonly string[]): Promise<Ended> =>
    evenkeel(['lint', '--from-ansible', ...args], {
      cwd: project.directory,
      env: { TRACE: path.join(project.directory, 'trace') },
    });

  it('finds the same from outside of the project, in whatever folder it is', async () => {
    const inside = await survey('site');
    const cwd = path.join(project.directory, 'none');
    for (const name of ['../site', path.join(project.directory, 'site')]) {
      const outside = await evenkeel(['lint', '--from-ansible', name], { cwd });
      expect({ ...outside, stdout: outside.stdout.replaceAll('../site', 'site') }).to.deep.equal(inside);
    }
    await project.write('library/roles/vars/fine/play.yml', FILES['fine/play.yml']);
    await project.write('library/roles/vars/fine/tool.py', '');
    const { code, stdout } = await survey('library/roles/vars/fine');
    expect(code).to.equal(0);
    expect(stdout).to.include('fine: 1 playbook, 0 roles, 0 inventories, 1 task\n').and.not.include('Python');
  });

  it('counts what is behind the tasks of a play for no task', async () => {
    await project.write('behind/play.yml', `${FILES['fine/play.yml']}  vars:\n    a: '{{ b | no_such_filter }}'\n`);
    const { stdout } = await survey('behind');
    expect(stdout).to.include('1 of 1 task run in place').and.include('0 of 1 plays');
  });

  it('prints a summary, then errors, required changes and remarks', async () => {
    const { code, stdout, stderr } = await survey('site');
    expect(stderr).to.equal('');
    expect(stdout).to.equal(`site: 1 playbook, 1 role, 3 inventories, 13 tasks

        6   46 %  work as they are
        1    7 %  need a change
        6   46 %  cannot work here

6 of 13 tasks run in place, 7 after the changes below.
So do 0 of 1 plays, 0 of 1 roles, 3 of 3 inventories, 1 of 1 files of plugins and modules in Python, 4 of 5 settings of ansible.cfg.

What cannot work here
        3  modules that handle files on a host cannot run on a controller: copy (2), template
           → lookup("file", …) and lookup("template", …) read files of this machine; api_request or resource_present sends what they hold
           site/site.yml:13:11, site/shared/web/tasks/main.yml:1:3, site/more.yml:1:3
        1  there is no filter or function "no_such_filter"
           site/site.yml:19:25
        1  "service" cannot run on a controller: it handles services and settings of a host
           → use system_config for DNS, NTP and the portal, and resource_present for other objects of the controller
           site/site.yml:22:7
        1  "command" cannot run on a controller: it handles programs on a host
           → use api_request for what the controller should do, and lookup("pipe", …) for a program on this machine
           site/shared/web/tasks/loose.yml:1:3

What needs a change
        1  there is no module "uri"
           → did you mean "api_request"?
           site/site.yml:9:7
        1  ansible.cfg: "defaults.force_handlers" does not apply here
           → write "force_handlers: true" in the plays, or pass --force-handlers
           site/ansible.cfg:3:1

What works, with a remark
        2  ansible.cfg: settings without effect, because they are about SSH, hosts or Ansible's output: defaults.nocows, ssh_connection.pipelining
           site/ansible.cfg:4:1, site/ansible.cfg:8:1
        1  "become" has no effect: the account that signs in decides what a task may do
           → controller_username in the inventory names the account
           site/site.yml:3:3
        1  a condition needs no {{ }}
           → remove the braces: a == 1
           site/site.yml:11:13
        1  newer versions of Ansible refuse "include"
           → write import_tasks; include_tasks if it loops, or a template names the file
           site/site.yml:17:11
        1  inventories that ansible-inventory reads, if the collection of the plugin is installed
           site/netbox.yml:1:1
        1  the plugin "mine" runs as it is, in Python
           site/filter_plugins/mine.py:1:1
        1  ansible.cfg: settings that apply here as well: "defaults.roles_path"
           site/ansible.cfg:2:1
        1  ansible.cfg: settings that Evenkeel does not read: "defaults.library"
           site/ansible.cfg:6:1
`);
    expect(code).to.equal(2);
  });

  it('takes encrypted files as they are', async () => {
    const { code, stdout } = await survey('sealed');
    expect(stdout).to.include(`What works, with a remark
        1  encrypted files, which are not looked at without their password
           sealed/group_vars/all.yml:1:1
`);
    expect(code).to.equal(0);
  });

  it('reads the files of an inventory folder together', async () => {
    const { code, stdout } = await survey('divided');
    expect(stdout).to.include('2 of 2 inventories');
    expect(code).to.equal(0);
  });

  it('executes nothing of the project', async () => {
    await survey('site');
    await survey('site', '--json');
    expect(existsSync(path.join(project.directory, 'trace'))).to.equal(false);
  });

  it('is JSON for programs', async () => {
    const { code, stdout } = await survey('site', '--json');
    const { findings, directory, ...rest } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    expect(code).to.equal(2);
    expect(directory).to.equal(path.join(project.directory, 'site'));
    expect(rest).to.deep.equal({
      playbooks: 1,
      roles: 1,
      inventories: 3,
      tasks: { total: 13, works: 6, change: 1, cannot: 6 },
      parts: {
        plays: { works: 0, total: 1 },
        roles: { works: 0, total: 1 },
        inventories: { works: 3, total: 3 },
        plugins: { works: 1, total: 1 },
        settings: { works: 4, total: 5 },
      },
    });
    expect(findings).to.deep.include({
      verdict: 'change',
      message: 'there is no module "uri"',
      hint: 'did you mean "api_request"?',
      places: [{ file: 'site/site.yml', line: 9, column: 7 }],
      count: 1,
      members: {},
    });
  });

  it('reports no findings for what works, and refuses a folder that is not a project', async () => {
    expect(await survey('fine')).to.deep.equal({
      code: 0,
      stderr: '',
      stdout: `fine: 1 playbook, 0 roles, 0 inventories, 1 task

        1  100 %  work as they are
        0    0 %  need a change
        0    0 %  cannot work here

1 of 1 task run in place.
So do 1 of 1 plays.
`,
    });
    expect((await survey('none')).code).to.equal(1);
    expect((await survey('missing')).stderr).to.include('error: missing is not a folder');
    expect((await survey('fine', 'playbook.yml', '-i', 'x', '--strict')).stderr).to.include(
      'error: --from-ansible looks at a whole folder\n  = hint: leave out the playbooks, --inventory, --strict\n',
    );
  });

  it('looks into a folder of a role alone, and into folders of playbooks beside the roles and plugins', async () => {
    const role = await emptyProject({
      'web/tasks/main.yml': '- debug: { msg: "{{ port }}" }\n- import_tasks: more.yml\n',
      'web/tasks/more.yml': '- debug: { msg: x }\n- debug: { msg: y }\n',
      'web/defaults/main.yml': 'port: 80\n',
      'site/playbooks/deep/site.yml':
        "- hosts: all\n  roles: [app, linked]\n  tasks:\n    - debug: { msg: '{{ 1 | mine }}' }\n    - debug: { msg: '{{ 1 | own }}' }\n    - debug: { msg: '{{ 1 | of_app }}' }\n",
      'site/roles/app/tasks/main.yml': '- debug: { msg: x }\n- { fail: , when: no_such is nothing }\n',
      'site/filter_plugins/mine.py': "class FilterModule:\n    def filters(self):\n        return {'mine': str}\n",
      // Its names are known to Python only, which lint does not start.
      'site/roles/app/filter_plugins/computed.py':
        'from app import names\n\nclass FilterModule:\n    def filters(self):\n        return names()\n',
      'site/playbooks/deep/filter_plugins/own.py':
        "class FilterModule:\n    def filters(self):\n        return {'own': str}\n",
    });
    symlinkSync('app', path.join(role.directory, 'site/roles/linked'));
    const json = async (folder: string): Promise<Readonly<Record<string, unknown>>> => {
      const { stdout } = await evenkeel(['lint', '--from-ansible', folder, '--json'], { cwd: role.directory });
      return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    };
    expect(await json('web')).to.deep.include({
      tasks: { total: 4, works: 4, change: 0, cannot: 0 },
      playbooks: 0,
      findings: [],
    });
    const { tasks, findings, parts } = await json('site');
    expect(findings)
      .to.have.nested.property('[0].places')
      .that.deep.equals([{ file: 'site/roles/app/tasks/main.yml', line: 2, column: 19 }]);
    expect(findings)
      .to.have.length(2)
      .and.have.nested.property('[1].members')
      .that.deep.equals({ computed: 1, mine: 1, own: 1 });
    expect(tasks).to.deep.equal({ total: 5, works: 4, change: 0, cannot: 1 });
    expect(parts).to.deep.include({ roles: { works: 0, total: 1 }, plugins: { works: 3, total: 3 } });
    await role.remove();
  });

  it('takes a few seconds for a thousand files', async () => {
    const roles = Array.from({ length: 320 }, (_, at): [string, string][] => [
      [`roles/r${at}/tasks/main.yml`, '- import_tasks: more.yml\n- copy: src=a dest=b\n'.repeat(5)],
      [
        `roles/r${at}/tasks/more.yml`,
        `- name: "{{ item }} of ${at}"\n  debug: { msg: "{{ item }}" }\n  loop: [1]\n`.repeat(10),
      ],
      [`roles/r${at}/defaults/main.yml`, `r${at}_port: '{{ base | int + ${at} }}'\n`],
    ]).flat();
    const play = (from: number): [string, string] => [
      `play${from}.yml`,
      `- hosts: all\n  roles: [${Array.from({ length: 32 }, (_, at) => `r${from * 32 + at}`).join(', ')}]\n`,
    ];
    const large = await emptyProject(
      Object.fromEntries([...roles, ...Array.from({ length: 10 }, (_, at) => play(at))]),
    );
    try {
      const start = process.cpuUsage();
      const { code, stdout } = await evenkeel(['lint', '--from-ansible', '.'], { cwd: large.directory });
      expect(code).to.equal(2);
      expect(stdout).to.match(/^\.: 10 playbooks, 320 roles, 0 inventories, 6,400 tasks\n/);
      // Typically 2 s; other processes do not count.
      expect(process.cpuUsage(start).user / 1e6, 'seconds').to.be.below(20);
    } finally {
      await large.remove();
    }
  }).timeout(120_000);
});

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
