import { expect } from 'chai';
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

  it('are neither modules of other collections nor misspelled modules', async () => {
    expect(await mistakes(playOf('- acme.tools.copy:\n- coppy:\n- uri:'))).to.deep.equal([
      'site.yml:3:7 there is no module "acme.tools.copy" — "evenkeel doc -l" lists the modules',
      'site.yml:4:7 there is no module "coppy" — "evenkeel doc -l" lists the modules',
      'site.yml:5:7 there is no module "uri" — did you mean "api_request"?',
    ]);
  });

  it('are keywords, unless their values match the behaviour of Evenkeel', async () => {
    const harmless =
      '- debug:\n  become: no\n  environment: {}\n  async: 0\n  poll: 0\n  connection: ansible.netcommon.httpapi\n  collections: [a.b]\n  debugger: never';
    expect(await mistakes(playOf(harmless))).to.deep.equal([]);
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

  it('are module_defaults of such modules', async () => {
    expect(await mistakes('- hosts: all\n  module_defaults: {apt: {x: 1}}\n')).to.deep.equal([
      'warning: site.yml:2:21 defaults of apt have no effect: no task here can use it — remove them',
    ]);
  });
});
