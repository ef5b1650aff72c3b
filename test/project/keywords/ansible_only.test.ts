import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { Cursor } from '../../../src/project/document/cursor.js';
import {
  ansibleOnlyModule,
  checkAnsibleOnlyKeyword,
  isAnsibleOnlyKeyword,
} from '../../../src/project/keywords/ansible_only.js';
import { mistakes, playOf } from '../../rig/loaded.js';

describe('Names that apply only to hosts', () => {
  it('are modules for hosts, by their short and full names and in any notation', async () => {
    const tasks = `- apt: name=x
  notify: restart
- ansible.builtin.copy: {src: a, dest: b}
- action: community.general.ini_file path=x
- local_action: {module: shell, cmd: ls}
- block: [{user: name=x}]
- gather_facts: {gather_subset: min}`;
    const handlers = '  handlers: [{name: restart, service: name=x}]\n';
    const found = await mistakes(playOf(tasks) + handlers);
    expect(found.map((one) => one.split(' — ')[0])).to.deep.equal([
      'site.yml:3:7 "apt" cannot run on a controller: it handles software and downloads on a host',
      'site.yml:5:7 "copy" cannot run on a controller: it handles files on a host',
      'site.yml:6:15 "ini_file" cannot run on a controller: it handles files on a host',
      'site.yml:7:30 "shell" cannot run on a controller: it handles programs on a host',
      'site.yml:8:16 "user" cannot run on a controller: it handles users of a host',
      'site.yml:9:7 "gather_facts" cannot run on a controller: it handles facts of a host',
      'site.yml:10:30 "service" cannot run on a controller: it handles services and settings of a host',
    ]);
  });

  it('say what to use instead, by what they handle, and are counted together', () => {
    const files =
      'lookup("file", …) and lookup("template", …) read files of this machine; api_request or resource_present sends what they hold';
    for (const [name, handles, hint] of [
      [
        'win_shell',
        'programs on a host',
        'use api_request for what the controller should do, and lookup("pipe", …) for a program on this machine',
      ],
      ['acl', 'files on a host', files],
      ['xml', 'files on a host', files],
      [
        'win_service',
        'services and settings of a host',
        'use system_config for DNS, NTP and the portal, and resource_present for other objects of the controller',
      ],
      [
        'apk',
        'software and downloads on a host',
        'software of a controller goes through its API: use api_request; lookup("url", …) reads from a web server',
      ],
      ['win_user', 'users of a host', 'use resource_present for the accounts of a controller'],
      ['setup', 'facts of a host', 'ask the controller with api_request and "register"'],
      [
        'set_stats',
        'results for a workflow of AWX',
        'use set_fact, which later plays and playbooks of the run see; --report json=FILE has the results for other programs',
      ],
      [
        'kubernetes.core.k8s',
        'databases, containers and clouds',
        'keep these tasks in Ansible, or write a project module: docs/writing-a-module.md',
      ],
    ] as const) {
      const short = name.split('.').at(-1);
      expect(ansibleOnlyModule(name), name).to.deep.equal({
        message: `"${short ?? ''}" cannot run on a controller: it handles ${handles}`,
        hint,
        rule: 'foreign-module',
        group: { message: `modules that handle ${handles} cannot run on a controller`, member: short },
      });
    }
    for (const name of ['acme.tools.apk', 'uri', '', 'programs']) expect(ansibleOnlyModule(name)).to.equal(undefined);
  });

  it('name what takes the place of the modules of the vendor that are missing here', async () => {
    const machine = 'make the machine with the tools of its infrastructure;';
    const instead = {
      'vmware.alb.backup':
        'write file_download with path: /api/configuration/export instead, or api_request with path: /api/backup',
      avi_bootstrap_controller: 'write user_password instead, which sets the first password',
      avi_deploy_controller: `${machine} wait_for and user_password continue then`,
      avi_deploy_se: `${machine} wait_until with path: /api/serviceengine/ continues then`,
      avi_verify_se: 'write wait_until with path: /api/serviceengine/ instead',
      avi_pulse_registration: 'write albservicesconfig_present and controllerportalregistration_present instead',
      avi_image: 'write file_upload with path: /api/image instead',
      avi_saml_api_session: 'sign in with controller_token or avi_credentials.token instead; SAML is not supported',
      avi_made_up:
        'the kind "made_up" is unknown: write resource_present with path: /api/made_up/ and properties instead',
    };
    const found = await mistakes(
      playOf(
        Object.keys(instead)
          .map((name) => `- ${name}:`)
          .join('\n'),
      ),
    );
    expect(found.map((one) => one.split(' — ')[1])).to.deep.equal(Object.values(instead));
  });

  it('are neither modules of other collections nor misspelled modules', async () => {
    expect(
      await mistakes(playOf('- acme.tools.copy:\n- coppy:\n- uri:\n- ansible.builtin.uri:\n- image_present:')),
    ).to.deep.equal([
      'site.yml:3:7 there is no module "acme.tools.copy" — "evenkeel doc -l" lists the modules',
      'site.yml:4:7 there is no module "coppy" — "evenkeel doc -l" lists the modules',
      'site.yml:5:7 there is no module "uri" — did you mean "api_request"?',
      'site.yml:6:7 there is no module "ansible.builtin.uri" — did you mean "api_request"?',
      'site.yml:7:7 there is no module "image_present" — did you mean "file_upload"?',
    ]);
  });

  it('are keywords, unless their values match the behaviour of Evenkeel', async () => {
    const harmless =
      '- debug:\n  become: no\n  environment: {}\n  async: 0\n  poll: 0\n  connection: ansible.netcommon.httpapi\n  collections: [a.b]\n  debugger: never';
    expect(await mistakes(playOf(harmless))).to.deep.equal([]);
    expect(await mistakes(playOf('- debug:\n  environment: []\n  become: [1]'))).to.have.length(1);
    expect(await mistakes(`- hosts: all\n  user: root\n  tasks: [debug: ]\n`)).to.deep.equal([
      'warning: site.yml:2:3 "user" has no effect: the account that signs in decides what a task may do — controller_username in the inventory names the account',
    ]);
    const names = `become_exe become_flags become_method become_user remote_user`.split(' ');
    const rights = await mistakes(playOf(`- debug:\n${names.map((name) => `  ${name}: x\n`).join('')}`));
    expect(rights.map((one) => /"(\w+)" has no effect: the account/.exec(one)?.[1])).to.deep.equal(names);
    const facts = 'gather_subset gather_timeout fact_path'.split(' ');
    const gathered = await mistakes(`- hosts: all\n${facts.map((name) => `  ${name}: x\n`).join('')}`);
    expect(gathered.map((one) => /"(\w+)" has no effect: a controller has no facts/.exec(one)?.[1])).to.deep.equal(
      facts,
    );
    const others = "- debug:\n  become: '{{ x }}'\n  environment: [{A: b}]\n  async: 5\n  poll: 3\n  port: 22";
    expect(await mistakes(playOf(others))).to.deep.equal([
      'warning: site.yml:4:7 "become" has no effect: the account that signs in decides what a task may do — controller_username in the inventory names the account',
      'warning: site.yml:5:7 "environment" has no effect: no program runs on a controller — for a proxy, set controller_proxy in the inventory',
      'site.yml:6:7 "async" has no meaning for a REST controller — use "timeout" to limit the time; a controller that is slow does not hold up the others',
      'site.yml:7:7 "poll" has no meaning for a REST controller — use "until", "retries" and "delay" to ask again',
      'site.yml:8:7 "port" has no meaning for a REST controller — set ansible_port or controller_url in the inventory',
    ]);
  });

  it('are keywords with each value that says what happens anyway, and no other', () => {
    const said = (name: string, value: Value, meant?: string): readonly string[] => {
      const diagnostics = new Diagnostics();
      const locate = () => ({ file: 'a.yml', line: 1, column: 1 });
      const cursor = new Cursor({ [name]: value }, { diagnostics, locate, locateKey: locate });
      for (const item of cursor.entries()) checkAnsibleOnlyKeyword(item, meant);
      return diagnostics.list.map(({ severity, message, hint, group }) =>
        [severity, message, hint, group?.message, group?.member].join(' | '),
      );
    };
    for (const value of [false, 0, null, '', 'no', 'No', 'false', 'False', 'never', 'local', '0', [], {}])
      expect(said('become', value), JSON.stringify(value)).to.deep.equal([]);
    const rights = 'the account that signs in decides what a task may do';
    for (const value of [true, 1, 'yes', 'NO', ' ', [0], { a: 0 }])
      expect(said('become', value), JSON.stringify(value)).to.deep.equal([
        `warning | "become" has no effect: ${rights} | controller_username in the inventory names the account | keywords without effect: ${rights} | become`,
      ]);
    for (const value of ['local', 'ansible.builtin.local', 'httpapi', 'ansible.netcommon.httpapi'])
      expect(said('connection', value), value).to.deep.equal([]);
    const [https, none] = ['every connection uses HTTPS', 'there is no debugger'];
    expect([...said('connection', 'ssh'), ...said('connection', 'xlocal')]).to.deep.equal(
      Array(2).fill(
        `warning | "connection" has no effect: ${https} | controller_url in the inventory sets the address | keywords without effect: ${https} | connection`,
      ),
    );
    expect(said('debugger', 'on_failed')).to.deep.equal([
      `warning | "debugger" has no effect: ${none} | --step asks before each task | keywords without effect: ${none} | debugger`,
    ]);
    expect(said('user', 'root', 'remote_user').join()).to.include('"user" has no effect');
    const words =
      'become become_exe become_flags become_method become_user remote_user gather_facts gather_subset gather_timeout fact_path environment connection debugger async poll port';
    expect(words.split(' ').every(isAnsibleOnlyKeyword)).to.equal(true);
    expect(['when', 'hosts', 'user'].some(isAnsibleOnlyKeyword)).to.equal(false);
  });

  it('are module_defaults of such modules', async () => {
    expect(await mistakes('- hosts: all\n  module_defaults: {apt: {x: 1}}\n')).to.deep.equal([
      'warning: site.yml:2:21 defaults of apt have no effect: no task here can use it — remove them',
    ]);
  });
});
