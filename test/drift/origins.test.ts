import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Change } from '../../src/core/model/run/result.js';
import type { Mapping, Value } from '../../src/core/model/values/value.js';
import type { DriftedObject } from '../../src/drift/collector.js';
import { findOrigins } from '../../src/drift/origins.js';
import { journalFile, runFolder } from '../../src/record/journal/format/run_folders.js';
import type { RunStart } from '../../src/record/journal/format/run_header.js';
import { EventMaker, masked } from '../rig/events.js';
import { inFolder } from '../rig/folder.js';
import { anIntent, beginRun, reaching } from '../rig/kept.js';

const id = (number: number): string => `2026010${number}T000000Z-000001`;
const REACHED = new Map([1, 2, 3].map((at) => [`lb${at}`, `https://lb${at}`]));
const CHECK = { simulated: false, id: '20270101T000000Z-000001', reached: REACHED };

interface Written {
  readonly object: string;
  readonly kind?: 'create' | 'update' | 'delete';
  readonly outcome?: 'applied' | 'refused' | 'unknown';
  readonly seen?: Mapping;
  readonly target?: string;
  /** As the journal shows it. */
  readonly address?: string;
}

/** Keeps a run that wrote these objects. */
async function wrote(
  state: string,
  run: string,
  writes: readonly Written[],
  start: Partial<RunStart> = {},
): Promise<void> {
  const journal = await beginRun(state, { id: run, start });
  for (const { object, kind = 'update', outcome = 'applied', seen, target = 'lb1', address } of writes) {
    const change = { kind, object, before: {}, after: kind === 'delete' ? null : {} } as unknown as Change;
    const at = address === undefined ? {} : { reached: { ...reaching(target), url: address } };
    const write = await journal.intend(anIntent({ object, change, controller: target, target, ...at }));
    journal.record({ type: 'write-finished', write, controller: target, outcome });
    if (seen !== undefined) journal.record({ type: 'write-verified', write, controller: target, seen });
  }
  journal.keep(masked(new EventMaker().runFinished()));
  await journal.close();
}

function drifted(object: string, value: Value | undefined = 1, given: Partial<DriftedObject> = {}): DriftedObject {
  return {
    controller: 'lb1',
    target: 'lb1',
    address: undefined,
    acting: 'lb1',
    tenant: undefined,
    object,
    kind: 'update',
    change: undefined,
    now: [{ path: ['mtu'], value }],
    ...given,
  };
}

async function origins(
  state: string,
  objects: readonly DriftedObject[],
  given: object = {},
): Promise<readonly string[]> {
  const { judge, warnings } = await findOrigins(objects, state, { ...CHECK, ...given });
  const texts = objects.map((one) => {
    const origin = judge(one);
    return 'run' in origin ? `${origin.type} ${origin.run.slice(7, 8)}` : origin.type;
  });
  return [...texts, ...warnings];
}

describe('since when an object differs', () => {
  it('is known from the newest run that wrote it on that controller', async () => {
    await inFolder({}, async (state) => {
      await wrote(state, id(1), [
        { object: 'a', seen: { mtu: 1 } },
        { object: 'b', seen: { mtu: 1 } },
      ]);
      await wrote(state, id(2), [
        { object: 'a', seen: { mtu: 2 } },
        { object: 'b', target: 'lb2', seen: { mtu: 2 } },
      ]);
      const objects = [drifted('a'), drifted('b'), drifted('c'), drifted('b', 2, { controller: 'lb2', target: 'lb2' })];
      expect(await origins(state, objects)).to.deep.equal([
        'changed since 2',
        'declared anew 1',
        'never applied',
        'declared anew 2',
      ]);
      expect(await origins(state, [drifted('a')], { id: id(2) })).to.deep.equal(['declared anew 1']);
      expect((await findOrigins([drifted('a')], undefined, CHECK)).judge(drifted('a'))).to.deep.equal({
        type: 'never applied',
      });
    });
  });

  it('is the same for all hosts of the controller, and not that of another one with the name', async () => {
    await inFolder({}, async (state) => {
      await wrote(state, id(1), [{ object: 'a', target: 'lb2', seen: { mtu: 1 } }]);
      const reached = new Map([
        ['lb1', 'https://lb2'],
        ['lb2', 'https://lb1'],
      ]);
      const objects = [
        drifted('a'),
        drifted('a', 1, { target: 'lb2' }),
        drifted('a', 1, { target: 'lb2', address: 'https://lb2' }),
        drifted('a', 1, { target: 'lb3' }),
      ];
      expect(await origins(state, objects, { reached })).to.deep.equal([
        'declared anew 1',
        'never applied',
        'declared anew 1',
        'never applied',
      ]);
    });
  });

  it('is that of the host where only a secret tells its address from others', async () => {
    await inFolder({}, async (state) => {
      const address = 'https://gw/********';
      await wrote(state, id(1), [{ object: 'a', address, seen: { mtu: 1 } }]);
      await wrote(state, id(2), [{ object: 'a', address, target: 'lb2', seen: { mtu: 2 } }]);
      const objects = ['lb1', 'lb2', 'lb3'].map((target) => drifted('a', 1, { target }));
      const reached = new Map(objects.map(({ target }) => [target, address]));
      expect(await origins(state, objects, { reached })).to.deep.equal([
        'declared anew 1',
        'changed since 2',
        'never applied',
      ]);
    });
  });

  it('does not come from checks, simulations and refused writes', async () => {
    await inFolder({}, async (state) => {
      await wrote(state, id(1), [{ object: 'a', seen: { mtu: 1 } }]);
      await wrote(state, id(2), [{ object: 'a', seen: { mtu: 9 } }], { check: true });
      await wrote(state, id(3), [{ object: 'a', seen: { mtu: 9 } }], { simulated: true });
      await wrote(state, id(4), [{ object: 'a', outcome: 'refused' }]);
      expect(await origins(state, [drifted('a')])).to.deep.equal(['declared anew 1']);
      expect(await origins(state, [drifted('a')], { simulated: true })).to.deep.equal(['changed since 3']);
    });
  });

  it('depends on what was written and what is there now', async () => {
    const cases: readonly (readonly [Omit<Written, 'object'>, Partial<DriftedObject>, string])[] = [
      [{ outcome: 'unknown', seen: { mtu: 1 } }, {}, 'unknown since'],
      [{}, {}, 'unknown since'],
      [{ outcome: 'unknown' }, { kind: 'create', now: [] }, 'unknown since'],
      [{ outcome: 'unknown' }, { kind: 'delete', now: [] }, 'unknown since'],
      [{ kind: 'delete' }, { kind: 'create', now: [] }, 'declared anew'],
      [{ kind: 'create', seen: { mtu: 1 } }, { kind: 'create', now: [] }, 'changed since'],
      [{ kind: 'delete' }, { kind: 'update' }, 'changed since'],
      [{ kind: 'delete' }, { kind: 'delete', now: [] }, 'changed since'],
      [{ kind: 'create', seen: { mtu: 1 } }, { kind: 'delete', now: [] }, 'declared anew'],
      [
        { seen: { mtu: 1, a: 2 } },
        {
          now: [
            { path: ['mtu'], value: 1 },
            { path: ['a'], value: 2 },
          ],
        },
        'declared anew',
      ],
      [
        { seen: { mtu: 1, a: 2 } },
        {
          now: [
            { path: ['mtu'], value: 1 },
            { path: ['a'], value: 3 },
          ],
        },
        'changed since',
      ],
      [{ seen: { mtu: 1 } }, { now: [{ path: ['a'], value: undefined }] }, 'declared anew'],
      [{ seen: { mtu: '********' } }, {}, 'unknown since'],
      [
        { seen: { mtu: 1, a: ['x ********'] } },
        {
          now: [
            { path: ['mtu'], value: 1 },
            { path: ['a'], value: ['y'] },
          ],
        },
        'declared anew',
      ],
      [{ seen: { mtu: 1 } }, { now: [{ path: ['mtu'], value: { deep: '********' } }] }, 'unknown since'],
      [
        { seen: { mtu: { ref: 'https://lb1/api/pool/p1#web' } } },
        { now: [{ path: ['mtu'], value: { ref: '/api/pool/p1' } }] },
        'declared anew',
      ],
      [
        { seen: { mtu: ['/api/pool/p1#web'] } },
        { now: [{ path: ['mtu'], value: ['https://lb9:8443/api/pool/p1'] }] },
        'declared anew',
      ],
      [
        { seen: { mtu: ['https://lb1/old/api/pool/p1'] } },
        { now: [{ path: ['mtu'], value: ['https://10.0.0.9/new/api/pool/p1#web'] }] },
        'declared anew',
      ],
      [
        { seen: { mtu: ['https://lb1/api/cluster', 'https://lb1/api/network?name=web'] } },
        { now: [{ path: ['mtu'], value: ['https://10.0.0.9/api/cluster', 'https://10.0.0.9/api/network?name=web'] }] },
        'declared anew',
      ],
      [{ seen: { mtu: ['a'] } }, { now: [{ path: ['mtu'], value: ['b'] }] }, 'changed since'],
      [{ seen: { mtu: '/api/pool/p1' } }, { now: [{ path: ['mtu'], value: '/api/pool/p2' }] }, 'changed since'],
      [{ seen: { mtu: 'a#b' } }, { now: [{ path: ['mtu'], value: 'a#c' }] }, 'changed since'],
    ];
    await inFolder({}, async (state) => {
      const objects = cases.map(([, given], at) => drifted(`o${at}`, 1, given));
      await wrote(
        state,
        id(1),
        cases.map(([written], at) => ({ object: `o${at}`, ...written })),
      );
      expect(await origins(state, objects)).to.deep.equal(cases.map(([, , origin]) => `${origin} 1`));
    });
  });

  it('is said not to be known where a journal cannot be read, and the others are', async () => {
    await inFolder({}, async (state) => {
      await wrote(state, id(1), [{ object: 'a', seen: { mtu: 1 } }]);
      await wrote(state, id(2), [{ object: 'a', seen: { mtu: 1 } }]);
      await writeFile(`${state}/runs/${id(2)}/run.json`, 'garbage');
      const [origin, other, warning, ...others] = await origins(state, [drifted('a'), drifted('b')]);
      expect({ origin, other, others }).to.deep.equal({ origin: 'declared anew 1', other: 'unknown', others: [] });
      expect(warning).to.match(new RegExp(`^cannot look up earlier writes in run ${id(2)}: `));
    });
  });

  it('is said not to be known where lines of a journal cannot be read', async () => {
    await inFolder({}, async (state) => {
      await wrote(state, id(1), [
        { object: 'a', seen: { mtu: 1 } },
        { object: 'b', seen: { mtu: 1 } },
      ]);
      const journal = journalFile(runFolder(state, id(1)));
      const lines = (await readFile(journal, 'utf8')).split('\n');
      const damaged = lines.map((line) => (line.includes('"object":"b"') ? 'garbage' : line));
      expect(damaged).not.to.deep.equal(lines);
      await writeFile(journal, damaged.join('\n'));
      const [origin, other, warning, ...others] = await origins(state, [drifted('a'), drifted('b')]);
      expect({ origin, other, others }).to.deep.equal({ origin: 'declared anew 1', other: 'unknown', others: [] });
      expect(warning).to.match(new RegExp(`^cannot look up earlier writes in run ${id(1)}: .*: it is not JSON`));
    });
  });

  it('is said once not to be known for runs of earlier versions', async () => {
    await inFolder({}, async (state) => {
      for (const number of [1, 2, 3, 4]) {
        await wrote(state, id(number), [{ object: 'a', seen: { mtu: 1 } }], { check: number === 4 });
        const file = `${state}/runs/${id(number)}/run.json`;
        const header = await readFile(file, 'utf8');
        if (number > 1) await writeFile(file, header.replace('"schemaVersion": 3', '"schemaVersion": 2'));
      }
      expect(await origins(state, [drifted('a'), drifted('b')])).to.deep.equal([
        'declared anew 1',
        'unknown',
        `2 runs of earlier versions of evenkeel, the newest ${id(3)}, cannot be looked up`,
      ]);
    });
  });

  it('is looked for no further than in the run that wrote the last of them', async () => {
    await inFolder({}, async (state) => {
      for (const number of [1, 2, 3]) await wrote(state, id(number), [{ object: `o${number}`, seen: { mtu: 1 } }]);
      await writeFile(`${state}/runs/${id(1)}/run.json`, 'garbage');
      expect(await origins(state, [drifted('o2'), drifted('o3')])).to.deep.equal([
        'declared anew 2',
        'declared anew 3',
      ]);
      expect(await origins(state, [])).to.deep.equal([]);
      expect(await origins(state, [drifted('o1')])).to.have.lengthOf(2);
    });
  });
});
