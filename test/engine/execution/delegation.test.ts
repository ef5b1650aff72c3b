import { expect } from 'chai';
import { maskText } from '../../../src/core/secrets/mask_text.js';
import { BUILT_IN_LIBRARY, Library } from '../../../src/language/library.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

const THREE = 'all: { hosts: { lb1: { site: fra }, lb2: { site: ams }, lb3: { site: lon } } }';

/** Runs a task list on lb1 (not indented). */
function onFirst(tasks: string, options: TextOptions = {}): Promise<Ran> {
  const playbook = `- hosts: lb1\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}\n`;
  return runText(playbook, { inventory: THREE, ...options });
}

describe('delegate_to', () => {
  it("keeps the controller's variables, and reports the delegate", async () => {
    const { tasks, events } = await onFirst(`
- debug: { msg: '{{inventory_hostname}} {{site}} {{ansible_delegated_vars.lb2.site}}' }
  delegate_to: lb2
`);
    expect(tasks[0]).to.deep.include({ controller: 'lb1', delegatedTo: 'lb2', message: 'lb1 fra ams' });
    expect(events.find(({ type }) => type === 'task-started')).to.deep.include({
      controller: 'lb1',
      delegatedTo: 'lb2',
    });
  });

  it('does not delegate if it names the controller itself, or is omitted', async () => {
    const { tasks } = await onFirst(`
- { debug: { msg: hi }, delegate_to: '{{inventory_hostname}}' }
- { debug: { msg: hi }, delegate_to: '{{nobody | default(omit)}}' }
`);
    expect(tasks.map(({ status, delegatedTo }) => [status, delegatedTo])).to.deep.equal([
      ['ok', undefined],
      ['ok', undefined],
    ]);
  });

  it('masks the secrets of each delegate, of the play and of the task, also those that a variable of its own is in', async () => {
    const secret = `vars: { controller_password: "{{ 'pw-of-' ~ site }}" }`;
    const masked = async (play: string, task: string) => {
      const playbook = `- { hosts: lb1, ${play}tasks: [{ debug: ${task} }] }\n`;
      const { secrets } = await runText(playbook, { inventory: THREE });
      return ['fra', 'ams', 'lon'].filter((site) => maskText(`pw-of-${site}`, secrets) === '********');
    };
    for (const [play, task] of [
      [`${secret}, `, ''],
      ['', `, ${secret}`],
    ] as const) {
      expect(await masked(play, task)).to.deep.equal(['fra']);
      expect(await masked(play, `${task}, delegate_to: lb2`)).to.deep.equal(['fra', 'ams']);
      const each = ", delegate_to: '{{ item }}', loop: [lb2, lb3]";
      expect(await masked(play, task + each)).to.deep.equal(['fra', 'ams', 'lon']);
    }
  });

  it('leads to a controller that an earlier task added', async () => {
    const { tasks } = await onFirst(`
- add_host: { name: lb7, site: par }
- { debug: { msg: '{{hostvars.lb7.site}}' }, delegate_to: lb7 }
`);
    expect(tasks.map(({ status, delegatedTo, message }) => [status, delegatedTo, message])).to.deep.equal([
      ['changed', undefined, undefined],
      ['ok', 'lb7', 'par'],
    ]);
  });

  it('fails if there is no such controller, unless the task is skipped', async () => {
    const { tasks } = await onFirst(`
- { debug: { msg: hi }, delegate_to: lb22, when: false }
- { debug: { msg: hi }, delegate_to: lb22, ignore_errors: true }
- { debug: { msg: hi }, delegate_to: elsewhere, ignore_errors: true }
- { debug: { msg: hi }, delegate_to: '{{groups.all}}' }
`);
    expect(tasks.map(({ status, message, hint }) => [status, message, hint])).to.deep.equal([
      ['skipped', 'Conditional result was False', undefined],
      ['failed', 'delegate_to names "lb22", which is not in the inventory', 'did you mean "lb2"?'],
      ['failed', 'delegate_to names "elsewhere", which is not in the inventory', 'add_host can add it'],
      ['failed', 'delegate_to must be the name of a controller, not a list', undefined],
    ]);
  });

  it('can name a different controller for each item of a loop', async () => {
    const { tasks } = await onFirst(`
- debug: { msg: '{{item}}' }
  delegate_to: '{{item}}'
  loop: [lb2, lb3]
`);
    expect(tasks.map(({ item, delegatedTo }) => [item, delegatedTo])).to.deep.equal([
      ['lb2', 'lb2'],
      ['lb3', 'lb3'],
      [undefined, undefined],
    ]);
  });

  it('leaves facts and results with the controller; with delegate_facts, the delegate gets the facts', async () => {
    const { said } = await onFirst(`
- { set_fact: { mine: 1 }, delegate_to: lb2 }
- { set_fact: { yours: 2 }, delegate_to: lb2, delegate_facts: true, register: r }
- debug:
    msg: '{{mine}} {{yours is defined}} {{hostvars.lb2.mine is defined}} {{hostvars.lb2.yours}} {{r is succeeded}}'
`);
    expect(said).to.deep.equal(['1 False False 2 True']);
  });

  it('passes the address of the delegate to wait_for', async () => {
    const inventory = `
all:
  hosts:
    lb1: { controller_url: 'https://127.0.0.1:9443/prefix' }
    lb2: { ansible_host: 127.0.0.2 }
    lb3:
`;
    const task = '{ wait_for: { port: 1, timeout: 0 }, ignore_errors: true';
    const { tasks } = await onFirst(
      `
- ${task} }
- ${task}, delegate_to: lb2 }
- ${task}, delegate_to: lb3 }
`,
      { inventory },
    );
    expect(tasks.map(({ message }) => message)).to.deep.equal([
      'Timeout when waiting for 127.0.0.1:1',
      'Timeout when waiting for 127.0.0.2:1',
      'Timeout when waiting for lb3:1',
    ]);
  });

  it('fails where a part of the name is missing', async () => {
    const { tasks } = await onFirst(`- { debug: { msg: hi }, delegate_to: 'lb{{ stage }}' }\n`, {
      extraVars: { stage: '' },
      library: new Library(BUILT_IN_LIBRARY.table),
    });
    expect(tasks.map(({ message, source }) => [message, source.line])).to.deep.equal([
      ['part of a name is missing: {{ stage }} is an empty text', 3],
    ]);
  });

  it('connects with what the delegate, the task and the command line say, not with facts of the controller', async () => {
    const { tasks } = await runText(
      `
- hosts: lb2
  tasks:
    - set_fact: { controller_timeout: of-lb2 }
- hosts: lb1
  vars: { controller_patience: of-play }
  tasks:
    - set_fact: { controller_max_requests: of-lb1, controller_timeout: of-lb1 }
    - cloud_present: { name: a }
      delegate_to: lb2
      loop: [of-item]
      vars: { controller_write_settles: of-task, controller_shared: '{{ item }}' }
`,
      { inventory: THREE, extraVars: { controller_requests_per_second: 'of-command' } },
    );
    // Not `controller_max_requests`.
    expect(tasks.at(-2)?.message?.split('; ')).to.deep.equal([
      'no controller_url',
      'no controller_username',
      'no controller_password',
      'no controller_api_version',
      'controller_timeout must be a number of at least 0.001 and at most 86400',
      'controller_write_settles must be a number of at least 0 and at most 86400',
      'controller_patience must be a number of at least 0 and at most 86400',
      'controller_requests_per_second must be a number of at least 0.001',
      'controller_shared must be true or false',
    ]);
  });

  it('has the variables of the delegate as data, and those of a delegate per item', async () => {
    const { said } = await onFirst(
      `
- set_fact: { word: '{{ "{" }}{ site }}' }
  delegate_to: lb2
  delegate_facts: true
- debug: { msg: '{{ ansible_delegated_vars | list }} {{ ansible_delegated_vars[item].inventory_hostname }} {{ ansible_delegated_vars.lb2.word | default("none") }}' }
  delegate_to: '{{ item }}'
  loop: [lb2, lb3]
- debug: { msg: '{{ ansible_delegated_vars is defined }}' }
`,
    );
    expect(said).to.deep.equal(['["lb2"] lb1 {{ site }}', '["lb3"] lb1 none', 'false']);
  });

  it('can name the local machine only for actions', async () => {
    const { tasks } = await onFirst(`
- { debug: { msg: '{{inventory_hostname}}' }, delegate_to: localhost }
- { cloud_present: { name: a }, delegate_to: localhost }
`);
    expect(tasks.map(({ message }) => message)).to.deep.equal(['lb1', 'localhost is this machine, not a controller']);
  });
});

describe('delegate_to a controller', () => {
  let fleet: Fleet;
  const requests = (name: string): readonly string[] =>
    fleet.controller(name).requests.map(({ method, path }) => `${method} ${path}`);
  afterEach(() => fleet.dispose());

  it('contacts the delegate, with its settings and those of the task', async () => {
    fleet = await startFleet({ controllers: 2 });
    const playbook = `
- hosts: lb1
  tasks:
    - cloud_present: { name: 'of-{{inventory_hostname}}' }
      delegate_to: lb2
      vars: { controller_headers: { X-Request: delegated } }
    - cloud_present: { name: own }
`;
    const { lines } = await runText(playbook, { inventory: fleet.inventory });
    expect(lines).to.deep.equal(['lb1 cloud_present: changed', 'lb1 cloud_present: changed']);
    expect(requests('lb2').filter((line) => line.startsWith('POST'))).to.have.length(1);
    expect(fleet.controller('lb2').requests[0]?.path).to.match(/name=of-lb1|\/api\/cloud\//);
    expect(fleet.controller('lb2').requests.map(({ headers }) => headers['x-request'])).to.include('delegated');
    expect(requests('lb1')).to.have.length(3);
  });

  it('acts where the vars_files of the delegate say', async () => {
    fleet = await startFleet({ controllers: 3, dialect: 'avi' });
    const play = (files: string, to: string): string =>
      `- hosts: lb1\n  vars_files: [${files}]\n  tasks: [{ pool_present: { name: edge }, delegate_to: ${to} }]\n`;
    const tenant = async (files: string, to = 'lb2'): Promise<unknown> => {
      const options = {
        inventory: fleet.inventory,
        files: { 'lb1.yml': 'site: a\n', 'lb2.yml': BLUE, 'a.yml': BLUE, 'plain.yml': BLUE },
      };
      const { finished } = await runText(play(files, to), options);
      expect(finished.exitCode, files).to.equal(0);
      return fleet.controller(to).requests.findLast(({ path }) => path.startsWith('/api/pool'))?.headers[
        'x-avi-tenant'
      ];
    };
    const BLUE = 'controller_tenant: blue\n';
    const OWN = "'{{ inventory_hostname }}.yml'";
    expect(await tenant(OWN)).to.equal('blue');
    expect(await tenant(`${OWN}, plain.yml`, 'lb3'), 'lb3.yml is missing').to.equal('blue');
    expect(await tenant(`${OWN}, '{{ site }}.yml'`, 'lb3'), 'it has no site').to.equal('admin');
  });

  it('reads the vars_files of a delegate again after a failure', async () => {
    fleet = await startFleet({ controllers: 2 });
    const task = `{ cloud_present: { name: edge }, delegate_to: lb2 }`;
    const playbook = `
- hosts: lb1
  vars_files: ['{{ inventory_hostname }}.yml']
  tasks:
    - { block: [${task}], rescue: [{ debug: { msg: '{{ lookup("pipe", "echo a: 1 > lb2.yml") }}' } }] }
    - ${task}
`;
    const files = { 'lb1.yml': '{}\n', 'lb2.yml': '[broken\n' };
    const { lines } = await runText(playbook, { inventory: fleet.inventory, files });
    expect(lines).to.deep.equal(['lb1 cloud_present: failed', 'lb1 debug: ok', 'lb1 cloud_present: changed']);
  });

  it('never writes twice if many controllers delegate the same write to one', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `lb${index + 1}`);
    fleet = await startFleet({ controllers: names, behaviour: { latency: 2 } });
    const playbook = `
- hosts: all:!lb12
  tasks:
    - cloud_present: { name: shared, mtu: 9000 }
      delegate_to: lb12
    - system_config:
        dns_configuration: { search_domain: example.com }
      delegate_to: lb12
    - resource_present:
        path: /api/cloud/
        name: shared
        properties: { 'from_{{inventory_hostname}}': true }
      delegate_to: lb12
`;
    const { tasks } = await runText(playbook, { inventory: fleet.inventory });
    expect(tasks.filter(({ status }) => status === 'failed')).to.deep.equal([]);
    const writes = requests('lb12').filter((line) => !line.startsWith('GET'));
    expect(writes.filter((line) => line === 'POST /api/cloud/')).to.have.length(1);
    expect(writes.filter((line) => line === 'PUT /api/systemconfiguration')).to.have.length(1);
    const read = fleet.controller('lb12').requests.findLast(({ method }) => method === 'PUT')?.body ?? '';
    expect(names.slice(0, 11).filter((name) => !read.includes(`"from_${name}":true`))).to.deep.equal([]);
  });

  it('never writes twice if the variables of many controllers lead a task to one', async () => {
    fleet = await startFleet({ controllers: 9, behaviour: { latency: 2 } });
    const playbook = `
- hosts: all:!lb9
  tasks:
    - cloud_present: { name: shared }
      vars: { controller_url: "${fleet.url('lb9')}" }
    - cloud_present: { name: own }
`;
    const { lines } = await runText(playbook, { inventory: fleet.inventory });
    expect(lines.filter((line) => line.endsWith(': changed'))).to.have.length(1 + 8);
    expect(requests('lb9').filter((line) => line.startsWith('POST'))).to.have.length(1);
  });

  it('keeps the session of the delegate open while the task uses it, even if the delegate has finished', async () => {
    fleet = await startFleet({ controllers: 2 });
    const playbook = `
- hosts: fleet
  tasks:
    - cloud_present: { name: one }
      delegate_to: lb2
      when: inventory_hostname == "lb1"
    - pause: { seconds: 0.05 }
      when: inventory_hostname == "lb1"
    - cloud_present: { name: two }
      delegate_to: lb2
      when: inventory_hostname == "lb1"
    - cloud_present: { name: three }
      when: inventory_hostname == "lb2"
`;
    const { lines, finished } = await runText(playbook, { inventory: fleet.inventory, forks: 1 });
    expect(lines.filter((line) => line.endsWith('changed'))).to.have.length(3);
    expect(finished.exitCode).to.equal(0);
  });
});
