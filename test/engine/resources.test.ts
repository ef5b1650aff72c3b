import { expect } from 'chai';
import { Connections } from '../../src/controller/connections.js';
import { emptyStats } from '../../src/core/model/run/result.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { Connect } from '../../src/engine/input/run_input.js';
import { catalogue } from '../rig/loaded.js';
import { runText, type Ran } from '../rig/run_text.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const ROLLOUT = `
- hosts: fleet
  tasks:
    - name: cloud
      cloud_present: { name: 'edge-{{inventory_hostname}}', mtu: 1500 }
    - name: system
      system_config:
        dns_configuration: { search_domain: example.com }
`;

describe('resources', () => {
  let fleet: Fleet;
  const requests = (name = 'lb1'): readonly string[] =>
    fleet
      .controller(name)
      .requests.map(({ method, path }) => `${method} ${path.replace(/cloud-[0-9a-f-]{36}/, 'UUID')}`);
  const start = async (options: Parameters<typeof startFleet>[0] = {}): Promise<void> => {
    fleet = await startFleet(options);
  };
  const roll = (playbook = ROLLOUT, options: Parameters<typeof runText>[1] = {}): Promise<Ran> =>
    runText(playbook, { inventory: fleet.inventory, ...options });
  afterEach(() => fleet.dispose());

  it('read, write and verify: GET, POST, GET and GET, PUT, GET', async () => {
    await start();
    const { lines, finished } = await roll();
    expect(lines).to.deep.equal(['lb1 cloud: changed', 'lb1 system: changed']);
    expect(requests()).to.deep.equal([
      'GET /api/cloud/',
      'POST /api/cloud/',
      'GET /api/cloud/',
      'GET /api/systemconfiguration',
      'PUT /api/systemconfiguration',
      'GET /api/systemconfiguration',
    ]);
    expect(finished).to.deep.include({ status: 'ok', exitCode: 0, unstarted: [] });
    expect(finished.stats['lb1']).to.deep.include({ ok: 2, changed: 2, failed: 0 });
  });

  it('read once if there is nothing to do', async () => {
    await start();
    await roll();
    const before = requests().length;
    const { lines } = await roll();
    expect(lines).to.deep.equal(['lb1 cloud: ok', 'lb1 system: ok']);
    expect(requests().slice(before)).to.deep.equal(['GET /api/cloud/', 'GET /api/systemconfiguration']);
  });

  it('accept a mapping that a template made as text, with booleans as True', async () => {
    await start();
    const { lines } = await roll(`
- hosts: fleet
  vars: { flag: true }
  tasks:
    - name: cloud
      resource_present:
        path: /api/cloud
        name: edge
        properties: '{"dhcp_enabled": {{ flag }}, "enable_vip_static_routes": {{ not flag }}, "obj_name_prefix": null, "mtu": {{ 1700 }}}'
    - name: system
      system_config: { dns_configuration: "{'search_domain': 'x.{{ flag }}'}" }
`);
    expect(lines).to.deep.equal(['lb1 cloud: changed', 'lb1 system: changed']);
    const sent = fleet
      .controller('lb1')
      .requests.flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body) as Mapping]));
    expect(sent[0]).to.deep.include({ dhcp_enabled: true, enable_vip_static_routes: false, mtu: 1700 });
    expect(sent[1]).to.deep.include({ dns_configuration: { search_domain: 'x.True' } });
  });

  it('that write to one object at the same time lose nothing: parallel items, and names of one controller', async () => {
    await start();
    const write = (field: string, more = ''): string =>
      `- hosts: fleet\n  tasks:\n    - cloud_present: { name: edge, properties: { "${field}": 1 } }\n${more}`;
    await roll(write('first'));
    const fields = (): unknown => fleet.controller('lb1').objects('/api/cloud/')[0]?.['properties'];
    await roll(write('of_{{ item }}', '      loop: [a, b, c]\n      loop_control: { parallel: 3 }\n'));
    expect(fields()).to.deep.equal({ first: 1, of_a: 1, of_b: 1, of_c: 1 });
    const { url, caFile, username, password } = { ...fleet, url: fleet.url('lb1') };
    const connection = { controller_url: url, controller_username: username, controller_password: password };
    const vars = {
      ...connection,
      controller_ca_file: caFile,
      controller_api_version: '22.1.3',
      controller_shared: true,
    };
    const inventory = JSON.stringify({ fleet: { hosts: { x: vars, y: vars } } });
    const ran = await runText(write('of_{{ inventory_hostname }}'), { inventory });
    expect(ran.finished.exitCode, ran.tasks[0]?.message).to.equal(0);
    expect(fields()).to.deep.equal({ first: 1, of_a: 1, of_b: 1, of_c: 1, of_x: 1, of_y: 1 });
    // Modules name the same object in different words.
    const same = '{ path: /api/cloud/, name: edge, properties: { properties: { other: 1 } } }';
    const other = `    - resource_present: ${same}\n      when: inventory_hostname == "y"\n`;
    const mine = write('mine', '      when: inventory_hostname == "x"\n');
    const both = await runText(mine + other, { inventory });
    expect(both.finished.exitCode).to.equal(0);
    expect(fields()).to.deep.include({ first: 1, mine: 1, other: 1 });
  });

  it('only read in check mode, and report what they would do', async () => {
    await start();
    const { lines, tasks } = await roll(ROLLOUT, { check: true });
    expect(lines).to.deep.equal(['lb1 cloud: changed', 'lb1 system: changed']);
    expect(requests()).to.deep.equal(['GET /api/cloud/', 'GET /api/systemconfiguration']);
    expect(tasks[0]?.change).to.deep.equal({
      kind: 'create',
      object: 'cloud "edge-lb1"',
      before: null,
      after: { name: 'edge-lb1', mtu: 1500 },
    });
  });

  it('let a task choose check mode for itself', async () => {
    await start();
    const playbook = `
- hosts: fleet
  tasks:
    - cloud_present: { name: a }
      check_mode: true
    - cloud_present: { name: b }
      check_mode: '{{not ansible_check_mode}}'
`;
    await roll(playbook, { check: true });
    expect(requests().filter((line) => line.startsWith('POST'))).to.deep.equal(['POST /api/cloud/']);
    expect(fleet.controller('lb1').requests.find(({ method }) => method === 'POST')?.body).to.equal('{"name":"b"}');
  });

  it('wait for followers that lag', async () => {
    await start({ behaviour: { lag: 2 } });
    const { lines } = await roll();
    expect(lines).to.deep.equal(['lb1 cloud: changed', 'lb1 system: changed']);
  });

  it('report an object that the controller cannot show as changed, and do not verify it', async () => {
    await start({ behaviour: { unreadable: 405 } });
    const { tasks } = await roll();
    expect(tasks[1]).to.deep.include({ status: 'changed', message: 'could not be compared' });
    expect(requests().slice(3)).to.deep.equal(['GET /api/systemconfiguration', 'PUT /api/systemconfiguration']);
  });

  it('look no more for an object that the controller stops showing after the write', async () => {
    const when = { method: 'GET', path: '/api/systemconfiguration', nth: 2 } as const;
    await start({ behaviour: { faults: [{ type: 'answer', status: 404, when }] } });
    const { tasks } = await roll();
    expect(tasks[1]).to.deep.include({ status: 'changed', message: 'could not be compared' });
    expect(requests().slice(3)).to.deep.equal(
      ['GET', 'PUT', 'GET'].map((method) => `${method} /api/systemconfiguration`),
    );
  });

  it('keep what earlier tasks wrote to an object that the controller cannot show', async () => {
    const dns = { search_domain: 'example.com', server_list: [] };
    const tasks = [
      { dns_configuration: dns, ntp_configuration: null },
      { portal_configuration: { http_port: 8080, enable_http: null } },
      { fips_mode: true },
    ];
    await start({ behaviour: { unreadable: 404 } });
    const text = JSON.stringify([{ hosts: 'all', tasks: tasks.map((args) => ({ system_config: args })) }]);
    await roll(text);
    const last = fleet.controller('lb1').requests.at(-1);
    expect(JSON.parse(last?.body ?? '')).to.deep.equal({
      dns_configuration: dns,
      portal_configuration: { http_port: 8080 },
      fips_mode: true,
    });
    expect(requests().filter((line) => line.startsWith('GET'))).to.have.length(1);
  });

  it('fail if the object does not converge, with the remaining difference', async () => {
    await start({ behaviour: { faults: [{ type: 'answer', when: { method: 'PUT' }, status: 200, body: {} }] } });
    await roll();
    const { tasks, finished } = await roll(ROLLOUT.replace('1500', '9000'));
    expect(tasks[0]).to.deep.include({
      status: 'failed',
      message: 'not converged: cloud "edge-lb1" still differs after it was written: mtu',
      hint: 'the controller accepted the write and shows something else: does it normalise or ignore these values?',
    });
    expect(tasks[0]?.change).to.deep.include({ kind: 'update' });
    expect(finished).to.deep.include({ status: 'failed', exitCode: 2 });
    fleet.controller('lb1').behaviour = {
      faults: [{ type: 'answer', when: { method: 'DELETE' }, status: 204, body: {} }],
    };
    const deleted = await roll('- { hosts: fleet, tasks: [{ cloud_absent: { name: edge-lb1 } }] }');
    expect(deleted.tasks[0]).to.deep.include({
      status: 'failed',
      message: 'not converged: cloud "edge-lb1" still exists after it was deleted',
      hint: 'the controller accepted the deletion and still shows the object: does it delete later?',
    });
  });

  it('read and plan again if the object changed meanwhile, at most three times', async () => {
    await start();
    await roll();
    const put = { method: 'PUT', path: '/api/cloud/*' };
    const stale = (first: number) => ({ type: 'answer', when: { ...put, first }, status: 412 }) as const;
    const update = ROLLOUT.replace('1500', '9000');

    fleet.controller('lb1').behaviour = { faults: [stale(2)] };
    expect((await roll(update)).lines).to.deep.equal(['lb1 cloud: changed', 'lb1 system: ok']);

    fleet.controller('lb1').behaviour = { faults: [stale(9)] };
    const { tasks } = await roll(update.replace('9000', '1400'));
    expect(tasks[0]?.status).to.equal('failed');
    expect(tasks[0]?.message).to.match(
      /^PUT \/api\/cloud\/cloud-[0-9a-f-]{36}: changed by someone else since it was read \(412\)$/,
    );
  });

  it('register the change and the object', async () => {
    await start();
    const { said } = await roll(`
- hosts: fleet
  tasks:
    - cloud_present: { name: edge, mtu: 1500 }
      register: cloud
    - debug: { msg: '{{cloud.changed}} {{cloud.change.kind}} {{cloud.name}} {{cloud.object.mtu}} {{length cloud.object.uuid}}' }
`);
    expect(said).to.deep.equal(['True create cloud "edge" 1500 42']);
  });

  it('leave what only they make known to the run that makes it, and say so in check mode', async () => {
    await start();
    const { tasks } = await roll(
      `
- hosts: fleet
  tasks:
    - { cloud_present: { name: edge }, register: made }
    - { debug: { msg: hi }, when: made.object.uuid is search('x') }
`,
      { check: true },
    );
    expect(tasks.map(({ status, message }) => [status, message])).to.deep.equal([
      ['changed', undefined],
      ['skipped', '"uuid" of cloud "edge" is known after apply, and what the task does depends on it'],
    ]);
  });

  it('let blocks and meta steps go on in check mode if a loop or condition needs what only a write makes known', async () => {
    await start();
    const { lines, tasks } = await roll(
      `
- hosts: fleet
  tasks:
    - block: [{ cloud_present: { name: '{{ item }}' }, register: made }]
      loop: [a, b]
      loop_control: { break_when: made.object.uuid == 'x' }
    - block:
        - { name: unknown, debug: { msg: '{{ item }}' } }
        - { cloud_present: { name: c } }
      loop: ['{{ made.object.uuid }}']
    - { meta: end_play, when: made.object.uuid == 'x' }
    - { name: after, debug: }
`,
      { check: true },
    );
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).to.deep.equal([
      'cloud_present: changed',
      'cloud_present: changed',
      'unknown: ok',
      'cloud_present: changed',
      'after: ok',
    ]);
    expect(tasks[2]?.message).to.equal('(known after apply)');
  });

  it('are new in check mode also where earlier tasks would delete and create them again', async () => {
    await start();
    await roll('- hosts: fleet\n  tasks: [{ cloud_present: { name: edge } }, { cloud_present: { name: far } }]\n');
    const { tasks } = await roll(
      `
- hosts: fleet
  tasks:
    - cloud_absent: { name: edge }
    - cloud_present: { name: edge }
    - { cloud_present: { name: edge }, register: again }
    - { cloud_present: { name: far }, register: kept }
    - { debug: , when: kept.object.uuid is search('x') }
    - { debug: , when: again.object.uuid is search('x') }
`,
      { check: true },
    );
    expect(tasks.map(({ status }) => status)).to.deep.equal(['changed', 'changed', 'ok', 'ok', 'skipped', 'skipped']);
    expect(tasks.slice(-2).map(({ message }) => message)).to.deep.equal([
      'Conditional result was False',
      '"uuid" of cloud "edge" is known after apply, and what the task does depends on it',
    ]);
  });

  it('are known in check mode as earlier tasks would leave them, of each controller, tenant and connection', async () => {
    await start({ controllers: 2, dialect: 'avi' });
    const ways = [
      '',
      'vars: { controller_tenant: blue }',
      'vars: { controller_headers: { X-A: b } }',
      'delegate_to: lb2',
    ];
    const tasks = ways.map((way) => `    - { cloud_present: { name: edge, description: x }, ${way} }\n`).join('');
    const play = `- hosts: lb1\n  tasks:\n${tasks}`;
    const { tasks: done } = await roll(`${play}${tasks}${play}`, { check: true });
    const all = (status: string): readonly string[] => ways.map(() => status);
    expect(done.map(({ status }) => status)).to.deep.equal([...all('changed'), ...all('ok'), ...all('ok')]);
  });

  it('are not expected of a task in check mode in a run that is no check', async () => {
    await start();
    const task = '{ cloud_present: { name: edge }, check_mode: true }';
    const { tasks } = await roll(`- hosts: fleet\n  tasks: [${task}, ${task}]\n`);
    expect(tasks.map(({ status }) => status)).to.deep.equal(['changed', 'changed']);
  });

  it('are not expected in check mode of a task that is refused', async () => {
    await start();
    const { tasks } = await roll(
      `
- hosts: fleet
  tasks:
    - { cloud_present: { name: far, match: { uuid: other } }, ignore_errors: true }
    - cloud_present: { name: far }
    - cloud_present: { name: far }
`,
      { check: true },
    );
    expect(tasks.map(({ status }) => status)).to.deep.equal(['failed', 'changed', 'ok']);
  });

  it('send known fields in their types, wherever the values came from, and refuse values that do not fit', async () => {
    await start();
    const playbook = `
- hosts: fleet
  vars: { port: "{{ '80' ~ '80' }}", toggled: 'no' }
  tasks:
    - cloud_present: { name: edge, mtu: '{{mtu}}', dhcp_enabled: '{{toggled}}', other: '{{mtu}}' }
    - system_config: { portal_configuration: { http_port: '{{port}}', https_port: "{{lookup('env', 'EVENKEEL_TEST_PORT')}}" } }
    - resource_present: { path: /api/cloud, name: edge-2, properties: { mtu: '{{mtu}}' } }
    - cloud_present: { name: edge-3, mtu: '{{mtu}} bytes' }
`;
    process.env['EVENKEEL_TEST_PORT'] = '8443';
    const { tasks } = await roll(playbook, { extraVars: { mtu: '1700' } });
    delete process.env['EVENKEEL_TEST_PORT'];
    const sent = fleet
      .controller('lb1')
      .requests.flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body) as Mapping]));
    expect(sent[0]).to.deep.equal({ name: 'edge', mtu: 1700, dhcp_enabled: false, other: '1700' });
    expect(sent[1]?.['portal_configuration']).to.deep.include({ http_port: 8080, https_port: 8443 });
    expect(sent[2]).to.deep.equal({ name: 'edge-2', mtu: 1700 });
    expect(sent).to.have.length(3);
    expect(tasks.at(-1)?.message).to.equal('"mtu" must be an integer, not "1700 bytes"');
  });

  it('make a controller unreachable that refuses the credentials, without a second request', async () => {
    await start({ controllers: 2 });
    fleet.controller('lb2').behaviour = { faults: [{ type: 'answer', status: 401 }] };
    const { lines, finished } = await roll();
    expect(lines.filter((line) => line.startsWith('lb2'))).to.deep.equal(['lb2 cloud: unreachable']);
    expect(requests('lb2')).to.have.length(1);
    expect(finished).to.deep.include({ status: 'unreachable', exitCode: 4 });
  });

  it('start nothing new once three controllers in a row refused the credentials', async () => {
    await start({ controllers: 6, behaviour: { faults: [{ type: 'answer', status: 401 }] } });
    const { finished, events } = await roll(ROLLOUT, { forks: 1 });
    expect(finished.unstarted).to.deep.equal(['lb4', 'lb5', 'lb6']);
    const reason = '3 controllers in a row refused the credentials of user "admin" (lb1, lb2, lb3)';
    expect(finished).to.deep.include({ status: 'unreachable', exitCode: 4, reason });
    expect(events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))).to.deep.equal([
      `${reason}: nothing new starts`,
    ]);
  });

  it('do not end well if refused credentials that are ignored left controllers out', async () => {
    await start({ controllers: 6, behaviour: { faults: [{ type: 'answer', status: 401 }] } });
    const site = ROLLOUT.replace('hosts: fleet', 'hosts: fleet\n  ignore_unreachable: true');
    const { finished } = await roll(site, { forks: 1 });
    expect(finished).to.deep.include({
      status: 'failed',
      exitCode: 2,
      reason: '3 controllers in a row refused the credentials of user "admin" (lb1, lb2, lb3)',
      unstarted: ['lb4', 'lb5', 'lb6'],
    });
  });

  it('adopt an object that was created meanwhile, and update its remaining fields', async () => {
    await start();
    await roll();
    const unseen = { type: 'answer', when: { method: 'GET', path: '/api/cloud/', nth: 1 }, status: 200 } as const;
    fleet.controller('lb1').behaviour = { faults: [{ ...unseen, body: { count: 0, results: [] } }] };
    const before = requests().length;
    const { tasks } = await roll(ROLLOUT.replace('1500', '9000'));
    expect(tasks[0]).to.deep.include({ status: 'changed' });
    expect(
      requests()
        .slice(before)
        .filter((line) => line.includes('cloud')),
    ).to.deep.equal([
      'GET /api/cloud/',
      'POST /api/cloud/',
      'GET /api/cloud/',
      'GET /api/cloud/',
      'PUT /api/cloud/UUID',
      'GET /api/cloud/',
    ]);
    expect((await roll(ROLLOUT.replace('1500', '9000'))).lines[0]).to.equal('lb1 cloud: ok');
  });

  it('write nothing after an interrupt, but finish and verify a running write', async () => {
    await start();
    const { default: cloud } = await import('../../modules/cloud_present.js');
    if (cloud.type !== 'resource') throw new Error('cloud_present is a resource');
    const interrupted = (at: 'read' | 'apply'): Promise<Ran> => {
      const interrupt = new AbortController();
      const module: typeof cloud = {
        ...cloud,
        read: (...given) => {
          if (at === 'read') interrupt.abort();
          return cloud.read(...given);
        },
        apply: (...given) => {
          interrupt.abort();
          return cloud.apply(...given);
        },
      };
      const load = (name: string) => (name === 'cloud_present' ? Promise.resolve(module) : catalogue.load(name));
      return roll(ROLLOUT, { catalogue: { ...catalogue, load }, drain: interrupt.signal });
    };

    const early = await interrupted('read');
    expect(early.tasks).to.have.length(1);
    expect(early.tasks[0]).to.deep.include({
      status: 'interrupted',
      message: 'interrupted before anything was written',
    });
    expect(early.finished).to.deep.include({ status: 'interrupted', exitCode: 130, cutOff: ['lb1'] });
    expect(early.finished.stats['lb1']).to.deep.equal(emptyStats());
    expect(requests()).to.deep.equal(['GET /api/cloud/']);

    const late = await interrupted('apply');
    expect(late.lines).to.deep.equal(['lb1 cloud: changed']);
    expect(requests().slice(1)).to.deep.equal(['GET /api/cloud/', 'POST /api/cloud/', 'GET /api/cloud/']);
    expect(late.finished).to.deep.include({ status: 'interrupted', exitCode: 130 });
  });

  it('run all items of an always after an interrupt', async () => {
    await start();
    const interrupt = new AbortController();
    const playbook = `
- hosts: fleet
  tasks:
    - block:
        - { name: work, debug: { msg: hi } }
        - { name: never, debug: { msg: hi } }
      always:
        - { name: clean, cloud_present: { name: '{{item}}' }, loop: [a, b] }
`;
    const { lines, finished } = await roll(playbook, {
      drain: interrupt.signal,
      watch: (event) => {
        if (event.type === 'task-started') interrupt.abort();
      },
    });
    expect(lines).to.deep.equal([
      'lb1 work: ok',
      'lb1 clean [a]: changed',
      'lb1 clean [b]: changed',
      'lb1 clean: changed',
    ]);
    expect(finished.status).to.equal('interrupted');
  });

  it('open one session per controller, lazily, and keep it for later plays', async () => {
    await start();
    const opened: string[] = [];
    const connections = new Connections({ abort: new AbortController().signal });
    const connect: Connect = (settings) => {
      opened.push(settings.controller);
      return connections.open(settings);
    };
    await roll('- hosts: all\n  tasks: [debug: { msg: hi }]\n', { connect });
    expect(opened).to.deep.equal([]);
    await roll(ROLLOUT + ROLLOUT, { connect });
    expect(opened).to.deep.equal(['lb1']);
    await connections.close();
  });

  it('close a session after the last play of its controller, or if there are more than forks', async () => {
    await start({ controllers: 2 });
    const log: string[] = [];
    const connections = new Connections({ abort: new AbortController().signal });
    const connect: Connect = (settings) => {
      const { controller } = settings;
      const session = connections.open(settings);
      const close = session.close.bind(session);
      log.push(`open ${controller}`);
      const closing = (): Promise<void> => {
        log.push(`close ${controller}`);
        return close();
      };
      return Promise.resolve(Object.assign(session, { close: closing }));
    };
    for (const forks of [1, 2]) await roll(ROLLOUT + ROLLOUT, { connect, forks });
    await connections.close();
    expect(log.slice(0, 6)).to.deep.equal(['open lb1', 'open lb2', 'close lb2', 'close lb1', 'open lb2', 'close lb2']);
    expect(log.slice(6).toSorted()).to.deep.equal(['close lb1', 'close lb2', 'open lb1', 'open lb2']);
  });

  it('use -u and -k for controllers whose variables name no user', async () => {
    await start();
    const inventory = fleet.inventory.replace(/^ *controller_(username|password):.*\n/gm, '');
    const { username, password } = fleet;
    const { lines } = await roll(ROLLOUT, { inventory, credentials: { username, password } });
    expect(lines).to.deep.equal(['lb1 cloud: changed', 'lb1 system: changed']);
    const { tasks } = await roll(ROLLOUT, { inventory });
    expect(tasks[0]?.message).to.equal('no controller_username; no controller_password');
  });
});
