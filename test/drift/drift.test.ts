import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { CommandContext } from '../../src/cli/context.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { keptDriftLines } from '../../src/drift/command.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { DEAD_CONTROLLER } from '../rig/waits.js';

const PLAYBOOK = `- hosts: all
  tasks:
    - name: The cloud
      cloud_present: { name: edge, mtu: '{{ mtu | default(9000) }}' }
    - name: DNS
      system_config: { dns_configuration: { search_domain: '{{ inventory_hostname }}.example.com' } }
`;
const SCREEN = 24;
const MANY = 200;

interface Report {
  readonly exitCode: number;
  readonly complete: boolean;
  readonly controllers: number;
  readonly drifted: readonly string[];
  readonly unread: readonly string[];
  readonly drift: readonly {
    readonly task: string;
    readonly source: { readonly line: number };
    readonly kind: string;
    readonly controllers: readonly {
      readonly name: string;
      readonly target?: string;
      readonly origin: { readonly type: string };
    }[];
  }[];
  readonly unmanaged?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly controllers: readonly string[];
  }[];
}

describe('evenkeel drift', () => {
  let fleet: Fleet;
  let project: Project;

  const command = (...args: readonly string[]): Promise<Ended> =>
    evenkeel([...args, '-i', fleet.inventoryFile], { cwd: project.directory });
  const drift = (...args: readonly string[]): Promise<Ended> => command('drift', 'p.yml', ...args);
  const json = async (...args: readonly string[]): Promise<Report> => {
    const { stdout, stderr } = await drift('--json', ...args);
    expect(stderr).to.equal('');
    return JSON.parse(stdout) as Report;
  };
  /** Someone changes a cloud by hand. */
  const change = (name: string, fields: Readonly<Record<string, number | string | boolean>>): void => {
    const controller = fleet.controller(name);
    controller.setObjects(
      '/api/cloud/',
      controller.objects('/api/cloud/').map((cloud) => ({ ...cloud, ...fields })),
    );
  };
  const writes = (): number =>
    fleet.names.flatMap((name) => fleet.controller(name).requests).filter(({ method }) => method !== 'GET').length;

  const begin = async (controllers: number): Promise<void> => {
    fleet = await startFleet({ controllers });
    project = await emptyProject({ 'p.yml': PLAYBOOK });
  };
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  it('shows which of 200 controllers differ and since when, on one screen', async () => {
    await begin(MANY);
    expect((await command('run', 'p.yml', '-o', 'quiet')).code).to.equal(0);
    const none = await drift();
    expect(none).to.deep.equal({ code: 0, stdout: 'no drift: 200 controllers as p.yml declares\n', stderr: '' });
    for (const name of ['lb7', 'lb113']) change(name, { mtu: 1500 });
    fleet.controller('lb150').setObjects('/api/cloud/', []);
    for (const name of fleet.names) fleet.controller(name).clearRequests();
    const { code, stdout, stderr } = await drift();
    expect(stderr).to.equal('');
    expect(code).to.equal(3);
    expect(writes()).to.equal(0);
    expect(stdout.split('\n').length).to.be.below(SCREEN);
    expect(stdout.replaceAll(/\d{8}T\d{6}Z-[\da-f]{6}/g, 'RUN')).to
      .equal(`- is what the controller has, + what the playbook declares

The cloud (p.yml:3:7)
  cloud "edge" on 2 controllers: lb7, lb113
    - mtu: 1500
    + mtu: 9000
    changed by someone since run RUN
  cloud "edge" (new) on lb150
    + name: edge
    + mtu: 9000
    changed by someone since run RUN

3 of 200 controllers differ from p.yml: lb7, lb113, lb150
`);
  }).timeout(120_000);

  it('shows the first tasks in full, and of each other one a line', async () => {
    await begin(3);
    const task = (at: number): string =>
      `    - { name: Cloud ${at}, cloud_present: { name: edge-${at}, mtu: 9000 } }\n`;
    await project.write('p.yml', `- hosts: all\n  tasks:\n${Array.from({ length: 8 }, (_, at) => task(at)).join('')}`);
    const lines = (await drift()).stdout.split('\n');
    expect(lines.filter((line) => line === '    + mtu: 9000')).to.have.length(6);
    expect(lines).to.include.members([
      'Cloud 7 (p.yml:10:7): cloud "edge-7" (new) on 3 controllers: name, mtu',
      '… -v shows these in full',
      'all of this: never applied: no run in the journal has written it',
    ]);
    const whole = (await drift('-v')).stdout.split('\n');
    expect(whole.filter((line) => line === '    + mtu: 9000')).to.have.length(8);
    const state = path.join(project.directory, '.evenkeel');
    const [last = ''] = (await readdir(path.join(state, 'runs'))).sort().reverse();
    const context = { secrets: new Secrets() } as unknown as CommandContext;
    expect(await keptDriftLines(state, last, context)).to.deep.equal(whole.slice(0, -1));
  });

  it('distinguishes objects never applied, changed by someone, and declared differently', async () => {
    await begin(3);
    await command('run', 'p.yml', '-l', 'lb1,lb2', '-t', 'all');
    change('lb2', { mtu: 1500 });
    const origins = async (...args: readonly string[]): Promise<object> => {
      const { drift: found } = await json(...args);
      const members = found.filter(({ task }) => task === 'The cloud').flatMap(({ controllers }) => controllers);
      return Object.fromEntries(members.map(({ name, origin }) => [name, origin.type]));
    };
    expect(await origins()).to.deep.equal({ lb2: 'changed since', lb3: 'never applied' });
    expect(await origins('-e', 'mtu=8000')).to.deep.equal({
      lb1: 'declared anew',
      lb2: 'changed since',
      lb3: 'never applied',
    });
  });

  it('knows what was written at the address of the inventory, also after a play with another one', async () => {
    await begin(2);
    await project.write('own.yml', fleet.inventory.replace(/^ *lb2: .*\n/m, ''));
    await project.write(
      'p.yml',
      `- { hosts: lb1, vars: { controller_url: '${fleet.url('lb2')}' }, tasks: [cloud_present: { name: edge }] }
- { hosts: lb1, tasks: [{ name: The cloud, cloud_present: { name: edge, mtu: 9000 } }] }
`,
    );
    const own = (...args: readonly string[]) =>
      evenkeel([...args, 'p.yml', '-i', 'own.yml'], { cwd: project.directory });
    const { code, stdout } = await own('run');
    expect(code, stdout).to.equal(0);
    change('lb1', { mtu: 1500 });
    const [task] = (JSON.parse((await own('drift', '--json')).stdout) as Report).drift;
    expect(task?.controllers.map(({ origin }) => origin.type)).to.deep.equal(['changed since']);
  });

  it('knows what was written at an address with a secret', async () => {
    await begin(2);
    await project.write('group_vars/all.yml', `gateway_token: 127.0.0.1\n`);
    await command('run', 'p.yml', '-l', 'lb1', '-t', 'all');
    const { stdout } = await command('drift', 'p.yml', '-l', 'lb1', '-t', 'all', '--json', '-e', 'mtu=8000');
    const [task] = (JSON.parse(stdout) as Report).drift;
    expect(task?.controllers.map(({ origin }) => origin.type)).to.deep.equal(['declared anew']);
  });

  it('knows an object as changed if one of several fields is', async () => {
    await begin(2);
    await project.write(
      'p.yml',
      '- hosts: all\n  tasks: [{ name: The cloud, cloud_present: { name: edge, mtu: "{{ mtu | default(9000) }}", dhcp_enabled: false } }]\n',
    );
    await command('run', 'p.yml');
    change('lb1', { mtu: 1500, dhcp_enabled: true });
    change('lb2', { dhcp_enabled: true });
    const { drift: found } = await json('-e', 'mtu=8000');
    const members = found.flatMap(({ controllers }) => controllers);
    expect(members.map(({ name, origin }) => [name, origin.type])).to.deep.equal([
      ['lb1', 'changed since'],
      ['lb2', 'changed since'],
    ]);
  });

  it('never exits with 0 or 3 if a controller was not read', async () => {
    await begin(2);
    await command('run', 'p.yml');
    await writeFile(path.join(project.directory, 'more.yml'), `all: { hosts: { gone: { ${DEAD_CONTROLLER} } } }`);
    const down = await drift('-i', 'more.yml');
    expect(down.code).to.equal(4);
    expect(down.stdout).to.include('not fully read: gone\nno drift found on 2 of 3 controllers\n');
    await project.write('p.yml', PLAYBOOK.replace('cloud_present:', 'ignore_unreachable: true\n      cloud_present:'));
    const ignored = await drift('--json', '-i', 'more.yml');
    const { exitCode, complete, unread } = JSON.parse(ignored.stdout) as Report;
    expect({ code: ignored.code, exitCode, complete, unread }).to.deep.equal({
      code: 4,
      exitCode: 4,
      complete: false,
      unread: ['gone'],
    });
    await project.write('first.yml', '- { hosts: gone, tasks: [{ cloud_present: { name: a } }] }\n');
    const stopped = await command('drift', 'first.yml', 'p.yml', '-i', 'more.yml');
    expect(stopped.stdout).to.include(
      'not fully read: 3 controllers: gone, lb1, lb2\nno drift found on 0 of 3 controllers\n',
    );
    await project.write('p.yml', '- hosts: all\n  tasks: [{ fail: { msg: broken } }]\n');
    const failed = await drift();
    expect(failed.code).to.equal(2);
    expect(failed.stdout).to.include('failed: broken');
  });

  it('counts an ignored failure of a resource, and an object that is not shown, as not read', async () => {
    await begin(1);
    fleet.controller('lb1').behaviour = { unreadable: 404 };
    await project.write(
      'p.yml',
      '- hosts: all\n  tasks: [{ system_config: { dns_configuration: { search_domain: a } } }]\n',
    );
    const hidden = await drift();
    expect(hidden.code, hidden.stdout).to.equal(4);
    expect(hidden.stdout).to.include('not read: system_config');
    fleet.controller('lb1').behaviour = { faults: [{ type: 'answer', status: 403 }] };
    await project.write('p.yml', '- hosts: all\n  tasks: [{ cloud_present: { name: a }, ignore_errors: true }]\n');
    const ignored = await drift();
    expect(ignored.code, ignored.stdout).to.equal(4);
    for (const keyword of ['failed_when: false', 'failed_when: false\n      no_log: true']) {
      await project.write('p.yml', `- hosts: all\n  tasks:\n    - cloud_present: { name: a }\n      ${keyword}\n`);
      const cleared = await drift();
      expect(cleared.code, cleared.stdout).to.equal(4);
      expect(cleared.stdout).to.include('not read: cloud_present');
    }
    fleet.controller('lb1').behaviour = {};
    await project.write(
      'p.yml',
      "- hosts: all\n  tasks: [{ include_tasks: '{{ inventory_hostname }}.yml', ignore_errors: true }]\n",
    );
    const include = await drift();
    expect(include.code, include.stdout).to.equal(4);
  });

  it('counts what depends on an object that is to be created as not read, or of an action as not compared', async () => {
    await begin(1);
    await project.write(
      'p.yml',
      `- hosts: all
  tasks:
    - { cloud_present: { name: new }, register: made }
    - { cloud_present: { name: edge }, when: made.object.uuid != '' }
    - { include_tasks: '{{ made.object.uuid }}.yml' }
    - api_request: { method: POST, path: '/api/{{ made.object.uuid }}', body: {} }
      no_log: true
`,
    );
    const { code, stdout } = await drift();
    expect(code, stdout).to.equal(4);
    expect(stdout).to.include('not read: cloud_present (p.yml:4:7) on lb1: "uuid" of cloud "new" is known after apply');
    expect(stdout).to.include('not read: include_tasks');
    expect(stdout).to.include('not compared: api_request');
  });

  it('finds no drift where only changed_when says that something changes, and what changed_when: false hides', async () => {
    await begin(1);
    const tasks = (keyword: string) =>
      ['name: edge', 'name: core'].map((name) => `    - cloud_present: { ${name} }\n      changed_when: ${keyword}\n`);
    const write = (keyword: string) =>
      project.write('p.yml', `- hosts: all\n  tasks:\n${tasks(keyword).join('')}      no_log: true\n`);
    await write('false');
    expect((await json()).drift.map(({ kind }) => kind)).to.deep.equal(['create', 'hidden']);
    expect((await command('run', 'p.yml')).code).to.equal(0);
    await write('true');
    const none = await drift();
    expect(none.code, none.stdout).to.equal(0);
  });

  it('shows programs the names of equal drift as those of no controller', async () => {
    await begin(2);
    await project.write('p.yml', '- hosts: all\n  tasks: [{ cloud_present: { name: edge, description: all } }]\n');
    await command('run', 'p.yml');
    await project.write(
      'p.yml',
      "- hosts: all\n  tasks: [{ cloud_present: { name: edge, description: all, custom: { '{{ inventory_hostname }}': 1 } } }]\n",
    );
    for (const name of fleet.names) change(name, { description: `portal of ${name}` });
    const text = (await drift('--json')).stdout;
    expect(JSON.parse(text))
      .to.have.nested.property('drift[0].differences')
      .that.deep.equals([
        { type: 'replaced', path: 'description', before: 'portal of {{inventory_hostname}}', after: 'all' },
        { type: 'added', path: 'custom', after: { '{{inventory_hostname}}': 1 } },
      ]);
    expect((await json()).drift.map(({ controllers }) => controllers.map(({ name }) => name))).to.deep.equal([
      ['lb1', 'lb2'],
    ]);
  });

  it('writes nothing, although a task leaves check mode, and names what cannot be compared', async () => {
    await begin(1);
    await project.write(
      'p.yml',
      `- hosts: all
  tasks:
    - cloud_present: { name: edge }
      check_mode: false
    - api_request: { method: POST, path: /api/cloud/, body: { name: raw } }
      check_mode: '{{ false }}'
    - debug: { msg: changed }
      changed_when: true
      check_mode: false
    - include_tasks: '{{ lookup("pipe", "echo more") }}.yml'
`,
    );
    await project.write('more.yml', '- cloud_present: { name: more }\n  check_mode: false\n');
    const { code, stdout, stderr } = await drift();
    expect(code, stdout).to.equal(3);
    for (const line of [4, 6, 9])
      expect(stderr).to.match(new RegExp(`warning: lb1: check_mode: false has no effect, .*\\(p\\.yml:${line}:`));
    expect(stderr).to.match(/warning: lb1: check_mode: false has no effect, .*\(more\.yml:2:/);
    expect(stdout).to.include('not compared: api_request (p.yml:5:7) on lb1: check mode skips it');
    expect(stdout).to.include('1 of 1 controller differs');
    expect(writes()).to.equal(0);
  });

  it('warns once about a task that leaves check mode, with the number of controllers', async () => {
    await begin(4);
    await project.write('p.yml', '- hosts: all\n  tasks:\n    - debug: { msg: x }\n      check_mode: false\n');
    const warnings = (await drift()).stderr.split('\n').filter((line) => line.includes('check_mode'));
    expect(warnings).to.deep.equal([
      'warning: 4 controllers: lb1, lb2, lb3, lb4: check_mode: false has no effect, because this run only reads: the task runs in check mode (p.yml:4:19)',
    ]);
  });

  for (const how of ['fleet', 'host'])
    it(`says where the objects of delegated tasks are: --diff=${how}`, async () => {
      await begin(2);
      const tasks = [
        'cloud_present: { name: edge }',
        'cloud_present: { name: core }\n      no_log: true',
        'user_password: { password: Green-Whale-1, old_password: simulated }',
        'api_request: { method: POST, path: /api/cloud/, body: { name: raw } }',
      ];
      const delegated = tasks.map((task) => `    - ${task}\n      delegate_to: lb2\n`);
      await project.write('p.yml', `- hosts: lb1\n  tasks:\n${delegated.join('')}`);
      const { stdout } = await drift(`--diff=${how}`);
      expect(stdout.match(/ on lb\S+( → lb2)?/g)).to.deep.equal(Array(4).fill(' on lb1 → lb2'));
      const places = (await json()).drift.map(({ controllers: [one] }) => [one?.name, one?.target]);
      expect(places).to.deep.equal(Array(3).fill(['lb1', 'lb2']));
    });

  it('finds files and passwords that differ, also with no_log', async () => {
    await begin(1);
    await project.write('key.txt', 'one');
    await project.write(
      'p.yml',
      `- hosts: all
  tasks:
    - file_upload: { path: /api/fileservice/hsmpackages, src: key.txt, fields: { uri: 'controller://hsmpackages' } }
    - user_password: { password: Green-Whale-1, old_password: simulated }
    - user_password: { password: Green-Whale-1, old_password: simulated }
      no_log: true
    - debug: { msg: changed }
      changed_when: true
    - debug: { msg: changed }
      changed_when: true
      no_log: true
`,
    );
    await project.write(
      'avi.yml',
      `all:
  hosts: { lb1: , lb2: }
  vars: { controller_url: 'https://{{ inventory_hostname }}.example', controller_api_version: 22.1.3, controller_dialect: avi, controller_auth: session, controller_username: admin }
`,
    );
    const found = await evenkeel(['drift', 'p.yml', '-i', 'avi.yml', '--simulate'], { cwd: project.directory });
    expect(found.code, found.stdout).to.equal(3);
    expect(found.stdout).to.equal(`- is what the controller has, + what the playbook declares

file_upload (p.yml:3:7)
  differs on 2 controllers: lb1, lb2: file "key.txt"
user_password (p.yml:4:7)
  differs on 2 controllers: lb1, lb2: password of "admin"
user_password (p.yml:5:7)
  differs on 2 controllers: lb1, lb2: masked by no_log

2 of 2 controllers differ from p.yml: lb1, lb2
`);
    const json = await evenkeel(['drift', 'p.yml', '-i', 'avi.yml', '--simulate', '--json'], {
      cwd: project.directory,
    });
    expect(json.stdout).to.include(
      `"kind":"invoke","object":"file \\"key.txt\\"","controllers":[{"name":"lb1"},{"name":"lb2"}]`,
    );
  });

  it('shows controllers and tasks in the same order, whichever controller finishes first', async () => {
    await begin(12);
    await project.write(
      'p.yml',
      `- hosts: all
  strategy: host_pinned
  tasks:
    - cloud_present: { name: "{{ 'one' if inventory_hostname != 'lb1' else 'other' }}" }
    - cloud_present: { name: two }
`,
    );
    const { drift: found, drifted } = await json();
    const names = Array.from({ length: 12 }, (_, index) => `lb${index + 1}`);
    expect(drifted).to.deep.equal(names);
    expect(found.map(({ source, controllers }) => [source.line, controllers.map(({ name }) => name)])).to.deep.equal([
      [4, names.slice(1)],
      [4, ['lb1']],
      [5, names],
    ]);
  });

  it('needs no confirmation and no plan, because it writes nothing', async () => {
    await begin(1);
    const environment = `{ inventory: ${fleet.inventoryFile}, confirm: true, require_plan: true }`;
    await project.write('evenkeel.yml', `environments: { production: ${environment} }\n`);
    const { code, stderr } = await evenkeel(['drift', 'p.yml', '--env', 'production'], { cwd: project.directory });
    expect({ code, stderr }).to.deep.equal({ code: 3, stderr: '' });
  });

  it('counts what no_log masks, and shows each controller with --diff=host', async () => {
    await begin(2);
    await project.write('p.yml', PLAYBOOK.replace('name: DNS', 'no_log: true\n      name: DNS'));
    const { code, stdout } = await drift('--diff', '--diff=host');
    expect(code).to.equal(3);
    expect((await drift('-D')).stdout).to.equal((await drift('--diff')).stdout);
    expect(stdout).to.include('  on lb1\n    cloud "edge" (new)\n');
    expect(stdout).to.include('  on lb2\n    cloud "edge" (new)\n');
    expect(stdout).to.include('  differs on 2 controllers: lb1, lb2: masked by no_log');
  });

  it('lists the objects of the managed kinds that no task manages', async () => {
    await begin(2);
    await command('run', 'p.yml');
    await command('task', 'lb2', '-m', 'cloud_present', '-a', 'name=stray');
    const { exitCode, complete, unmanaged } = await json('--unmanaged');
    expect({ exitCode, complete, unmanaged }).to.deep.equal({
      exitCode: 0,
      complete: true,
      unmanaged: [{ kind: 'cloud', name: 'stray', controllers: ['lb2'] }],
    });
    const { stdout } = await drift('--unmanaged');
    expect(stdout).to.equal(`objects that no task manages
  cloud "stray" on lb2

no drift: 2 controllers as p.yml declares
`);
    await project.write('p.yml', PLAYBOOK.replace('- name: The cloud', '- name: The cloud\n      tags: clouds'));
    expect(await json('--unmanaged', '--tags', 'clouds')).to.deep.include({ unmanaged });
  });

  it('lists them although a controller failed, without claims about that controller', async () => {
    await begin(2);
    await command('run', 'p.yml');
    await command('task', 'lb2', '-m', 'cloud_present', '-a', 'name=stray');
    const failing = `${PLAYBOOK}    - fail: { msg: broken }\n      when: inventory_hostname == 'lb1'\n`;
    await project.write('p.yml', failing);
    const { stdout } = await drift('--unmanaged');
    expect(stdout).to.include('objects that no task manages\n  cloud "stray" on lb2\n');
    expect(stdout).to.include('not fully read: lb1\nno drift found on 1 of 2 controllers\n');
    await project.write('p.yml', failing.replace("'lb1'", "'lb2'"));
    expect((await drift('--unmanaged')).stdout).to.include('no unmanaged objects on the controllers that were read\n');
  });
});
