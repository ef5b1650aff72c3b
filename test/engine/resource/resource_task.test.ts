import { expect } from 'chai';
import { LockedOutError } from '../../../src/controller/access/lockouts.js';
import { ControllerError, StaleObjectError } from '../../../src/controller/exchange/call.js';
import type { PastWrite } from '../../../src/core/model/run/past.js';
import { errorMessage } from '../../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { WriteRecorder } from '../../../src/engine/journal/write_recorder.js';
import { TaskProblem } from '../../../src/engine/keywords/failed_result.js';
import { executeResource } from '../../../src/engine/resource/resource.js';
import type { ResourceEnd, ResourceTask, PlanHooks } from '../../../src/engine/resource/resource_task.js';
import type { ResourceModule } from '../../../src/module/contract.js';
import { anIntent } from '../../rig/kept.js';
import { Recorder } from '../../rig/recorder.js';

const PATH = '/api/thing';
const CALL = { method: 'PUT', path: PATH, repeatable: true };
const WANTED = { size: 2 };

/** A single object whose declared fields it sets. */
const MODULE = {
  type: 'resource',
  name: 'thing',
  object: () => 'the thing',
  read: (_args: unknown, reader: { single(path: string): Promise<unknown> }) => reader.single(PATH),
  plan: (args: { size: number }, { object }: { object: Mapping }) =>
    object['size'] === args.size
      ? { change: { kind: 'none' } }
      : { change: { kind: 'update', object: 'the thing', before: object, after: { ...object, ...args } } },
  apply: (
    _args: unknown,
    { change }: { change: { after: Mapping } },
    _: unknown,
    writer: { replace(...all: unknown[]): unknown },
  ) => writer.replace(PATH, change.after),
} as unknown as ResourceModule;

interface Done {
  readonly end: ResourceEnd;
  readonly requests: readonly string[];
  readonly journal: Recorder;
  readonly unconfirmed: readonly (string | undefined)[];
  readonly paused: readonly number[];
}

type Put = (body: Mapping, count: number, keep: (object: Mapping) => void) => Mapping | undefined;

/** Runs the task on an object of size 1. `put` returns the object after a write, if it changes it; `get` may throw. */
async function execute(
  put: Put,
  options: {
    get?: (count: number) => void;
    stop?: AbortController;
    before?: readonly PastWrite[];
    check?: boolean;
    wrong?: Readonly<Record<string, unknown>>;
    plan?: PlanHooks;
  } = {},
): Promise<Done> {
  const { get = () => undefined, stop = new AbortController(), before = [], check = false, wrong = {}, plan } = options;
  const requests: string[] = [];
  const paused: number[] = [];
  const unconfirmed: (string | undefined)[] = [];
  const journal = new Recorder();
  let object: Mapping = { size: 1 };
  const count = (method: string): number => requests.filter((one) => one === method).length;
  const session = {
    single: async () => {
      requests.push('GET');
      await Promise.resolve();
      get(count('GET'));
      return { status: 'found', object };
    },
    replace: async (_path: string, body: Mapping) => {
      requests.push('PUT');
      await Promise.resolve();
      const keep = (one: Mapping): void => {
        object = one;
      };
      object = put(body, count('PUT'), keep) ?? object;
    },
    references: () => Promise.resolve(undefined),
    foundVersion: () => Promise.resolve(undefined),
  };
  const { target, reached, play, task, module, source } = anIntent();
  const about = { target, reached, play, task, module, source };
  const recorder = new WriteRecorder(journal, { controller: 'lb1', place: '0:1' }, about, (change, outcome) =>
    unconfirmed.push(outcome === 'unknown' ? change.kind : undefined),
  );
  const end = await executeResource({
    module: { ...MODULE, ...wrong },
    args: WANTED,
    session: session as unknown as ResourceTask['session'],
    check,
    signal: stop.signal,
    pause: (seconds) => {
      paused.push(seconds);
      return Promise.resolve();
    },
    warn: () => undefined,
    recorder,
    before,
    planHooks: plan,
  });
  return { end, requests, journal, unconfirmed, paused };
}

const outcomes = ({ journal }: Done): readonly string[] => journal.of('write-finished').map(({ outcome }) => outcome);
const failure = ({ end: { result } }: Done): string | undefined =>
  'failure' in result ? result.failure.message : result.message;
const set: Put = (body) => body;

describe('a resource task', () => {
  it('reads, writes and looks again, until the object is as declared', async () => {
    const done = await execute(set);
    expect([done.end.result.status, done.end.unfinished, done.requests]).to.deep.equal([
      'changed',
      undefined,
      ['GET', 'PUT', 'GET'],
    ]);
    expect(done.journal.of('write-intended').map(({ change }) => change)).to.deep.equal([
      { kind: 'update', object: 'the thing', before: { size: 1 }, after: WANTED },
    ]);
    expect(done.journal.of('write-verified').map(({ seen }) => seen)).to.deep.equal([WANTED]);
    const late = await execute(() => undefined);
    expect([failure(late), late.paused]).to.deep.equal([
      'not converged: the thing still differs after it was written: size',
      [0.1, 0.2, 0.4, 0.8, 1.5],
    ]);
  });

  it('writes nothing if its module returns no plan or no data', async () => {
    const plan = (change: unknown) => ({ plan: () => ({ change }) });
    const [object, before, after] = ['a', WANTED, { size: undefined }];
    for (const [wrong, message] of [
      [{ object: () => undefined }, '"object" of the module thing returned nothing'],
      [{ object: () => 5 }, '"object" of the module thing returned no text'],
      [{ plan: () => undefined }, '"plan" of the module thing returned nothing'],
      [
        plan({ kind: 'upsert', object, before, after: WANTED }),
        '"plan" of the module thing returned no whole "change"',
      ],
      [plan({ kind: 'update', object, before }), '"plan" of the module thing returned no whole "change"'],
      [plan({ kind: 'create', object, before: null }), '"plan" of the module thing returned no whole "change"'],
      [plan({ kind: 'delete', object, after: null }), '"plan" of the module thing returned no whole "change"'],
      [plan({ kind: 'update', object, before, after }), 'the module thing returned undefined in "after.size"'],
    ] as const) {
      const error: unknown = await execute(set, { wrong }).catch((one: unknown) => one);
      expect(errorMessage(error)).to.equal(message);
    }
  });

  it('writes nothing in check mode, or once it is interrupted', async () => {
    const checked = await execute(set, { check: true });
    expect([checked.end.result.status, checked.requests, checked.journal.entries]).to.deep.equal([
      'changed',
      ['GET'],
      [],
    ]);
    const stop = new AbortController();
    stop.abort();
    const stopped = await execute(set, { stop });
    expect([stopped.end.result.status, failure(stopped), stopped.requests]).to.deep.equal([
      'interrupted',
      'interrupted before anything was written',
      ['GET'],
    ]);
  });

  it('does not wait for what it wrote once it is interrupted, so a resume looks again', async () => {
    const stop = new AbortController();
    const done = await execute(
      () => {
        stop.abort();
        return undefined;
      },
      { stop },
    );
    expect([done.end.result.status, failure(done), done.end.unfinished, done.paused]).to.deep.equal([
      'changed',
      'written; interrupted before it could be verified',
      true,
      [],
    ]);
  });

  it('plans again if someone else was faster, at most three times', async () => {
    const once = await execute((body, count) => {
      if (count === 1) throw new StaleObjectError(CALL, false);
      return body;
    });
    expect([once.end.result.status, once.requests, outcomes(once)]).to.deep.equal([
      'changed',
      ['GET', 'PUT', 'GET', 'PUT', 'GET'],
      ['refused', 'applied'],
    ]);
    let puts = 0;
    const error: unknown = await execute(() => {
      puts += 1;
      throw new StaleObjectError(CALL, false);
    }).catch((one: unknown) => one);
    expect([error instanceof StaleObjectError, puts]).to.deep.equal([true, 3]);
  });

  it('tells its plan of a write, and takes that back if the controller refused it', async () => {
    const refusedBy = (status: number, method = 'PUT') => new ControllerError({ ...CALL, method }, 'no', { status });
    for (const [error, expected] of [
      [new StaleObjectError(CALL, false), 'wrote taken back wrote taken back wrote taken back'],
      [refusedBy(400), 'wrote taken back'],
      [new TaskProblem('nothing was sent'), 'wrote taken back'],
      [refusedBy(500), 'wrote'],
      [refusedBy(400, 'GET'), 'wrote'],
      [new Error('lost'), 'wrote'],
    ] as const) {
      const told: string[] = [];
      const plan: PlanHooks = {
        decided: () => Promise.resolve(undefined),
        wrote: () => {
          told.push('wrote');
          return () => told.push('taken back');
        },
      };
      const put = (): never => {
        throw error;
      };
      await execute(put, { plan }).catch(() => undefined);
      expect(told.join(' '), errorMessage(error)).to.equal(expected);
    }
  });

  it('says that its own write was applied if an earlier attempt made the object stale, or that it is unknown', async () => {
    const own = await execute((body, _, keep) => {
      keep(body);
      throw new StaleObjectError(CALL, true);
    });
    expect([own.end.result.status, own.requests, outcomes(own), own.unconfirmed]).to.deep.equal([
      'changed',
      ['GET', 'PUT', 'GET'],
      ['unknown', 'applied'],
      ['update', undefined],
    ]);
    expect(own.journal.of('write-verified').map(({ seen }) => seen)).to.deep.equal([WANTED]);
    const stop = new AbortController();
    const unknown = await execute(
      () => {
        stop.abort();
        throw new StaleObjectError(CALL, true);
      },
      { stop },
    );
    expect([unknown.end.result.status, failure(unknown), outcomes(unknown), unknown.unconfirmed]).to.deep.equal([
      'interrupted',
      'interrupted; it is unknown whether the write was applied',
      ['unknown'],
      ['update'],
    ]);
  });

  it('reports what it cannot verify with its change', async () => {
    const unread = await execute(set, {
      get: (count) => {
        if (count > 1) throw new ControllerError({ method: 'GET', path: PATH }, 'answered 500', { status: 500 });
      },
    });
    expect(failure(unread)).to.match(/^written, but it could not be verified: .*answered 500/);
    expect(unread.end.result).to.deep.include({
      status: 'failed',
      change: { kind: 'update', object: 'the thing', before: { size: 1 }, after: WANTED },
    });
    const out = await execute(() => {
      throw new LockedOutError(CALL, 'refused');
    });
    expect([out.end.result.status, failure(out), out.requests]).to.deep.equal([
      'changed',
      'applied, unverifiable',
      ['GET', 'PUT'],
    ]);
  });

  it('looks for a write from before an interrupt, and does not repeat one that was applied', async () => {
    const change = { kind: 'update', object: 'the thing', before: { size: 0 }, after: WANTED } as const;
    const intent = { write: 7, ...anIntent({ method: 'PUT', path: PATH, name: undefined, change, body: WANTED }) };
    const applied = await execute(set, {
      before: [{ intent, outcome: 'applied' }],
      get: () => undefined,
    });
    // Someone else has set it back since, so it is not converged; nothing is written.
    expect([applied.end.result.status, applied.requests.includes('PUT')]).to.deep.equal(['failed', false]);
    const unknown = await execute(set, { before: [{ intent, outcome: 'unknown' }] });
    expect(unknown.end.result).to.deep.include({ status: 'changed', resumed: 'repeated' });
    expect(unknown.requests).to.deep.equal(['GET', 'PUT', 'GET']);
    const refused = await execute(set, { before: [{ intent, outcome: 'refused' }] });
    expect([refused.end.result.status, 'resumed' in refused.end.result]).to.deep.equal(['changed', false]);
  });
});
