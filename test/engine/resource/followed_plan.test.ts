import { expect } from 'chai';
import { ControllerError, type ErrorDetails } from '../../../src/controller/exchange/call.js';
import type { ConnectionSettings } from '../../../src/core/model/inventory/connection_variables.js';
import type { Past, WrittenBefore } from '../../../src/core/model/run/past.js';
import type { PlanGuide, PlannedResource, PlannedStep } from '../../../src/core/model/run/plan.js';
import type { Change } from '../../../src/core/model/run/result.js';
import { errorMessage } from '../../../src/core/model/source/diagnostic.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { Connection } from '../../../src/engine/controllers/session_pool.js';
import type { TaskSession } from '../../../src/engine/controllers/task_session.js';
import { FollowedPlan } from '../../../src/engine/resource/followed_plan.js';
import { Observation } from '../../../src/engine/resource/observation.js';
import { connectionId } from '../../../src/engine/resource/planned_connection.js';
import type { ResourceDecision, ResourceTask, PlanHooks } from '../../../src/engine/resource/resource_task.js';
import type { Module, Reader } from '../../../src/module/contract.js';
import { Sealer } from '../../../src/record/journal/format/project_key.js';
import { settingsOf } from '../../rig/controllers.js';

const CLOUDS = '/api/cloud/';
const PLANNED = { name: 'edge', uuid: 'cloud-edge', mtu: 1400 };
const WRITTEN = { ...PLANNED, mtu: 9000 };
const OTHER = { ...PLANNED, mtu: 1 };

const sealer = new Sealer(Buffer.alloc(32), 'plan 1');
const digest = (value: Value): string => sealer.digest(value);

const connectionOf = (tenant?: string, more: Partial<ConnectionSettings> = {}): Connection =>
  new Connection(
    settingsOf('https://lb1', undefined, { tenant, ...more }),
    () => undefined,
    'https://lb1',
    true,
    false,
    {
      overrides: () => undefined,
      declaredBy: () => undefined,
      digest,
    },
  );

/** A cloud of that name, which has a uuid of its own. */
const cloud = (object: Mapping, name: string): Mapping => ({ ...object, name, uuid: `cloud-${name}` });

function observe(object: Mapping, name = 'edge'): Promise<Observation> {
  return look(name, cloud(object, name));
}

/** @param sought a name or a uuid */
async function look(sought: string, object: Mapping | undefined, scope?: string): Promise<Observation> {
  const observation = new Observation({
    find: () => Promise.resolve(object),
    single: () => Promise.reject(new Error('not read')),
  });
  const select = (objects: readonly Mapping[]): Promise<readonly Mapping[]> => Promise.resolve(objects);
  await observation.find(CLOUDS, sought, scope === undefined ? undefined : { key: scope, ownOnly: false, select });
  return observation;
}

const GUIDE: PlanGuide = {
  type: 'follow',
  digest,
  find: () => undefined,
  begin: () => Promise.resolve(undefined),
  hasBegun: () => false,
  connections: () => [],
  changingAt: () => [],
  steps: () => [],
};

function follow(before: Past['writtenTo'] = () => [], guide = GUIDE, limit?: ReadonlySet<string>): FollowedPlan {
  return new FollowedPlan(guide, { load: () => Promise.resolve(undefined) }, { writtenTo: before }, 'run 1', limit);
}

/** @param seen empty: there was no object */
function planStep(change: Change, planned: Connection, name: string, seen: Mapping) {
  const decided: PlannedResource = {
    type: 'resource',
    args: {},
    object: `cloud "${name}"`,
    seen: [{ path: CLOUDS, name, digest: Object.keys(seen).length === 0 ? null : digest(seen) }],
    change,
    connection: connectionId(digest, planned),
  };
  const source = { file: 'site.yml', line: 1, column: 1 };
  return { place: '0:0', written: '', title: '', play: '', module: 'cloud_present', source, decided };
}

/** A task for which the object was as planned when the plan was made. */
function taskPlan(
  followed: FollowedPlan,
  connection: Connection,
  planned = connection,
  name = 'edge',
  change: Change = { kind: 'none' },
  seen: Mapping = cloud(PLANNED, name),
): Required<PlanHooks> {
  const step = planStep(change, planned, name, seen);
  return followed.planHooks(step, step.decided, { controller: 'lb1', connection });
}

/** Returns why the task is refused. */
async function refusal(plan: PlanHooks, observation: Observation): Promise<string | undefined> {
  const task: Pick<ResourceTask, 'before' | 'check'> = { before: [], check: false };
  const refused = await plan.decided(task as ResourceTask, decision(observation));
  return refused?.failure.message;
}

function decision(observation: Observation): ResourceDecision {
  return { observed: undefined, observation, plan: { change: { kind: 'none' } } };
}

/** How an apply that was cut off and resumed judges an object that it wrote before. */
describe('a plan that a resumed run follows', () => {
  /** The first write of the run is a create in this tenant. */
  const created = (tenant?: string, more: Partial<WrittenBefore> = {}): WrittenBefore => ({
    controller: 'lb1',
    path: CLOUDS,
    member: { uuid: undefined, before: 'edge', after: 'edge' },
    tenant,
    account: connectionOf().reached.account,
    outcome: 'applied',
    seen: digest(WRITTEN),
    ...more,
  });

  /** A task that reads the object and finds it as planned. Returns why it is refused. */
  async function judge(
    before: readonly WrittenBefore[],
    object: Mapping,
    tenant?: string,
    plannedTenant = tenant,
  ): Promise<string | undefined> {
    const plan = taskPlan(
      follow((controller) => (controller === connectionOf().reached.controller ? before : [])),
      connectionOf(tenant),
      connectionOf(plannedTenant),
    );
    return refusal(plan, await observe(object));
  }

  const STALE = 'stale: cloud "edge" was changed since the plan was made; nothing more is written to this controller';

  it('expects the object as the plan has it if the run did not write it', async () => {
    expect(await judge([], PLANNED)).to.equal(undefined);
    expect(await judge([], OTHER)).to.equal(STALE);
  });

  it('expects the connection of the plan', async () => {
    expect(await judge([], PLANNED, 'blue', 'red')).to.equal(
      'stale: cloud "edge" is reached differently than when the plan was made: its address, route, user, tenant or headers have changed; nothing more is written to this controller',
    );
  });

  it('expects the object as the run left it', async () => {
    expect(await judge([created()], WRITTEN)).to.equal(undefined);
    expect(await judge([created()], OTHER)).to.equal(STALE);
    expect(await judge([created(), created(undefined, { seen: digest(OTHER) })], OTHER)).to.equal(undefined);
  });

  it('leaves a write of unknown outcome to the task that sent it, also where another host comes first', async () => {
    const before = created(undefined, { outcome: 'unknown', seen: undefined });
    expect(await judge([before], OTHER)).to.equal(undefined);
    const plan = taskPlan(
      follow(() => [before]),
      connectionOf(),
    );
    const task = { before: [before], check: false } as unknown as ResourceTask;
    const change = { kind: 'update', object: 'cloud "edge"', before: OTHER, after: WRITTEN } as const;
    const refused = await plan.decided(task, { ...decision(await observe(OTHER)), plan: { change } });
    expect(refused?.failure.message).to.equal(STALE);
  });

  it('writes where a write of unknown outcome may have been only to what that was to leave, or did not reach', async () => {
    const unknown = { outcome: 'unknown', seen: undefined, intended: WRITTEN } as const;
    const updated = { uuid: 'cloud-edge', before: 'edge', after: 'edge' };
    const writes = async (object: Mapping, before: WrittenBefore, tenant = 'red', kind = 'update') => {
      const change = { kind, object: 'cloud "edge"', before: object, after: kind === 'delete' ? null : PLANNED };
      const plan = taskPlan(
        follow(() => [created('red', { seen: digest(PLANNED) }), before]),
        connectionOf(tenant),
        undefined,
        'edge',
        change as Change,
      );
      const task = { before: [], check: true } as unknown as ResourceTask;
      const now = { ...decision(await observe(object)), plan: { change: change as Change } };
      return (await plan.decided(task, now))?.failure.message;
    };
    for (const kind of ['update', 'delete'])
      for (const before of [created('red', unknown), created('red', { ...unknown, member: updated })]) {
        expect(await writes(WRITTEN, before, 'red', kind)).to.equal(undefined);
        expect(await writes(PLANNED, before, 'red', kind)).to.equal(undefined);
        expect(await writes(OTHER, before, 'red', kind)).to.equal(STALE);
        expect(await writes(OTHER, before, 'blue', kind)).to.equal(STALE);
      }
  });

  it('accepts any state if the run did not read the object after its write', async () => {
    expect(await judge([created(undefined, { seen: undefined })], OTHER)).to.equal(undefined);
  });

  it('does not confuse an object of another tenant with the one that the run created', async () => {
    expect(await judge([created('red')], WRITTEN, 'red')).to.equal(undefined);
    expect(await judge([created('red')], OTHER, 'red')).to.equal(STALE);
    expect(await judge([created('red')], PLANNED, 'blue')).to.equal(undefined);
    expect(await judge([created('red')], WRITTEN, 'blue')).to.equal(STALE);
  });

  it('accepts any state of an object that the run wrote by its path, but saw in another tenant', async () => {
    const updated = { member: { uuid: 'cloud-edge', before: 'edge', after: 'edge' } };
    expect(await judge([created('red', updated)], OTHER, 'red')).to.equal(STALE);
    expect(await judge([created('red', updated)], OTHER, 'blue')).to.equal(undefined);
  });

  it('expects the object as any user left it, on the same controller', async () => {
    expect(await judge([created(undefined, { account: 'ops' })], WRITTEN)).to.equal(undefined);
    expect(await judge([created(undefined, { account: 'ops' })], OTHER)).to.equal(STALE);
  });

  it('expects the object as the plan has it if the controller rejected the write', async () => {
    expect(await judge([created(undefined, { outcome: 'refused' })], PLANNED)).to.equal(undefined);
    expect(await judge([created(undefined, { outcome: 'refused' })], OTHER)).to.equal(STALE);
  });
});

/** How a run judges what its own tasks wrote, with two objects and two connections. */
describe('a plan that a run follows', () => {
  const WHERE = { red: ['edge', 'core'], blue: ['edge', 'core'] };
  const each = Object.entries(WHERE).flatMap(([tenant, names]) => names.map((name) => [tenant, name] as const));

  for (const [tenant, name] of each) {
    const judgeAll = async (followed: FollowedPlan, object: Mapping): Promise<readonly string[]> => {
      const refused: string[] = [];
      for (const [itsTenant, itsName] of each) {
        const plan = taskPlan(followed, connectionOf(itsTenant), undefined, itsName);
        if ((await refusal(plan, await observe(object, itsName))) !== undefined)
          refused.push(`${itsTenant} ${itsName}`);
      }
      return refused;
    };
    const all = each.map((one) => one.join(' '));
    const others = all.filter((one) => one !== `${tenant} ${name}`);

    it(`accepts any state of ${name} in ${tenant} from its write until it is read again`, async () => {
      const followed = follow();
      expect(await judgeAll(followed, OTHER)).to.deep.equal(all);
      taskPlan(followed, connectionOf(tenant), undefined, name).wrote(decision(await observe(PLANNED, name)));
      expect(await judgeAll(followed, OTHER)).to.deep.equal(others);
      expect(await judgeAll(followed, PLANNED)).to.deep.equal([]);
    });

    it(`expects ${name} in ${tenant} as the plan has it if the controller refused its write`, async () => {
      const followed = follow();
      taskPlan(followed, connectionOf(tenant), undefined, name).wrote(decision(await observe(PLANNED, name)))();
      expect(await judgeAll(followed, OTHER)).to.deep.equal(all);
    });

    it(`accepts only the state of ${name} in ${tenant} that the run saw after its write`, async () => {
      const followed = follow();
      const plan = taskPlan(followed, connectionOf(tenant), undefined, name);
      plan.wrote(decision(await observe(PLANNED, name)));
      plan.left(await observe(WRITTEN, name));
      expect(await judgeAll(followed, WRITTEN)).to.deep.equal(others);
      expect(await judgeAll(followed, OTHER)).to.deep.equal(all);
      expect(await judgeAll(followed, PLANNED)).to.deep.equal([`${tenant} ${name}`]);
    });
  }

  it('knows what each controller was left with before the interrupt', async () => {
    const left = { 'https://lb1': WRITTEN, 'https://lb2': OTHER };
    const reached = (url: string): Connection['reached'] => connectionOf(undefined, { url }).reached;
    const followed = follow((controller) =>
      Object.entries(left)
        .filter(([url]) => reached(url).controller === controller)
        .map(([url, object]) => ({
          controller: 'lb1',
          path: CLOUDS,
          member: { uuid: 'cloud-edge', before: 'edge', after: 'edge' },
          tenant: undefined,
          account: reached(url).account,
          outcome: 'applied',
          seen: digest(object),
        })),
    );
    for (const url of ['https://lb1', 'https://lb2', 'https://lb1'] as const)
      for (const object of [WRITTEN, OTHER]) {
        const plan = taskPlan(followed, connectionOf(undefined, { url }));
        const isRefused = (await refusal(plan, await observe(object))) !== undefined;
        expect(isRefused, url).to.equal(object !== left[url]);
      }
  });

  it('knows it of each tenant', async () => {
    const left = [
      ['red', WRITTEN],
      ['blue', OTHER],
    ] as const;
    const followed = follow(() =>
      left.map(([tenant, object]) => ({
        controller: 'lb1',
        path: CLOUDS,
        member: { uuid: undefined, before: 'edge', after: 'edge' },
        tenant,
        account: connectionOf().reached.account,
        outcome: 'applied',
        seen: digest(object),
      })),
    );
    for (const [tenant, itsObject] of [...left, ...left])
      for (const [, object] of left) {
        const plan = taskPlan(followed, connectionOf(tenant));
        const isRefused = (await refusal(plan, await observe(object))) !== undefined;
        expect(isRefused, tenant).to.equal(object !== itsObject);
      }
  });

  it('changes nothing otherwise than planned, but for what only a write made known', async () => {
    const update = (after: Mapping, before: Mapping | null = PLANNED): Change => ({
      kind: 'update',
      object: 'cloud "edge"',
      before,
      after,
    });
    const OTHERWISE =
      'stale: cloud "edge" would be changed differently than planned: an object that the change refers to was replaced; nothing more is written to this controller';
    const judge = async (planned: Change, change: Change): Promise<string | undefined> => {
      const plan = taskPlan(follow(), connectionOf(), undefined, 'edge', planned);
      const task = { before: [], check: true } as unknown as ResourceTask;
      const refused = await plan.decided(task, { ...decision(await observe(PLANNED)), plan: { change } });
      return refused?.failure.message;
    };
    const none = { kind: 'none' } as const;
    expect(await judge(update(WRITTEN), update({ ...WRITTEN, _last_modified: 5 }))).to.equal(undefined);
    expect(await judge(update(WRITTEN), update(WRITTEN, { ...PLANNED, _x: 1 }))).to.equal(undefined);
    for (const [planned, now] of [
      [update(WRITTEN), update(OTHER)],
      [update(WRITTEN), update(WRITTEN, OTHER)],
      [update(WRITTEN), none],
      [none, update(WRITTEN)],
      [update(WRITTEN), { kind: 'create', object: 'cloud "edge"', before: null, after: WRITTEN }],
    ] as const)
      expect(await judge(planned, now)).to.equal(OTHERWISE);
    expect(
      await judge(update({ ...WRITTEN, owner: '(known after apply)' }), update({ ...WRITTEN, owner: 'a' })),
    ).to.equal(undefined);
  });

  it('deletes nothing that the plan does not delete, also where its own writes may change the rest', async () => {
    const object = 'cloud "edge"';
    const judge = async (planned: Change, change: Change): Promise<string | undefined> => {
      const followed = follow();
      const first = taskPlan(followed, connectionOf());
      first.wrote(decision(await observe(PLANNED)));
      first.left(await observe(WRITTEN));
      const later = taskPlan(followed, connectionOf(), undefined, 'edge', planned);
      const task = { before: [], check: true } as unknown as ResourceTask;
      return (await later.decided(task, { ...decision(await observe(WRITTEN)), plan: { change } }))?.failure.message;
    };
    const none = { kind: 'none' } as const;
    const create = { kind: 'create', object, before: null, after: WRITTEN } as const;
    const gone = { kind: 'delete', object, before: WRITTEN, after: null } as const;
    for (const planned of [none, create])
      expect(await judge(planned, gone)).to.equal(
        'stale: cloud "edge" would be deleted, which the plan does not show; nothing more is written to this controller',
      );
    expect(await judge({ ...gone, before: PLANNED }, gone)).to.equal(undefined);
    expect(await judge(create, { kind: 'update', object, before: WRITTEN, after: OTHER })).to.equal(undefined);
  });

  it('may make what is planned for another host of the controller that takes part, and nothing else', async () => {
    const object = 'cloud "edge"';
    const update = { kind: 'update', object, before: PLANNED, after: WRITTEN } as const;
    const gone = { kind: 'delete', object, before: PLANNED, after: null } as const;
    const create = { kind: 'create', object, before: null, after: WRITTEN } as const;
    const none: Change = { kind: 'none' };
    /** @param own what is planned for this host */
    const judge = async (
      other: Change,
      now: Change,
      { own, isPart, tenant }: { own?: Change; isPart?: boolean; tenant?: string } = {},
    ) => {
      const seen = now.kind === 'create' ? {} : PLANNED;
      const step = planStep(other, connectionOf(), 'edge', seen);
      const steps = tenant === undefined ? [step] : [{ ...step, decided: { ...step.decided, tenant } }];
      const changingAt = (address: string) => (address === 'https://lb1' ? ['lb1', 'lb2'] : []);
      const guide = { ...GUIDE, changingAt, steps: (host: string) => (host === 'lb2' ? steps : []) };
      const followed = follow(undefined, guide, isPart === false ? new Set(['lb1']) : undefined);
      const plan = taskPlan(followed, connectionOf(), undefined, 'edge', own, seen);
      const task = { before: [], check: true } as unknown as ResourceTask;
      const found = now.kind === 'create' ? await look('edge', undefined) : await observe(PLANNED);
      return (await plan.decided(task, { ...decision(found), plan: { change: now } }))?.failure.message;
    };
    for (const change of [update, gone, create]) {
      expect(await judge(change, change)).to.equal(undefined);
      expect(await judge(change, change, { tenant: 'red' })).to.include('stale');
      expect(await judge(change, change, { isPart: false })).to.equal(
        `stale: cloud "edge" would be ${change === gone ? 'deleted, which the plan does not show' : 'changed differently than planned'}, and the apply leaves out hosts of the same controller (lb2); nothing more is written to this controller`,
      );
    }
    expect(await judge(update, { ...update, after: OTHER })).to.include(
      'differently than planned: hosts of the same controller (lb2) came in another order than when the plan was made, or an object that the change refers to was replaced;',
    );
    expect(await judge({ ...gone, before: { ...PLANNED, uuid: 'another' } }, gone)).to.include('does not show');
    expect(await judge({ ...create, after: { ...WRITTEN, owner: '(known after apply)' } }, create)).to.equal(undefined);
    // Planned for after the change of the other host, which another order puts off.
    const own = { ...update, before: { ...PLANNED, note: 'two' }, after: { ...WRITTEN, note: 'two' } };
    expect(await judge(none, update, { own })).to.equal(undefined);
  });

  it('makes nothing that is planned for a host that takes no part, also where the run itself has written', async () => {
    const update = { kind: 'update', object: 'cloud "edge"', before: WRITTEN, after: OTHER } as const;
    const step = planStep(update, connectionOf(), 'edge', PLANNED);
    const core = planStep({ ...update, before: cloud(WRITTEN, 'core') }, connectionOf(), 'core', PLANNED);
    const judge = async (
      limit: ReadonlySet<string> | undefined,
      planned: Change,
      now: Change = update,
      absent: PlannedStep = step,
    ) => {
      const guide = {
        ...GUIDE,
        changingAt: () => ['lb2', 'lb3'],
        steps: (host: string) => (host === 'lb2' ? [absent] : []),
      };
      const followed = follow(undefined, guide, limit);
      const first = taskPlan(followed, connectionOf());
      first.wrote(decision(await observe(PLANNED)));
      first.left(await observe(WRITTEN));
      const later = taskPlan(followed, connectionOf(), undefined, 'edge', planned);
      const task = { before: [], check: true } as unknown as ResourceTask;
      return (await later.decided(task, { ...decision(await observe(WRITTEN)), plan: { change: now } }))?.failure
        .message;
    };
    const alone = new Set(['lb1']);
    expect(await judge(undefined, { kind: 'none' })).to.equal(undefined);
    expect(await judge(alone, { kind: 'none' })).to.include('leaves out hosts of the same controller (lb2)');
    expect(await judge(alone, update)).to.equal(undefined);
    expect(await judge(alone, update, { kind: 'none' })).to.equal(undefined);
    // What is planned for another object, or nothing, makes no difference.
    const { decided } = step;
    for (const absent of [
      core,
      planStep({ kind: 'none' }, connectionOf(), 'edge', PLANNED),
      { ...step, decided: { ...decided, tenant: 'red', change: { ...update, before: cloud(WRITTEN, 'other') } } },
    ])
      expect(await judge(alone, { kind: 'none' }, update, absent)).to.equal(undefined);
    const byUuid = planStep(update, connectionOf(), 'cloud-edge', PLANNED);
    expect(await judge(alone, { kind: 'none' }, update, byUuid)).to.include('(lb2)');
  });

  it('writes nothing more where an object is stale, and goes on elsewhere', async () => {
    const followed = follow();
    // The plan has no later steps, so nothing is read.
    const session = {} as ResourceTask['session'];
    const source = { file: 'site.yml', line: 1, column: 1 };
    const decided = { type: 'in place' } as const;
    const step = { place: '0:1', written: '', title: 'Later', play: '', module: 'api_request', source, decided };
    const first = (tenant: string, more = {}) => {
      const place = { controller: `for ${tenant}`, connection: connectionOf(tenant, more) };
      return followed.beforeFirstWrite(step, session, place);
    };
    expect((await refusal(taskPlan(followed, connectionOf('red')), await observe(OTHER))) !== undefined).to.equal(true);
    expect((await refusal(taskPlan(followed, connectionOf('black')), await observe(OTHER))) !== undefined).to.equal(
      true,
    );
    for (const tenant of ['blue', 'green']) expect(await first(tenant)).to.equal(undefined);
    for (const tenant of ['red', 'black'])
      for (const username of ['admin', 'root'])
        expect((await first(tenant, { username }))?.failure.message).to.equal(
          'stale: Later would write to a controller that has changed since the plan was made; nothing more is written to this controller',
        );
  });

  describe('looks before its first write at what the later tasks found', () => {
    const module = {
      type: 'resource',
      read: ({ name }: { readonly name: string }, reader: Reader) => reader.find(CLOUDS, name),
    } as unknown as Module;
    const later = (name: string, place: string, tenant?: string): PlannedStep => ({
      place,
      written: '',
      title: name,
      play: '',
      module: 'cloud_present',
      source: { file: 'site.yml', line: 1, column: 1 },
      decided: {
        type: 'resource',
        args: { name },
        object: `cloud "${name}"`,
        seen: [{ path: CLOUDS, name, digest: digest(cloud(PLANNED, name)) }],
        change: { kind: 'none' },
        connection: connectionId(digest, connectionOf(tenant)),
      },
    });
    const steps = [
      later('edge', '0:0'),
      later('core', '0:1'),
      later('core', '0:2', 'red'),
      { ...later('core', '0:3'), decided: { type: 'in place' } as const },
      later('far', '0:4'),
    ];
    const write = (name: string, more: Partial<WrittenBefore> = {}): WrittenBefore => ({
      controller: 'lb1',
      path: CLOUDS,
      member: { uuid: undefined, before: name, after: name },
      tenant: undefined,
      account: connectionOf().reached.account,
      outcome: 'unknown',
      ...more,
    });

    /** Why the task at the place writes nothing, and which objects were read. */
    async function looked(
      changed: readonly string[],
      { at = 0, before = [], other }: { at?: number; before?: readonly WrittenBefore[]; other?: string } = {},
    ): Promise<readonly [reason: string | undefined, read: string]> {
      const guide = { ...GUIDE, begin: () => Promise.resolve(other), steps: () => steps };
      const catalogue = { load: () => Promise.resolve(module) };
      const followed = new FollowedPlan(guide, catalogue, { writtenTo: () => before }, 'run 1');
      const read: string[] = [];
      const session = {
        find: (_: string, name: string) => {
          read.push(name);
          return Promise.resolve(cloud(changed.includes(name) ? OTHER : PLANNED, name));
        },
      } as unknown as ResourceTask['session'];
      const place = { controller: 'lb1', connection: connectionOf() };
      const [current = later('edge', '0:0')] = steps.slice(at);
      const refused = await followed.beforeFirstWrite(current, session, place);
      if (refused === undefined) await followed.beforeFirstWrite(current, session, place);
      return [refused?.failure.message, read.join(' ')];
    }

    const stale = (what: string, reason = 'was changed since the plan was made'): string =>
      `stale: ${what} ${reason}; nothing more is written to this controller`;

    it('once, over the same connection', async () => {
      expect(await looked([])).to.deep.equal([undefined, 'core far']);
      expect(await looked(['edge', 'core'], { at: 1 })).to.deep.equal([undefined, 'far']);
      expect(await looked(['far'])).to.deep.equal([stale('cloud "far"'), 'core far']);
      expect(await looked(['core', 'far'])).to.deep.equal([stale('cloud "core"'), 'core']);
      const carried = 'is not carried out, because run other began to apply this plan here';
      expect((await looked([], { other: 'other' }))[0]).to.equal(stale('edge', carried));
    });

    it('of each connection', async () => {
      const guide = { ...GUIDE, steps: () => steps };
      const followed = new FollowedPlan(guide, { load: () => Promise.resolve(module) }, undefined, 'run 1');
      const session = {
        find: (_: string, name: string) => Promise.resolve(cloud(name === 'core' ? OTHER : PLANNED, name)),
      } as unknown as ResourceTask['session'];
      const first = async (at: number, tenant?: string): Promise<string | undefined> => {
        const [current = later('edge', '0:0')] = steps.slice(at);
        const place = { controller: 'lb1', connection: connectionOf(tenant) };
        return (await followed.beforeFirstWrite(current, session, place))?.failure.message;
      };
      expect(await first(3)).to.equal(undefined);
      expect(await first(1, 'red')).to.equal(stale('cloud "core"'));
    });

    it('in other tenants, unless the controller says that there is nothing to read', async () => {
      const inRed = steps.slice(2, 3).map((step) => ({ ...step, decided: { ...step.decided, tenant: 'red' } }));
      const guide = { ...GUIDE, steps: () => inRed };
      const answer = async (details: ErrorDetails): Promise<string> => {
        const followed = new FollowedPlan(guide, { load: () => Promise.resolve(module) }, undefined, 'run 1');
        const find = (): Promise<never> =>
          Promise.reject(new ControllerError({ method: 'GET', path: CLOUDS }, 'no', details));
        const red = { find, connection: () => Promise.resolve(connectionOf('red')), end: () => Promise.resolve() };
        const session = { inTenant: () => red as unknown as TaskSession };
        const place = { controller: 'lb1', connection: connectionOf(), session };
        const refused = followed.beforeFirstWrite(later('edge', '0:0'), {} as ResourceTask['session'], place);
        return refused.then(() => 'written', errorMessage);
      };
      for (const status of [403, 404]) expect(await answer({ status })).to.equal('written');
      for (const details of [
        { status: 503, temporary: true },
        { status: 403, temporary: true },
        { status: 403, outcome: 'unreachable' },
        { status: 401, outcome: 'unreachable' },
        { outcome: 'unreachable', temporary: true },
      ] as const)
        expect(await answer(details), JSON.stringify(details)).to.equal(`GET ${CLOUDS}: no`);
    });

    it('and leaves to their tasks what writes of unknown outcome may have changed', async () => {
      const reason = async (before: readonly WrittenBefore[]) => (await looked(['core'], { before }))[0];
      expect(await reason([write('far'), write('core')])).to.equal(undefined);
      expect(await reason([write('far'), write('edge')])).to.equal(stale('cloud "core"'));
      expect(await reason([write('core', { outcome: 'refused' })])).to.equal(stale('cloud "core"'));
      const seen = (object: Mapping) => ({ outcome: 'applied', seen: digest(cloud(object, 'core')) }) as const;
      expect(await reason([write('core', seen(OTHER))])).to.equal(undefined);
      expect(await reason([write('core', seen(WRITTEN))])).to.equal(stale('cloud "core"'));
    });
  });

  describe('judges an object that it wrote', () => {
    const EDGE = cloud(PLANNED, 'edge');
    const NEW = { ...EDGE, mtu: 9000 };
    const FOREIGN = { ...EDGE, mtu: 1 };
    const RENAMED = { ...NEW, name: 'far' };
    const ANOTHER = { ...EDGE, uuid: 'cloud-other' };
    const NONE: Mapping = {};
    const shown = (object: Mapping): Mapping | undefined => (object === NONE ? undefined : object);

    type Wrote = readonly [sought: string, before: Mapping, after: Mapping, scope?: string];

    /** The same write from before an interrupt. */
    const asBefore = ([sought, before, after]: Wrote): WrittenBefore => {
      const { uuid = before['uuid'], name } = after;
      const member = { uuid: uuid as string, before: (before['name'] ?? sought) as string, after: name as string };
      const seen = after === NONE ? null : digest(after);
      const { account } = connectionOf().reached;
      return { controller: 'lb1', path: CLOUDS, member, tenant: undefined, account, outcome: 'applied', seen };
    };

    /** Whether a task is refused that looks for something and found `then` for the plan, after another task wrote. */
    async function isRefused(
      wrote: Wrote,
      [sought, now, then, itsScope]: readonly [string, Mapping, Mapping, string?],
    ): Promise<boolean> {
      const [by, before, after, scope] = wrote;
      const judge = async (followed: FollowedPlan): Promise<boolean> => {
        const later = taskPlan(followed, connectionOf(), undefined, sought, { kind: 'none' }, then);
        return (await refusal(later, await look(sought, shown(now), itsScope))) !== undefined;
      };
      const followed = follow();
      const first = taskPlan(followed, connectionOf());
      first.wrote(decision(await look(by, shown(before), scope)));
      first.left(await look(by, shown(after), scope));
      const isIt = await judge(followed);
      if (scope === undefined) expect(await judge(follow(() => [asBefore(wrote)])), 'after a resume').to.equal(isIt);
      return isIt;
    }

    it('whether it is found by its uuid or by its name', async () => {
      for (const [by, sought] of [
        ['cloud-edge', 'edge'],
        ['edge', 'cloud-edge'],
      ] as const)
        for (const [now, expected] of [
          [NEW, false],
          [FOREIGN, true],
          [EDGE, true],
          [NONE, true],
        ] as const)
          expect(await isRefused([by, EDGE, NEW], [sought, now, EDGE])).to.equal(expected);
    });

    it('also under the new name and the old one after it was renamed', async () => {
      const renamed = ['cloud-edge', EDGE, RENAMED] as const;
      expect(await isRefused(renamed, ['far', RENAMED, NONE])).to.equal(false);
      expect(await isRefused(renamed, ['far', { ...RENAMED, mtu: 1 }, NONE])).to.equal(true);
      expect(await isRefused(renamed, ['far', NONE, NONE])).to.equal(true);
      expect(await isRefused(renamed, ['edge', NONE, EDGE])).to.equal(false);
      expect(await isRefused(renamed, ['edge', ANOTHER, EDGE])).to.equal(true);
      expect(await isRefused(renamed, ['edge', NEW, EDGE])).to.equal(true);
    });

    it('also where it deleted or created it', async () => {
      for (const sought of ['edge', 'cloud-edge']) {
        expect(await isRefused(['edge', EDGE, NONE], [sought, NONE, EDGE])).to.equal(false);
        expect(await isRefused(['edge', EDGE, NONE], [sought, EDGE, EDGE])).to.equal(true);
        expect(await isRefused(['edge', NONE, NEW], [sought, NEW, NONE])).to.equal(false);
        expect(await isRefused(['edge', NONE, NEW], [sought, FOREIGN, NONE])).to.equal(true);
        expect(await isRefused(['edge', NONE, NEW], [sought, NONE, NONE])).to.equal(true);
      }
      expect(await isRefused(['edge', EDGE, NONE], ['edge', ANOTHER, EDGE])).to.equal(true);
    });

    it('apart from its namesake in another scope', async () => {
      const created = ['edge', NONE, NEW, 'cloud 1'] as const;
      expect(await isRefused(created, ['edge', NONE, NONE, 'cloud 2'])).to.equal(false);
      expect(await isRefused(created, ['edge', NONE, NONE, 'cloud 1'])).to.equal(true);
      expect(await isRefused(created, ['edge', ANOTHER, ANOTHER, 'cloud 2'])).to.equal(false);
      expect(await isRefused(created, ['edge', { ...ANOTHER, mtu: 1 }, ANOTHER, 'cloud 2'])).to.equal(true);
      expect(await isRefused(created, ['edge', NONE, ANOTHER, 'cloud 2'])).to.equal(true);
      expect(await isRefused(['edge', EDGE, NONE, 'cloud 1'], ['edge', NONE, EDGE])).to.equal(false);
    });
  });
});
