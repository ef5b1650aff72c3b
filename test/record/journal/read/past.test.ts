import { expect } from 'chai';
import fc from 'fast-check';
import {
  cleanupArea,
  comparePositions,
  placeIn,
  positionIn,
  rollbackArea,
} from '../../../../src/core/model/playbook/step_place.js';
import type { Event } from '../../../../src/core/model/run/event.js';
import type { JournalRecord, StepRef } from '../../../../src/core/model/run/journal.js';
import type { Change } from '../../../../src/core/model/run/result.js';
import { PassedGates } from '../../../../src/record/journal/read/passed_gates.js';
import { EventMaker, masked } from '../../../rig/events.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, aPlay, aStep, aWarning, beginRun, readKept, reaching } from '../../../rig/kept.js';

/** Keeps the records and asks the past that is read. */
function past<T>(records: readonly JournalRecord[], ask: Parameters<typeof readKept<T>>[2]): Promise<T> {
  return inFolder({}, async (state) => {
    const journal = await beginRun(state);
    for (const record of records) {
      if (record.type === 'write-intended') await journal.intend(record);
      else journal.record(record);
    }
    await journal.close();
    return readKept(state, journal.id, ask);
  });
}

const FINISHED = { type: 'write-finished', controller: 'lb1' } as const;
const INTENT = { write: 1, ...anIntent() } as const;

describe('the past of a run', () => {
  it('knows finished steps, by place and item', async () => {
    const records = [aStep(), aStep({ place: '0:2', item: 0 }), aStep({ controller: 'lb2', end: 'failed' })];
    const found = await past(records, (run) =>
      [
        { controller: 'lb1', place: '0:1' },
        { controller: 'lb1', place: '0:2' },
        { controller: 'lb1', place: '0:2', item: 0 },
        { controller: 'lb2', place: '0:1' },
        { controller: 'lb3', place: '0:1' },
      ].map((ref: StepRef) => run.past.finishedStep(ref)?.end),
    );
    expect(found).to.deep.equal(['completed', undefined, 'completed', 'failed', undefined]);
  });

  it('knows a step by its key, wherever it is now, its items by theirs, and what of it must be the same', async () => {
    const records = [
      aStep({ place: '0:5', key: 'a~1', alike: 2, list: 'l' }),
      aStep({ place: '0:6', key: 'b~1#x', item: 0 }),
      aStep({ place: '0:7', key: 'c~1', end: 'failed' }),
      aStep({ place: '0:8' }),
      { type: 'step-declined', controller: 'lb1', place: '0:9', key: 'd~1' } as const,
    ];
    const ref = (place: string, key: string, item?: number): StepRef => ({ controller: 'lb1', place, key, item });
    const found = await past(records, ({ past: known }) => ({
      ends: [
        ref('0:1', 'a~1'),
        ref('0:5', 'z~1'),
        ref('0:6', 'b~1'),
        ref('0:1', 'b~1#x', 4),
        ref('0:5', 'c~1'),
        ref('0:8', 'z~1'),
        { controller: 'lb2', place: '0:5', key: 'a~1' },
      ].map((one) => known.finishedStep(one)?.end),
      known: ['a~1', 'b~1', 'c~1', 'z~1'].map((key) => known.known(ref('0:1', key))),
      without: known.known({ controller: 'lb1', place: '0:5' }),
      declined: ['a~1', 'd~1'].map((key) => known.isDeclined(ref('0:1', key))),
      undeclined: known.isDeclined({ controller: 'lb1', place: '0:9' }),
    }));
    expect(found).to.deep.equal({
      ends: ['completed', undefined, undefined, 'completed', 'failed', undefined, undefined],
      known: [{ alike: 2, list: 'l' }, {}, {}, undefined],
      without: undefined,
      declined: [false, true],
      undeclined: false,
    });
  });

  it('knows what others of a batch have begun that is written like a step, at any visit', async () => {
    const records: JournalRecord[] = [
      aStep({ controller: 'lb2', place: '0:1', key: 'a~1' }),
      aStep({ controller: 'lb2', place: '0:4.2', key: 'a~3#x', item: 1 }),
      aStep({ controller: 'lb2', place: '0:5', key: 'b~1' }),
      aStep({ controller: 'lb3', place: '0:1', key: 'a~1' }),
      { ...INTENT, controller: 'lb1', place: '0:1', key: 'a~2' },
    ];
    const here: StepRef = { controller: 'lb1', place: '0:9', key: 'a~1', list: 'l' };
    const found = await past(records, ({ past: known }) => [
      known.begunAlike(here, ['lb1', 'lb2']),
      known.begunAlike({ ...here, controller: 'lb2' }, ['lb1', 'lb2']),
      known.begunAlike({ ...here, key: undefined }, ['lb1', 'lb2']),
    ]);
    expect(found).to.deep.equal([
      [
        { ...here, controller: 'lb2', place: '0:1' },
        { ...here, controller: 'lb2', place: '0:4.2', key: 'a~3' },
      ],
      [{ ...here, place: '0:1', key: 'a~2' }],
      [],
    ]);
  });

  it('forgets everything below a step, and the progress of a controller', async () => {
    const records: JournalRecord[] = [
      aStep({ place: '0:1' }),
      aStep({ place: '0:2.1' }),
      aStep({ place: '0:2.10' }),
      aStep({ place: '0:20' }),
      { type: 'steps-forgotten', controller: 'lb1', place: '0:2' },
    ];
    const found = await past(records, (run) => [
      ...['0:1', '0:2.1', '0:2.10', '0:20'].map(
        (place) => run.past.finishedStep({ controller: 'lb1', place }) !== undefined,
      ),
      run.past.reached('lb1', '0:'),
    ]);
    expect(found).to.deep.equal([true, false, false, true, '0:20']);
  });

  it('compares places as positions, within their area', async () => {
    const records = ['0:2', '0:10', '0:9.5', '0:gate1/3', '1:1'].map((place) => aStep({ place }));
    const found = await past(records, (run) =>
      ['0:', '0:gate1/', '1:', '2:'].map((area) => run.past.reached('lb1', area)),
    );
    expect(found).to.deep.equal(['0:10', '0:gate1/3', '1:1', undefined]);
  });

  it('returns the writes of an unfinished step, with their outcomes', async () => {
    const records: JournalRecord[] = [
      INTENT,
      { ...FINISHED, write: 1, outcome: 'applied' },
      { ...INTENT, write: 2 },
      { ...INTENT, write: 3, place: '0:2' },
      { ...FINISHED, write: 3, outcome: 'refused' },
      aStep({ place: '0:2' }),
    ];
    const found = await past(records, (run) =>
      ['0:1', '0:2'].map((place) => run.past.writes({ controller: 'lb1', place }).map(({ outcome }) => outcome)),
    );
    expect(found).to.deep.equal([['applied', 'unknown'], []]);
  });

  it('has for a gate that starts again the raw writes since the last end of one that may have taken effect', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const raw = {
        ...INTENT,
        method: 'POST',
        change: { kind: 'invoke', object: 'x', before: null, after: null },
      } as const;
      await journal.intend(raw);
      journal.keep(
        masked({ ...aPlay([]), type: 'gate-finished', batch: 1, status: 'failed', action: 'stop' } as never),
      );
      for (const [write, intent] of [raw, INTENT, raw].entries())
        await journal.intend({ ...intent, write: write + 2 } as typeof INTENT);
      journal.record({ ...FINISHED, write: 4, outcome: 'applied' });
      await journal.close();
      const found = await readKept(state, journal.id, ({ past: all }) => {
        const ofGate = all.ofInterruptedGate();
        expect(all.ofInterruptedGate()).to.equal(ofGate);
        return ofGate.writes({ controller: 'lb1', place: '0:1' }).map(({ intent }) => intent.write);
      });
      expect(found).to.deep.equal([2]);
    }));

  it('keeps writes with unknown outcomes of a block that starts again', async () => {
    const records: JournalRecord[] = [
      INTENT,
      { ...FINISHED, write: 1, outcome: 'applied' },
      { ...INTENT, write: 2, method: 'DELETE' },
      { type: 'steps-forgotten', controller: 'lb1', place: '0:1' },
    ];
    const found = await past(records, (run) => run.past.writes({ controller: 'lb1', place: '0:1' }));
    expect(found.map(({ intent, outcome }) => [intent.method, outcome])).to.deep.equal([['DELETE', 'unknown']]);
  });

  it('returns all writes, and after which write of the run the step of one was forgotten', async () => {
    const forget = { type: 'steps-forgotten', controller: 'lb1', place: '0:' } as const;
    const records: JournalRecord[] = [
      { ...INTENT, write: 1 },
      { ...INTENT, write: 2, place: '1:1' },
      { ...INTENT, write: 3, controller: 'lb2' },
      forget,
      { ...INTENT, write: 4 },
      forget,
      { ...INTENT, write: 5 },
    ];
    const found = await past(records, (run) => run.writes().map(({ forgottenAfter }) => forgottenAfter));
    expect(found).to.deep.equal([3, undefined, undefined, 4, undefined]);
  });

  it('returns the last write to each path that a controller cannot show', async () => {
    const put = { ...INTENT, method: 'PUT', path: '/api/system', uncomparable: true } as const;
    const records: JournalRecord[] = [
      { ...put, write: 1, body: { a: 1 } },
      { ...FINISHED, write: 1, outcome: 'applied' },
      { ...put, write: 2, body: { a: 2 }, target: 'other name' },
      { ...FINISHED, write: 2, outcome: 'applied' },
      { ...put, write: 3, body: { a: 3 } },
      { ...FINISHED, write: 3, outcome: 'refused' },
      { ...put, write: 4, path: '/api/useraccount', body: { a: 4 } },
      { ...FINISHED, write: 4, outcome: 'applied' },
    ];
    const at = { path: '/api/system', reached: reaching('lb1') };
    const account = { path: '/api/useraccount' };
    const ops = { reached: reaching('lb1', 'ops') };
    const others = [{ reached: reaching('lb2') }, { path: '/api/other' }, { tenant: 'blue' }, { ...account, ...ops }];
    const found = await past(records, ({ past }) =>
      [{}, account, ops, ...others].map((one) => past.written({ ...at, ...one })),
    );
    expect(found).to.deep.equal([{ a: 2 }, { a: 4 }, { a: 2 }, ...others.map(() => undefined)]);
  });

  it('knows whether an object of a step was written again by a cleanup after it', async () => {
    const cleanup = { ...INTENT, place: placeIn(cleanupArea('0:'), [9]) };
    const applied = (write: number) => ({ ...FINISHED, write, outcome: 'applied' }) as const;
    const refused = (write: number) => ({ ...FINISHED, write, outcome: 'refused' }) as const;
    const invoke = { kind: 'invoke', object: 'POST /api/cloud/', before: null, after: null } as const;
    const made = { kind: 'create', object: 'cloud "core"', before: null, after: { name: 'core' } } as const;
    const other = { name: 'core', object: 'cloud "core"', change: made };
    const [own, later] = [
      { ...INTENT, write: 1 },
      { ...cleanup, write: 2 },
    ];
    const renaming = (write: typeof own, from: string, name: string, uuid = 'c 1'): JournalRecord => {
      const [before, path] = [{ uuid, name: from }, `/api/cloud/${encodeURIComponent(uuid)}`];
      const change = { kind: 'update', object: 'cloud "edge"', before, after: { uuid, name } } as const;
      return { ...write, path, name: undefined, change };
    };
    const cases: readonly (readonly [string, readonly JournalRecord[], boolean])[] = [
      ['by nothing', [own, applied(1)], false],
      ['by a write after it', [own, applied(1), later, applied(2)], true],
      ['before it was written again', [own, applied(1), later, applied(2), { ...INTENT, write: 3 }, applied(3)], false],
      ['by one of two', [own, { ...cleanup, ...other, write: 2 }, { ...cleanup, write: 3 }], true],
      ['by a write to another object', [own, applied(1), { ...later, ...other }], false],
      ['by giving its name back', [renaming(own, 'edge', 'far'), renaming(later, 'far', 'edge')], true],
      [
        'by a write to another object of the name',
        [renaming(own, 'edge', 'far'), renaming(later, 'x', 'y', 'c 2')],
        false,
      ],
      ['by a write of another host', [own, { ...later, controller: 'lb2' }], true],
      ['by a write on another controller', [own, { ...later, reached: reaching('lb9') }], false],
      ['by a refused write', [own, later, refused(2)], false],
      ['after its own was refused', [own, refused(1), later], false],
      [
        'before it',
        [
          { ...cleanup, write: 1 },
          { ...INTENT, write: 2 },
        ],
        false,
      ],
      [
        'by a raw request',
        [
          { ...own, change: invoke },
          { ...later, change: invoke },
        ],
        false,
      ],
    ];
    for (const [what, records, expected] of cases)
      expect(await past(records, (run) => run.past.isCleanedUp({ controller: 'lb1', place: '0:1' })), what).to.equal(
        expected,
      );
  });

  it('knows what a step wrote in a cleanup, until its batch is rolled back', async () => {
    const area = cleanupArea('0:');
    const records: JournalRecord[] = [
      { ...INTENT, place: placeIn(area, [1]), key: `${area}k` },
      { ...FINISHED, write: 1, outcome: 'applied' },
    ];
    const rolledBack = { type: 'steps-forgotten', controller: 'lb1', place: '0:' } as const;
    const ask = (after: readonly JournalRecord[]): Promise<boolean> =>
      past(after, (run) => run.past.hasCleanedUp({ controller: 'lb1', place: '0:1', key: '0:k' }));
    expect([await ask(records), await ask([...records, rolledBack])]).to.deep.equal([true, false]);
  });

  it('knows all writes to a controller, and what was seen after them', async () => {
    const ops = { target: 'other name', reached: reaching('lb1', 'ops') };
    const records: JournalRecord[] = [
      { ...INTENT, write: 1 },
      { ...FINISHED, write: 1, outcome: 'applied' },
      { type: 'write-verified', write: 1, controller: 'lb1', seen: { a: 1 } },
      { ...INTENT, write: 2, method: 'PUT', path: '/api/x/1', name: undefined, tenant: 'blue', ...ops },
      { ...INTENT, write: 3, reached: reaching('lb2') },
    ];
    const found = await past(records, (run) =>
      ['lb1', 'lb2', 'lb3'].map((target) => run.past.writtenTo(target, (seen) => JSON.stringify(seen))),
    );
    const controller = 'lb1';
    const created = { path: '/api/cloud/', controller, tenant: undefined };
    const member = { uuid: undefined, before: 'edge', after: 'edge' };
    const { after: intended } = INTENT.change as Extract<Change, { kind: 'create' }>;
    expect(found).to.deep.equal([
      [
        { ...created, account: 'admin@lb1', member, outcome: 'applied', seen: '{"a":1}' },
        {
          path: '/api/x/1',
          controller,
          tenant: 'blue',
          account: 'ops@lb1',
          outcome: 'unknown',
          seen: undefined,
          intended,
        },
      ],
      [{ ...created, account: 'admin@lb2', member, outcome: 'unknown', seen: undefined, intended }],
      [],
    ]);
  });

  it('knows by which names a written object was found before and after', async () => {
    const before = { uuid: 'c 1', name: 'edge' };
    const at = { ...INTENT, path: '/api/cloud/c%201', name: undefined };
    const renames = { kind: 'update', object: 'cloud "edge"', before, after: { ...before, name: 'far' } } as const;
    const removes = { kind: 'delete', object: 'cloud "edge"', before, after: null } as const;
    const records: JournalRecord[] = [
      { ...INTENT, write: 1 },
      { type: 'write-verified', write: 1, controller: 'lb1', seen: before },
      { ...at, write: 2, change: renames },
      { ...at, write: 3, change: removes },
      { ...INTENT, write: 4, place: placeIn(rollbackArea(0, 1), [0]) },
    ];
    const found = await past(records, (run) => run.past.writtenTo('lb1', () => 'seen'));
    // Nobody finds out about the last one.
    expect(found.map(({ outcome }) => outcome)).to.deep.equal(['unknown', 'unknown', 'unknown', 'applied']);
    expect(found.map(({ path, member, seen }) => ({ path, ...member, seen }))).to.deep.equal([
      { path: '/api/cloud/', uuid: 'c 1', before: 'edge', after: 'edge', seen: 'seen' },
      { path: '/api/cloud/', uuid: 'c 1', before: 'edge', after: 'far', seen: undefined },
      { path: '/api/cloud/', uuid: 'c 1', before: 'edge', after: undefined, seen: null },
      { path: '/api/cloud/', uuid: undefined, before: 'edge', after: 'edge', seen: undefined },
    ]);
  });

  it('knows the batches of the plays, also from earlier resumes', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const started = { ...aPlay([]), type: 'run-started', playbooks: [] } as never;
      const make = new EventMaker();
      const lost = (event: Event, names: readonly string[]): Event => ({ ...event, lost: names }) as Event;
      const rollback = { ...aPlay([]), rollback: true } as Event;
      for (const event of [
        ...[
          started,
          aPlay([]),
          make.batchStarted(['lb2', 'lb1'], 1, 2),
          lost(make.batchStarted(['lb3'], 2, 2), ['lb4']),
        ],
        ...[aPlay([]), aPlay([]), lost(make.batchStarted(['lb3', 'lb1'], 1, 1), ['lb4', 'lb2'])],
        ...[rollback, make.batchStarted(['lb3'], 2, 3)],
        ...[started, aPlay([]), make.batchStarted(['lb4', 'lb5', 'lb3'], 2, 3), make.batchStarted(['lb6'], 3, 3)],
        ...[aPlay([]), make.batchStarted(['lb1', 'lb2'], 1, 2), make.batchStarted(['lb3', 'lb4'], 2, 2)],
        // As the first version resumed with another `serial`.
        ...[started, aPlay([]), aPlay([])],
        ...['lb1', 'lb2', 'lb3'].map((name, index) => make.batchStarted([name], index + 1, 3)),
      ])
        journal.keep(masked(event));
      journal.record({ type: 'batch-ended', play: 1, batch: 3, how: 'batch', underWay: [] });
      await journal.close();
      // A run-started without all its fields is a valid record here: its content is not used.
      const found = await readKept(state, journal.id, ({ past: known }) =>
        [0, 1, 2, 3].map((play) => {
          const batches = known.startedBatches(play, () => true);
          return (
            batches &&
            [...batches].map(([number, { controllers, mayGetOthers }]) => [number, controllers.join(' '), mayGetOthers])
          );
        }),
      );
      expect(found).to.deep.equal([
        [
          [1, 'lb2 lb1', false],
          [2, 'lb3 lb4 lb5', false],
          [3, 'lb6', true],
        ],
        [
          [1, 'lb1', false],
          [2, 'lb4 lb2', false],
          [3, 'lb3', false],
        ],
        [[1, 'lb3 lb1 lb4 lb2', true]],
        undefined,
      ]);
    }));

  it('knows which controllers have passed their gate, and forgets a batch that was rolled back', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const end = (batch: number): void => {
        journal.record({ type: 'batch-ended', play: 0, batch, how: 'batch', underWay: [] });
      };
      const gate = (
        batch: number,
        controllers: readonly string[],
        action: 'continue' | 'rollback' = 'continue',
      ): void => {
        const status = action === 'continue' ? 'passed' : 'failed';
        const gated = { passes: 1, failures: 1, interval: 1, source: { file: '', line: 1, column: 1 } };
        const started = { ...aWarning(''), type: 'gate-started', play: 'Site', batch, ...gated } as const;
        journal.keep(masked(new EventMaker().batchStarted(controllers, batch, 2)));
        journal.keep(masked({ ...started, controllers }));
        journal.keep(masked({ ...aWarning(''), type: 'gate-finished', play: 'Site', batch, status, action }));
      };
      journal.keep(masked(aPlay(['lb1', 'lb2'])));
      end(1);
      gate(1, ['lb1', 'lb4']);
      end(2);
      gate(2, ['lb2'], 'rollback');
      journal.keep(masked({ ...aPlay(['lb2']), rollback: true } as Event));
      journal.record({ type: 'steps-forgotten', controller: 'lb2', place: '0:' });
      journal.keep(masked(aPlay(['lb3'])));
      gate(1, ['lb3']);
      await journal.close();
      const found = await readKept(state, journal.id, ({ past: known }) => ({
        passed: (
          [
            [0, ['lb1', 'lb4']],
            [0, ['lb4']],
            [0, ['lb1', 'lb2']],
            [0, ['lb2']],
            [0, ['lb3']],
            [1, ['lb3']],
          ] as const
        ).map(([play, names]) => known.hasPassed(play, names)),
        ended: [known.ended(0, 1).length, known.ended(0, 2).length],
        started: [0, 1, 2].map((play) => [...(known.startedBatches(play, () => true)?.keys() ?? [])]),
      }));
      expect(found).to.deep.equal({
        passed: [true, true, false, false, false, true],
        ended: [1, 0],
        started: [[1], [1], []],
      });
    }));

  it('forgets it in the play of the step only, whatever its number', () => {
    const [gates, make] = [new PassedGates(), new EventMaker()];
    for (const play of [1, 10]) {
      gates.event(make.gateStarted(['lb1', 'lb2']), play);
      gates.event(make.gateFinished('continue'), play);
    }
    const step = (place: string, controller: string): void => {
      gates.record({ type: 'step-settled', shown: { place, controller }, sealed: undefined });
    };
    step('10:5', 'lb1');
    step('1:10', 'lb2');
    const passed = [1, 10].map((play) => ['lb1', 'lb2'].map((name) => gates.has(play, [name])));
    expect(passed).to.deep.equal([
      [true, false],
      [false, true],
    ]);
  });

  it('forgets that a controller has passed its gate when the play goes on there, or its gate is checked again', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const source = { file: '', line: 1, column: 1 };
      const event = (fields: object): void => {
        journal.keep(masked({ ...aWarning(''), play: 'Site', batch: 1, source, ...fields } as Event));
      };
      const check = (controllers: readonly string[]): void => {
        event({ type: 'gate-started', controllers, passes: 1, failures: 1, interval: 1 });
      };
      const finish = (action: string, status = 'failed'): void => {
        event({ type: 'gate-finished', status, action });
      };
      const all = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5', 'lb6', 'lb7', 'lb8'];
      journal.keep(masked(aPlay(all)));
      check(all);
      finish('continue', 'passed');
      journal.record(aStep({ controller: 'lb1', place: '0:5' }));
      await journal.intend(anIntent({ controller: 'lb2', place: '0:5' }));
      // Other plays, and what a rollback restores for others.
      journal.record(aStep({ controller: 'lb3', place: '1:0' }));
      journal.record(aStep({ controller: 'lb3', place: placeIn(rollbackArea(0, 2), [0]) }));
      journal.record({ type: 'steps-forgotten', controller: 'lb3', place: '1:' });
      check(['lb4']);
      finish('stop');
      check(['lb5']);
      finish('continue');
      journal.record(aStep({ controller: 'lb6', place: '0:5' }));
      check(['lb6']);
      finish('continue', 'passed');
      check(['lb8']);
      finish('continue', 'passed');
      journal.keep(masked(aWarning('of another controller')));
      check(['lb7']);
      await journal.close();
      const passed = await readKept(state, journal.id, ({ past: known }) =>
        all.filter((name) => known.hasPassed(0, [name])),
      );
      expect(passed).to.deep.equal(['lb3', 'lb5', 'lb6', 'lb8']);
    }));

  it('returns the latest record of every step', async () => {
    const places = ['0:1', '0:2', '0:2.1', '0:2.2', '0:10', '1:1', '0:gate1/1'];
    const controller = fc.constantFrom('lb1', 'lb2');
    const place = fc.constantFrom(...places);
    const item = fc.option(fc.nat(2), { nil: undefined });
    const ref = fc.record({ controller, place, item });
    const record: fc.Arbitrary<JournalRecord> = fc.oneof(
      ref.map((one) => aStep(one)),
      ref.map(({ controller: name, place: at }) => ({ type: 'steps-forgotten', controller: name, place: at }) as const),
    );
    const refs = ['lb1', 'lb2'].flatMap((name) =>
      places.flatMap((at) => [undefined, 0, 1, 2].map((number) => ({ controller: name, place: at, item: number }))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 25 }), async (records) => {
        const settled = refs.filter((one) => isSettled(records, one));
        const furthest = ['0:', '1:', '0:gate1/'].map((area) => {
          const whole = settled.filter((one) => one.controller === 'lb1' && one.item === undefined);
          return furthestIn(area, whole);
        });
        const found = await past(records, (run) => ({
          settled: refs.filter((one) => run.past.finishedStep(one) !== undefined),
          furthest: ['0:', '1:', '0:gate1/'].map((area) => run.past.reached('lb1', area)),
        }));
        expect(found).to.deep.equal({ settled, furthest });
      }),
      { numRuns: 40 },
    );
  });
});

/** Whether the last record of a step says that it has finished. */
function isSettled(records: readonly JournalRecord[], { controller, place, item }: StepRef): boolean {
  const last = records.findLast((record) => {
    if (record.type === 'step-settled')
      return record.controller === controller && record.place === place && record.item === item;
    if (record.type !== 'steps-forgotten' || record.controller !== controller) return false;
    return place === record.place || place.startsWith(`${record.place}.`);
  });
  return last?.type === 'step-settled';
}

function furthestIn(area: string, steps: readonly StepRef[]): string | undefined {
  const positions = steps.flatMap(({ place }) => [positionIn(area, place) ?? []]).filter(({ length }) => length > 0);
  const last = positions.toSorted(comparePositions).at(-1);
  return last === undefined ? undefined : placeIn(area, last);
}
