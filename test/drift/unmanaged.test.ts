import { expect } from 'chai';
import type { Mapping } from '../../src/core/model/values/value.js';
import { withUnmanaged, type Unmanaged } from '../../src/drift/unmanaged.js';
import { prepareRun } from '../../src/launch/prepare/prepare_run.js';
import { runRequest } from '../../src/launch/request/run_request.js';
import { createPorts } from '../../src/library/ports.js';
import { inFolder, type Files } from '../rig/folder.js';
import { worded } from '../rig/loaded.js';

const INVENTORY = `all:
  vars: { controller_url: 'https://{{ inventory_hostname }}.example', controller_dialect: avi, controller_api_version: 22.1.3 }
  hosts: { lb1: , lb2: , lb3: }
`;

function unmanaged<T>(playbook: string, use: (found: Unmanaged) => T, files: Files = {}): Promise<T> {
  return inFolder({ 'inv.yml': INVENTORY, 'site.yml': playbook, ...files }, async (cwd) => {
    const ports = createPorts({ name: 'runPlaybook', command: 'run' }, { cwd, env: {} }, () => undefined, {});
    const request = runRequest({ type: 'run', playbooks: ['site.yml'] }, { inventory: ['inv.yml'], check: true });
    const prepared = await prepareRun(request, ports);
    if (prepared.status !== 'ready') throw new Error(prepared.diagnostics.map(worded).join('\n'));
    return use(await withUnmanaged(prepared.run));
  });
}

/** What the plays that were added list, and where. */
const listings = (playbook: string, files: Files = {}): Promise<unknown> =>
  unmanaged(
    playbook,
    ({ run: { selected, loaded } }) => {
      const plays = selected.filter(({ name }) => name === 'Objects that no task manages');
      const [first] = selected;
      const [own, ...made] = loaded.playbooks;
      expect(selected).to.have.length((own?.plays.length ?? 0) + plays.length);
      expect(made.map((playbook) => playbook.plays)).to.deep.equal(plays.map(({ play }) => [play]));
      return plays.map(({ number, playbook: owner, pattern, controllers, steps, play }) => {
        expect(owner).to.equal(first?.playbook);
        expect(play.tasks).to.equal(steps);
        const kinds = play.tasks.map((task) => {
          if (task.type !== 'task') return task.type;
          const { kind } = task.args as { readonly kind: string };
          expect(task).to.deep.include({
            args: { kind, fields: ['name', 'uuid', 'tenant_ref', 'cloud_ref'] },
            tags: ['always'],
          });
          return kind;
        });
        return [number, pattern, controllers.join(), kinds.join()];
      });
    },
    files,
  );

describe('the plays that list what no task manages', () => {
  it('list each kind of which a task declares an object, as far as that is known', async () => {
    const playbook = `- hosts: all
  tasks:
    - debug: { msg: a }
    - cloud_present: { name: a }
    - system_config: { properties: { a: 1 } }
    - block: [{ pool_absent: { name: b } }]
    - resource_present: { kind: healthmonitor, name: c, properties: { a: 1 } }
    - resource_present: { path: /api/vrfcontext/, name: c, properties: { a: 1 } }
    - resource_absent: { path: '/api/{{ kind }}/', name: d }
    - resource_facts: { kind: role }
    - avi_sslprofile: { name: e }
    - include_tasks: more.yml
    - include_tasks: more.yml
    - include_tasks: '{{ any }}.yml'
  handlers:
    - { name: h, poolgroup_present: { name: f } }
`;
    expect(await listings(playbook, { 'more.yml': '- tenant_present: { name: t }\n' })).to.deep.equal([
      [1, 'all', 'lb1,lb2,lb3', 'cloud,healthmonitor,pool,poolgroup,sslprofile,tenant,vrfcontext'],
    ]);
    expect(await listings('- hosts: all\n  tasks: [{ debug: }]\n')).to.deep.equal([]);
    const common = '- import_tasks: ../../../common.yml\n';
    const files = {
      'common.yml': '- include_tasks: own.yml\n',
      'roles/a/tasks/main.yml': common,
      'roles/a/tasks/own.yml': '- tenant_present: { name: t }\n',
      'roles/b/tasks/main.yml': common,
      'roles/b/tasks/own.yml': '- pool_present: { name: p }\n',
    };
    expect(await listings('- { hosts: all, roles: [a, b] }\n', files)).to.deep.equal([
      [1, 'all', 'lb1,lb2,lb3', 'pool,tenant'],
    ]);
  });

  it('have each controller once for each place in which plays act', async () => {
    const play = (hosts: string, vars = ''): string =>
      `- hosts: ${hosts}\n  vars: { x: ${hosts.length}${vars} }\n  tasks: [{ pool_present: { name: a } }]\n`;
    const [blue, red] = [', controller_tenant: blue', ', controller_tenant: red'];
    expect(
      await listings(
        [
          play('lb1'),
          play('"lb1:lb2"'),
          play('lb1'),
          play('"lb2:lb3"', blue),
          play('lb3', red),
          play('lb3', blue),
        ].join(''),
      ),
    ).to.deep.equal([
      [6, 'lb1', 'lb1', 'pool'],
      [7, 'lb1:lb2', 'lb2', 'pool'],
      [9, 'lb2:lb3', 'lb2,lb3', 'pool'],
      [10, 'lb3', 'lb3', 'pool'],
    ]);
  });
});

describe('the objects that no task manages', () => {
  interface Listed {
    readonly controller?: string;
    readonly kind?: string;
    readonly tenant?: string;
    readonly objects: readonly (readonly [name: string, owner?: string, cloud?: string])[];
  }

  interface Read {
    readonly controller?: string;
    /** The controller to which the task was delegated. */
    readonly target?: string;
    readonly values: Mapping;
  }

  /** The uuid of an object is its name, with that of its cloud. */
  const uuidOf = (name: string, cloud = ''): string => name + cloud.replace(/.*#/, ' ');
  const read = (uuid: string, controller = 'lb1'): Read => ({ controller, values: { object: { uuid } } });

  /** With tasks that have read these objects, and what the plays listed. */
  const found = (tasks: readonly Read[], listed: readonly Listed[], files: Files = {}): Promise<unknown> =>
    unmanaged(
      '- hosts: all\n  tasks: [{ pool_present: { name: a } }]\n',
      ({ run: { onResult }, objects }) => {
        for (const { controller = 'lb1', target, values } of tasks)
          onResult?.({ controller, target, play: 'Site', task: 'T', tenant: undefined, address: undefined, values });
        for (const { controller = 'lb1', kind = 'pool', tenant, objects: all } of listed) {
          const values = {
            objects: all.map(([name, owner, cloud]) => ({
              name,
              uuid: uuidOf(name, cloud),
              ...(owner !== undefined && { tenant_ref: owner }),
              ...(cloud !== undefined && { cloud_ref: cloud }),
            })),
          };
          const about = { play: 'Objects that no task manages', task: `List ${kind}`, tenant, values };
          onResult?.({ controller, target: undefined, address: undefined, ...about });
        }
        return objects().map(({ kind, name, tenant, cloud, controllers }) => [
          kind,
          name,
          tenant ?? '',
          ...(cloud === undefined ? [] : [cloud]),
          controllers.join(),
        ]);
      },
      files,
    );

  it('are those that no task has read on that controller, but for defaults, in order', async () => {
    const objects = [['web'], ['db'], ['System-Pool'], ['default-x'], ['global'], ['a']] as const;
    expect(
      await found(
        [read('web'), read('db', 'lb2'), { values: { name: 'pool "a"', object: null } }],
        [{ objects }, { controller: 'lb2', objects }, { kind: 'cloud', objects: [['b'], ['a'], ['web']] }],
      ),
    ).to.deep.equal([
      ['cloud', 'a', '', 'lb1'],
      ['cloud', 'b', '', 'lb1'],
      ['pool', 'a', '', 'lb1,lb2'],
      ['pool', 'db', '', 'lb1'],
      ['pool', 'web', '', 'lb2'],
    ]);
    expect(await found([], [])).to.deep.equal([]);
    expect(await found([], [{ objects: [['admin'], ['management'], ['Default-Cloud']] }])).to.deep.equal([]);
  });

  it('are not those that a task would delete, or has read on the controller that it was delegated to', async () => {
    const before = { uuid: 'web' };
    const deleted = { values: { object: null, change: { kind: 'delete', before, after: null } } };
    const delegated = { controller: 'lb1', target: 'lb2', values: { object: { uuid: 'db' } } };
    const objects = [['web'], ['db']] as const;
    expect(await found([deleted, delegated], [{ objects }, { controller: 'lb2', objects }])).to.deep.equal([
      ['pool', 'db', '', 'lb1'],
      ['pool', 'web', '', 'lb2'],
    ]);
  });

  it('are not those that a task of another host of the controller has read', async () => {
    const shared = INVENTORY.replace('{{ inventory_hostname }}', 'lb').replace(
      'vars: {',
      'vars: { controller_shared: true,',
    );
    const objects = [['web'], ['db']] as const;
    expect(
      await found([read('web', 'lb2')], [{ objects }, { controller: 'lb2', objects }], { 'inv.yml': shared }),
    ).to.deep.equal([['pool', 'db', '', 'lb1,lb2']]);
  });

  it('are told apart by cloud if several are listed', async () => {
    const [one, two] = ['/api/cloud/1#Default-Cloud', '/api/cloud/2#edge'];
    const objects = [
      ['web', undefined, one],
      ['web', undefined, two],
      ['db', undefined, two],
    ];
    expect(await found([read('web Default-Cloud')], [{ objects }] as never)).to.deep.equal([
      ['pool', 'db', '', 'edge', 'lb1'],
      ['pool', 'web', '', 'edge', 'lb1'],
    ]);
    expect(await found([], [{ objects: objects.slice(1) }] as never)).to.deep.equal([
      ['pool', 'db', '', 'lb1'],
      ['pool', 'web', '', 'lb1'],
    ]);
  });

  it('are told apart by tenant if several are listed, without what another tenant shares', async () => {
    const blue = {
      tenant: 'blue',
      objects: [['x', '/api/tenant/b#blue'], ['shared', '/api/tenant/a#admin'], ['common']],
    };
    const red = { tenant: 'red', objects: [['y', '/api/tenant/r#red'], ['common'], ['bare', '/api/tenant/r']] };
    const alone = { ...blue, objects: blue.objects.slice(0, 2) };
    const other = { ...red, objects: red.objects.slice(0, 1) };
    expect(await found([], [other, alone] as never)).to.deep.equal([
      ['pool', 'x', 'blue', 'lb1'],
      ['pool', 'y', 'red', 'lb1'],
    ]);
    expect(await found([], [alone] as never)).to.deep.equal([['pool', 'x', '', 'lb1']]);
    expect(await found([], [blue] as never)).to.deep.equal([
      ['pool', 'common', '', 'lb1'],
      ['pool', 'x', '', 'lb1'],
    ]);
    expect(await found([read('x')], [blue, red] as never)).to.deep.equal([
      ['pool', 'bare', 'red', 'lb1'],
      ['pool', 'common', '', 'lb1'],
      ['pool', 'y', 'red', 'lb1'],
    ]);
    expect(await found([read('common')], [blue, red] as never)).to.deep.equal([
      ['pool', 'bare', 'red', 'lb1'],
      ['pool', 'x', 'blue', 'lb1'],
      ['pool', 'y', 'red', 'lb1'],
    ]);
  });
});
