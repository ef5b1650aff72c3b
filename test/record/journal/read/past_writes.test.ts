import { appendFile, mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { cleanupArea, placeIn } from '../../../../src/core/model/playbook/step_place.js';
import type { WriteIntended } from '../../../../src/core/model/run/journal.js';
import { jsonText, type Mapping } from '../../../../src/core/model/values/value.js';
import { Secrets } from '../../../../src/core/secrets/secrets.js';
import { journalFile, runFolder } from '../../../../src/record/journal/format/run_folders.js';
import type { KeptRecord } from '../../../../src/record/journal/read/entry.js';
import { objectNameKey, PastWrites } from '../../../../src/record/journal/read/past_writes.js';
import { JournalTail } from '../../../../src/record/journal/read/read_journal.js';
import type { KeptRun } from '../../../../src/record/journal/read/read_run.js';
import { EventMaker } from '../../../rig/events.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, beginRun, readKept, reaching } from '../../../rig/kept.js';

const record = (type: KeptRecord['type'], shown: Mapping): KeptRecord => ({ type, shown, sealed: undefined });
const intended = (write: number, shown: Mapping, reached = 'lb1'): KeptRecord =>
  record('write-intended', {
    write,
    controller: 'lb1',
    target: 'lb1',
    place: '0:1',
    ...shown,
    reached: { ...reaching(reached) },
  });
const finished = (write: number, outcome: string): KeptRecord => record('write-finished', { write, outcome });

function writesOf(...records: readonly KeptRecord[]): PastWrites {
  const writes = new PastWrites();
  for (const one of records) writes.record(one);
  return writes;
}

const numbers = (writes: PastWrites['all']) => writes.map(({ intent }) => intent.shown['write']);

describe('the writes of a kept run', () => {
  it('have the outcome that was recorded last, unknown at first', () => {
    const verified = record('write-verified', { write: 2 });
    const writes = writesOf(
      intended(1, {}),
      intended(2, {}),
      intended(7, {}),
      finished(1, 'refused'),
      finished(2, 'applied'),
      finished(1, 'odd'),
      finished(9, 'applied'),
      verified,
      record('write-finished', { outcome: 'applied' }),
    );
    expect(writes.all.map(({ outcome }) => outcome)).to.deep.equal(['refused', 'applied', 'unknown']);
    expect(writes.all.map((one) => [one.finished?.shown['write'], one.verified === verified])).to.deep.equal([
      [1, false],
      [2, true],
      [undefined, false],
    ]);
    expect([writes.last, writesOf().last]).to.deep.equal([7, 0]);
  });

  it('are those of a step: by its key, or by its place and item', () => {
    const writes = writesOf(
      intended(1, { key: 'a' }),
      intended(2, { key: 'a#1', item: 1 }),
      intended(3, { key: 'ab' }),
      intended(4, {}),
      intended(5, { item: 0 }),
      intended(6, { controller: 'lb2', key: 'a' }),
    );
    const of = (ref: object) => numbers(writes.atStep({ controller: 'lb1', place: '0:1', item: undefined, ...ref }));
    expect([of({ key: 'a' }), of({ key: 'zz' }), of({}), of({ item: 0 }), of({ place: '0:2' })]).to.deep.equal([
      [1, 4],
      [4],
      [1, 3, 4],
      [5],
      [],
    ]);
    const within = (ref: object) =>
      numbers(writes.within({ controller: 'lb1', place: '0:1', item: undefined, ...ref }));
    expect([
      within({ key: 'a' }),
      within({}),
      within({ controller: 'lb2', key: 'a' }),
      within({ controller: 'lb3' }),
    ]).to.deep.equal([[1, 2], [1, 3, 4], [6], []]);
  });

  it('are those to a controller, whoever sent them, rolled back or not', () => {
    const writes = writesOf(
      intended(1, {}, 'lb9'),
      intended(2, { controller: 'lb2', target: 'other name', uncomparable: true }, 'lb9'),
      intended(3, { place: '0:1' }),
      intended(4, {}, 'lb9'),
      finished(1, 'applied'),
      finished(3, 'applied'),
    );
    expect([numbers(writes.to('lb9')), numbers(writes.to('lb1')), writes.to('lb2')]).to.deep.equal([
      [1, 2, 4],
      [3],
      [],
    ]);
    expect([numbers(writes.uncomparable('lb9')), writes.uncomparable('lb1')]).to.deep.equal([[2], []]);
    writes.forget('lb1', () => true);
    writes.record(intended(5, {}, 'lb9'));
    expect(numbers(writes.to('lb9'))).to.deep.equal([1, 2, 4, 5]);
    writes.record(intended(6, {}, 'lb9'));
    expect(numbers(writes.to('lb9'))).to.deep.equal([1, 2, 4, 5, 6]);
  });

  it('are those of the cleanup of each controller, whichever host cleaned up, until its steps are forgotten', () => {
    const writes = writesOf(
      intended(1, { place: placeIn(cleanupArea('0:'), [1]) }),
      intended(2, {}),
      intended(3, { place: placeIn(cleanupArea('0:gate/'), [1]) }, 'lb2'),
      intended(4, { controller: 'lb2', place: placeIn(cleanupArea('1:'), [2]) }),
      ...[1, 2, 3, 4].map((write) => finished(write, 'applied')),
    );
    const cleanups = () => ['lb1', 'lb2', 'lb3'].map((name) => numbers(writes.cleanups(name)));
    expect(cleanups()).to.deep.equal([[1, 4], [3], []]);
    writes.forget('lb1', () => true);
    expect(cleanups()).to.deep.equal([[4], [], []]);
    expect(['lb1', 'lb2'].map((name) => numbers(writes.by(name)))).to.deep.equal([[], [4]]);
  });
});

describe('the tail of a journal', () => {
  it('passes on each event once, whichever part of its line was there, and skips damaged lines', () =>
    inFolder({}, async (folder) => {
      const file = journalFile(folder);
      await mkdir(folder, { recursive: true });
      const make = new EventMaker();
      const lines = [
        make.playStarted(['lb1']),
        make.taskFinished('lb1', 'ok', { message: 'ü' }),
        make.runFinished(),
      ].map((event) => Buffer.from(`${jsonText(event)}\n`));
      const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = lines;
      const middle = second.indexOf(Buffer.from('ü')) + 1;
      await writeFile(file, Buffer.concat([first, second.subarray(0, middle)]));
      const tail = await JournalTail.open(folder);
      const seen: string[] = [];
      const read = async (isWanted?: (line: string) => boolean) => {
        const note = (text: string): unknown => seen.push(text);
        const more = await tail.read(({ type }) => note(type), note, isWanted);
        return [more, seen.splice(0)];
      };
      try {
        expect(await read()).to.deep.equal([true, ['play-started']]);
        expect(await read()).to.deep.equal([false, []]);
        await appendFile(file, Buffer.concat([second.subarray(middle), Buffer.from('{"type":\n')]));
        const damaged = `${file}:3: it is not JSON: it was left out`;
        expect(await read()).to.deep.equal([true, ['task-finished', damaged]]);
        await appendFile(file, Buffer.concat([Buffer.from('\n'), first, third, third]));
        expect(await read((line) => !line.includes('play-started'))).to.deep.equal([
          true,
          [damaged.replace(':3:', ':4:'), 'run-finished', 'run-finished'],
        ]);
        // A resume cuts off half of a line before it writes.
        const { size } = await stat(file);
        await appendFile(file, second.subarray(0, middle));
        expect(await read()).to.deep.equal([false, []]);
        await truncate(file, size);
        await appendFile(file, Buffer.concat([first, second]));
        const resumed = size + first.length + second.length;
        const confirm = (length: number) =>
          writeFile(path.join(folder, 'confirmed'), `${String(length).padStart(16)} ${'0'.repeat(64)}\n`);
        await confirm(resumed);
        expect(await tail.missing()).to.equal(undefined);
        expect(await read()).to.deep.equal([true, ['play-started', 'task-finished']]);
        await confirm(resumed + 1);
        expect(await tail.missing()).to.equal(
          `${file}: only ${resumed} of the ${resumed + 1} bytes that the run wrote are left`,
        );
      } finally {
        await tail.close();
      }
    }));

  it('is refused if there is no journal', async () => {
    const error = await JournalTail.open('/nowhere').catch((one: unknown) => one);
    expect(error)
      .to.have.property('message')
      .that.matches(/^cannot read \/nowhere\/journal\.jsonl: n/);
  });
});

const DELETE = { kind: 'delete', object: 'pool "a"', before: { name: 'a' }, after: null } as const;
const key = (target: string, object: string, tenant?: string): string =>
  objectNameKey({ address: reaching(target).url, target, object, tenant });

describe('the writes of a run', () => {
  it('say which parts of their change and of what was seen the journal masks, unless all of it is hidden', () =>
    inFolder({}, async (state) => {
      const secrets = new Secrets();
      for (const one of ['secret-of-change', 'secret-of-object']) secrets.add(one);
      const journal = await beginRun(state, { secrets });
      const after = { name: 'edge', password: 'secret-of-change' };
      const change = { kind: 'create', object: 'cloud "edge"', before: null, after } as const;
      const seen = { name: 'edge', token: 'secret-of-object' };
      for (const fields of [{ change, body: after }, {}, { change, body: after, hidden: true } as const]) {
        const write = await journal.intend(anIntent(fields));
        journal.record({ type: 'write-finished', write, controller: 'lb1', outcome: 'applied' });
        journal.record({
          type: 'write-verified',
          write,
          controller: 'lb1',
          seen,
          ...('hidden' in fields && { hidden: true }),
        });
      }
      await journal.intend(anIntent({ change, body: after }));
      await journal.close();
      const writes = await readKept(state, journal.id, (run) => run.writes());
      expect(writes.map(({ masked }) => masked)).to.deep.equal([
        ['secret-of-change', 'secret-of-object'],
        ['secret-of-object'],
        [],
        ['secret-of-change'],
      ]);
      expect(writes.map((one) => one.seen)).to.deep.equal([seen, seen, seen, undefined]);
      expect(writes.map(({ outcome }) => outcome)).to.deep.equal(['applied', 'applied', 'applied', 'unknown']);
    }));
});

describe('the last writes to objects', () => {
  it('are those that may have taken effect, for each controller, tenant and object that is wanted', () =>
    inFolder({}, async (state) => {
      const secrets = new Secrets();
      secrets.add('a-secret-name');
      const journal = await beginRun(state, { secrets });
      const write = async (
        fields: Partial<WriteIntended>,
        outcome?: 'applied' | 'refused',
        seen?: Mapping,
      ): Promise<void> => {
        const number = await journal.intend(anIntent(fields));
        const { controller } = anIntent(fields);
        if (outcome !== undefined) journal.record({ type: 'write-finished', write: number, controller, outcome });
        if (seen !== undefined) journal.record({ type: 'write-verified', write: number, controller, seen: seen });
      };
      await write({ object: 'pool "a"' }, 'applied', { name: 'a', mtu: 1 });
      await write({ object: 'pool "a"', change: DELETE }, 'applied');
      await write({ object: 'pool "a"' }, 'refused');
      await write({ object: 'pool "a"', target: 'lb2' }, 'applied', { name: 'a', secret: 'a-secret-name' });
      await write({ object: 'pool "a"', tenant: 'blue' });
      await write({ object: 'pool "b"' }, 'refused');
      await write({ object: 'pool "c"' }, 'applied', { name: 'c' });
      await journal.close();
      const wanted = new Set([
        key('lb1', 'pool "a"'),
        key('lb2', 'pool "a"'),
        key('lb1', 'pool "a"', 'blue'),
        key('lb1', 'pool "b"'),
      ]);
      const read = (): Promise<ReturnType<KeptRun['objectWrites']>> =>
        readKept(state, journal.id, ({ objectWrites }) => objectWrites((one) => wanted.has(one)));
      expect([...(await read())]).to.deep.equal([
        [key('lb1', 'pool "a"'), { kind: 'delete', outcome: 'applied', seen: undefined }],
        [key('lb2', 'pool "a"'), { kind: 'create', outcome: 'applied', seen: { name: 'a', secret: 'a-secret-name' } }],
        [key('lb1', 'pool "a"', 'blue'), { kind: 'create', outcome: 'unknown', seen: undefined }],
      ]);
      // Nobody reads it any more.
      const marks = (await readdir(runFolder(state, journal.id))).filter((name) => name.includes('read'));
      expect(marks).to.deep.equal([]);
      await rm(path.join(state, 'key'));
      const { seen, ...rest } = (await read()).get(key('lb2', 'pool "a"')) ?? {};
      expect([seen, rest]).to.deep.equal([undefined, { kind: 'create', outcome: 'applied' }]);
    }));
});
