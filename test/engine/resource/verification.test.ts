import { expect } from 'chai';
import { LockedOutError } from '../../../src/controller/access/lockouts.js';
import { ControllerError } from '../../../src/controller/exchange/call.js';
import type { PastWrite, WrittenSecrets } from '../../../src/core/model/run/past.js';
import type { Change } from '../../../src/core/model/run/result.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { WriteRecorder } from '../../../src/engine/journal/write_recorder.js';
import { failed } from '../../../src/engine/keywords/failed_result.js';
import { executeResource } from '../../../src/engine/resource/resource.js';
import type { ResourceTask } from '../../../src/engine/resource/resource_task.js';
import { absentMember, collectionMember } from '../../../src/module/collection.js';
import type { ResourceModule } from '../../../src/module/contract.js';
import { anIntent } from '../../rig/kept.js';
import { Recorder } from '../../rig/recorder.js';

const PATH = '/api/thing/';
const object = 'thing "a"';

const present = (fields: Mapping): ResourceModule =>
  ({
    type: 'resource',
    name: 'thing_present',
    ...collectionMember(() => ({
      object,
      path: PATH,
      name: 'a',
      fields: { name: 'a', ...fields },
      structure: () => undefined,
      replace: false,
      secrets: 'on_create' as const,
    })),
  }) as unknown as ResourceModule;
const absent = {
  type: 'resource',
  name: 'thing_absent',
  ...absentMember(() => ({ object, path: PATH, name: 'a' })),
} as unknown as ResourceModule;

interface Options {
  readonly before?: readonly PastWrite[];
  readonly check?: boolean;
  /** As of an apply. */
  readonly plan?: ResourceTask['planHooks'];
  readonly args?: ResourceTask['args'];
  readonly writtenSecrets?: WrittenSecrets;
  /** The object at the start. */
  readonly at?: Mapping;
  /** Called before a request, with how many of its method there were; returns the object from then on, or throws. */
  readonly on?: (method: string, count: number, body: Mapping | undefined) => Mapping | null | undefined;
}

/** Runs the task; by itself, a controller keeps what it is sent under the uuid 1. */
async function execute(module: ResourceModule, options: Options = {}) {
  const { before = [], check = false, plan, args = {}, writtenSecrets, at, on } = options;
  const requests: string[] = [];
  const paused: number[] = [];
  let there = at;
  const note = (method: string, body: Mapping | undefined, kept: Mapping | undefined): void => {
    requests.push(method);
    const other = on?.(method, requests.filter((one) => one === method).length, body);
    there = other === null ? undefined : (other ?? kept);
  };
  const later = <T>(act: () => T): Promise<T> => Promise.resolve().then(act);
  const session = {
    find: () =>
      later(() => {
        note('GET', undefined, there);
        return there;
      }),
    create: (_path: string, _name: string, body: Mapping) =>
      later(() => {
        note('POST', body, { uuid: '1', ...body });
      }),
    replace: (_path: string, body: Mapping) =>
      later(() => {
        note('PUT', body, body);
      }),
    remove: () =>
      later(() => {
        note('DELETE', undefined, undefined);
      }),
    appears: (path: string, name: string) => later(() => requests.push(`appears ${path}${name}`) > 0),
    references: () => Promise.resolve(undefined),
    foundVersion: () => Promise.resolve(undefined),
  };
  const { target, reached, play, task, module: of, source } = anIntent();
  const journal = new Recorder();
  const recorder = new WriteRecorder(
    journal,
    { controller: 'lb1', place: '0:1' },
    { target, reached, play, task, module: of, source },
    () => undefined,
  );
  const { result } = await executeResource({
    module,
    args,
    session: session as unknown as ResourceTask['session'],
    check,
    recorder,
    ...(plan !== undefined && { planHooks: plan }),
    ...(writtenSecrets !== undefined && { writtenSecrets: () => Promise.resolve(writtenSecrets) }),
    before,
    signal: new AbortController().signal,
    pause: (seconds) => {
      paused.push(seconds);
      return Promise.resolve();
    },
    warn: () => undefined,
  });
  const failure = 'failure' in result ? [result.failure.message, result.failure.hint] : [result.message];
  return {
    status: result.status,
    said: failure.filter((one) => one !== undefined),
    requests: requests.join(' '),
    paused,
    change: 'change' in result ? result.change : undefined,
    resumed: 'resumed' in result ? result.resumed : undefined,
    finished: journal.of('write-finished').map(({ outcome }) => outcome),
    seen: journal.of('write-verified').map(({ seen }) => seen),
  };
}

const normalised =
  'the controller accepted the write and shows something else: does it normalise or ignore these values?';
const refused = (method: string) => new ControllerError({ method, path: PATH }, 'answered 500', { status: 500 });
const create: Change = { kind: 'create', object, before: null, after: { name: 'a', size: 2 } };

const past = (change: Change, outcome: PastWrite['outcome'], write = 1): PastWrite => ({
  intent: {
    write,
    ...anIntent({ method: change.kind === 'create' ? 'POST' : 'PUT', path: PATH, name: 'a', change, body: {} }),
  },
  outcome,
});

describe('a create that met another object of its name', () => {
  const OTHER = { uuid: '9', name: 'a', size: 1, own: true };

  it('updates that one once, and is still the create', async () => {
    const done = await execute(present({ size: 2 }), { on: (method) => (method === 'POST' ? OTHER : undefined) });
    expect([done.status, done.requests, done.paused]).to.deep.equal(['changed', 'GET POST GET PUT GET', []]);
    expect([done.change, done.seen.at(-1)]).to.deep.equal([create, { ...OTHER, size: 2 }]);
  });

  it('names also a field that a module of a project changes, although controllers set it', async () => {
    const url = { kind: 'update', object, before: { url: 'a' }, after: { url: 'b' } } as const;
    const own = { ...present({}), plan: () => ({ change: url }), apply: () => Promise.resolve() };
    const done = await execute(own, { at: { uuid: '9', name: 'a', url: 'a' } });
    expect([done.status, done.said[0]]).to.deep.equal([
      'failed',
      `not converged: ${object} still differs after it was written: url`,
    ]);
  });

  it('fails with what still differs after that, field by field', async () => {
    const stubborn = { uuid: '9', name: 'a', size: 1, conf: { dns: { a: 1, b: 1 }, kept: 1 }, list: [1] };
    const fields = { size: 1, conf: { dns: { a: 2, b: 1 }, kept: 1, fresh: 3 }, list: [2] };
    const done = await execute(present(fields), { on: (method) => (method === 'GET' ? undefined : stubborn) });
    expect([done.status, done.requests]).to.deep.equal(['failed', 'GET POST GET PUT GET GET GET GET GET GET']);
    expect(done.said).to.deep.equal([
      `not converged: ${object} still differs after it was written: conf.dns.a, conf.fresh, list`,
      normalised,
    ]);
    expect(done.paused).to.deep.equal([0.1, 0.2, 0.4, 0.8, 1.5]);
  });

  it('says that it could not be verified if that update is refused', async () => {
    const on = (error: Error) => (method: string) => {
      if (method === 'PUT') throw error;
      return method === 'POST' ? OTHER : undefined;
    };
    const failed = await execute(present({ size: 2 }), { on: on(refused('PUT')) });
    expect([failed.status, failed.change]).to.deep.equal(['failed', create]);
    expect(failed.said[0]).to.match(/^written, but it could not be verified: .*answered 500/);
    const locked = await execute(present({ size: 2 }), {
      on: on(new LockedOutError({ method: 'PUT', path: PATH, repeatable: true }, 'x')),
    });
    expect([locked.status, locked.said, locked.change]).to.deep.equal(['changed', ['applied, unverifiable'], create]);
    await execute(present({ size: 2 }), { on: on(new RangeError('other')) }).then(
      () => expect.fail('it is thrown'),
      (error: unknown) => expect(error).to.be.instanceOf(RangeError),
    );
  });

  it('is one that never appears if nothing was there', async () => {
    const done = await execute(present({ size: 2 }), { on: (method) => (method === 'POST' ? null : undefined) });
    expect([done.status, done.said]).to.deep.equal([
      'failed',
      [`not converged: ${object} does not exist after it was written`, normalised],
    ]);
  });
});

describe('a delete', () => {
  const THERE = { uuid: '1', name: 'a' };

  it('looks again, and says what is still there', async () => {
    const gone = await execute(absent, { at: THERE });
    expect([gone.status, gone.requests, gone.change]).to.deep.equal([
      'changed',
      'GET DELETE GET',
      { kind: 'delete', object, before: THERE, after: null },
    ]);
    const stays = await execute(absent, { at: THERE, on: (method) => (method === 'DELETE' ? THERE : undefined) });
    expect(stays.said).to.deep.equal([
      `not converged: ${object} still exists after it was deleted`,
      'the controller accepted the deletion and still shows the object: does it delete later?',
    ]);
    expect(stays.paused).to.have.length(5);
    const late = await execute(absent, {
      at: THERE,
      on: (method, count) => (method === 'DELETE' ? THERE : method === 'GET' && count === 4 ? null : undefined),
    });
    expect([late.status, late.paused]).to.deep.equal(['changed', [0.1, 0.2]]);
  });

  it('does not delete another object of that name', async () => {
    const done = await execute(absent, {
      at: THERE,
      on: (method) => (method === 'DELETE' ? { ...THERE, uuid: '2' } : undefined),
    });
    expect([done.status, done.requests, done.paused]).to.deep.equal(['failed', 'GET DELETE GET', []]);
    expect(done.said).to.deep.equal([
      `${object} was deleted, and another object of that name was created since; it was not deleted`,
      'run again to delete that one, too',
    ]);
  });
});

describe('a write from before an interrupt', () => {
  const update: Change = { kind: 'update', object, before: { name: 'a', size: 1 }, after: { name: 'a', size: 2 } };
  const AS_DECLARED = { uuid: '1', name: 'a', size: 2 };

  it('that was applied is only looked at', async () => {
    const done = await execute(present({ size: 2 }), { at: AS_DECLARED, before: [past(create, 'applied')] });
    expect([done.status, done.requests, done.resumed, done.change]).to.deep.equal(['changed', 'GET', 'found', create]);
  });

  it('of an object that a create met is that create', async () => {
    const before = [past(create, 'applied'), past(update, 'applied', 2)];
    const done = await execute(present({ size: 2 }), { at: AS_DECLARED, before });
    expect([done.status, done.requests, done.change]).to.deep.equal(['changed', 'GET', create]);
    const other = await execute(present({ size: 2 }), {
      at: AS_DECLARED,
      before: [past(create, 'unknown'), past(update, 'applied', 2)],
    });
    expect(other.change).to.deep.equal(update);
    const twice = await execute(present({ size: 2 }), {
      at: AS_DECLARED,
      before: [past(update, 'applied'), past(create, 'refused', 2)],
    });
    expect(twice.change).to.deep.equal(update);
  });

  it('whose outcome is unknown is waited for if it creates, and repeated if it is not there', async () => {
    const found = await execute(present({ size: 2 }), { at: AS_DECLARED, before: [past(create, 'unknown')] });
    expect([found.status, found.requests, found.resumed, found.change]).to.deep.equal([
      'changed',
      `appears ${PATH}a GET`,
      'found',
      create,
    ]);
    expect([found.finished, found.seen]).to.deep.equal([['applied'], [AS_DECLARED]]);
    const missing = await execute(present({ size: 2 }), { before: [past(create, 'unknown')] });
    expect([missing.requests, missing.resumed]).to.deep.equal([`appears ${PATH}a GET POST GET`, 'repeated']);
    const updated = await execute(present({ size: 2 }), {
      at: { ...AS_DECLARED, size: 1 },
      before: [past(update, 'unknown')],
    });
    expect([updated.requests, updated.resumed]).to.deep.equal(['GET PUT GET', 'repeated']);
  });

  it('does not matter in check mode, or if it was refused', async () => {
    const checked = await execute(present({ size: 2 }), {
      at: AS_DECLARED,
      check: true,
      before: [past(create, 'applied')],
    });
    expect([checked.status, checked.requests, checked.resumed]).to.deep.equal(['ok', 'GET', undefined]);
    const denied = await execute(present({ size: 2 }), { before: [past(create, 'refused')] });
    expect([denied.status, denied.requests, denied.resumed]).to.deep.equal(['changed', 'GET POST GET', undefined]);
  });

  it('that deleted an object is done if another one has its name now', async () => {
    const deletion: Change = { kind: 'delete', object, before: { uuid: '1', name: 'a' }, after: null };
    for (const outcome of ['applied', 'unknown'] as const) {
      const done = await execute(absent, { at: { uuid: '2', name: 'a' }, before: [past(deletion, outcome)] });
      expect([done.status, done.requests], outcome).to.deep.equal(['failed', 'GET']);
      expect(done.said[0]).to.include('another object of that name was created since');
    }
    const gone = await execute(absent, { before: [past(deletion, 'unknown')] });
    expect([gone.status, gone.requests, gone.resumed, gone.change]).to.deep.equal([
      'changed',
      'GET',
      'found',
      deletion,
    ]);
  });
});

describe('a write that takes an element away by its place', () => {
  const [whole, rest] = [
    { uuid: '1', name: 'a', sizes: [1, 2, 3] },
    { uuid: '1', name: 'a', sizes: [2, 3] },
  ];
  const update: Change = { kind: 'update', object, before: whole, after: rest };
  /** Its plan takes the first element, whatever it is. */
  const taking: ResourceModule = {
    ...present({}),
    plan: (_args, observed) => {
      const before = observed as typeof whole;
      const after = { ...before, sizes: before.sizes.slice(1) };
      return { takesAway: true, change: { kind: 'update', object, before, after } };
    },
  };

  it('is done if the object is as it was sent', async () => {
    const done = await execute(taking, { at: whole });
    expect([done.status, done.requests, done.seen]).to.deep.equal(['changed', 'GET PUT GET', [rest]]);
    const ignored = await execute(taking, { at: whole, on: (method) => (method === 'PUT' ? whole : undefined) });
    expect([ignored.status, ignored.said]).to.deep.equal([
      'failed',
      [`not converged: ${object} still differs after it was written: sizes`, normalised],
    ]);
  });

  it('is not repeated after an unknown outcome, unless the object is as before', async () => {
    for (const outcome of ['applied', 'unknown'] as const) {
      const done = await execute(taking, { at: rest, before: [past(update, outcome)] });
      expect([done.status, done.requests, done.resumed], outcome).to.deep.equal(['changed', 'GET', 'found']);
    }
    // A plan would take the difference to what is left to do for a change by someone else.
    const decided: NonNullable<ResourceTask['planHooks']>['decided'] = (_task, { plan: { change } }) =>
      Promise.resolve(change.kind === 'none' ? undefined : failed('stale'));
    const applied = await execute(taking, { at: rest, before: [past(update, 'unknown')], plan: { decided } });
    expect([applied.status, applied.requests, applied.resumed]).to.deep.equal(['changed', 'GET', 'found']);
    const again = await execute(taking, { at: whole, before: [past(update, 'unknown')] });
    expect([again.requests, again.resumed]).to.deep.equal(['GET PUT GET', 'repeated']);
  });
});

describe('a hidden secret that only a create writes', () => {
  it('is compared with what was written last to the same object', async () => {
    const asked: unknown[] = [];
    const writtenSecrets: WrittenSecrets = {
      compare: (...of) => Promise.resolve(void asked.push(of)).then(() => ({ changed: [], unknown: [] })),
      unsettle: () => expect.fail('nothing is written'),
      keep: () => expect.fail('nothing was written'),
      note: () => expect.fail('nothing is unknown'),
    };
    const args = { secrets: 'on_create', secret: 'new' };
    for (const uuid of ['1', '2'])
      await execute(present({ secret: 'new' }), {
        args,
        writtenSecrets,
        at: { uuid, name: 'a', secret: '<sensitive>' },
      });
    expect(asked).to.deep.equal(['1', '2'].map((uuid) => [`${PATH} ${uuid}`, [['secret', 'new']]]));
  });
});
