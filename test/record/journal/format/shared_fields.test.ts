import { expect } from 'chai';
import fc from 'fast-check';
import type { Change } from '../../../../src/core/model/run/result.js';
import { jsonText } from '../../../../src/core/model/values/value.js';
import { type LineFields, LineTexts } from '../../../../src/record/journal/format/line_texts.js';
import { EntryReader, type JournalEntry } from '../../../../src/record/journal/read/entry.js';
import { reaching } from '../../../rig/kept.js';
import { SEED } from '../../../rig/random_seed.js';

const LINES = 4000;
const RESUMED_AT = 2500;
/** Number of lines about a task before the next task begins. More lines follow than a journal remembers. */
const LINES_OF_TASK = 16;

const SKIPPED: ReadonlySet<string> = new Set(['task-finished', 'write-intended']);

const CHANGES: readonly Change[] = [
  { kind: 'none' },
  { kind: 'update', object: 'pool', before: { mtu: 1500 }, after: { mtu: 2n ** 64n } },
];

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

function mostly<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return rarely(fc.constantFrom(...others)).map((other) => other ?? usual);
}

/** Few values, so that lines often differ in only one field. JSON omits some of them, or writes two alike. */
const odd = rarely(
  fc.constantFrom(
    undefined,
    null,
    false,
    0,
    -0,
    1,
    1n,
    2n ** 70n,
    1e21,
    '',
    '1',
    '#',
    {},
    { a: 1 },
    { a: 1n },
    { a: 1, b: undefined },
    { b: 2, a: 1 },
    { a: 1, b: 2 },
    { a: { b: null } },
    { a: { b: [] } },
    [],
    [1],
    [1n],
    [null],
    ['1', { a: undefined }],
    { like: 1, id: 2, after: 3 },
  ),
);
const flag = rarely(fc.constantFrom(true, false));
const step = fc.constantFrom('kind~1', 'kind~1', 'kind~1#a', 'kind~1#b', 'kind~2', undefined);
const source = mostly({ file: 'a.yml', line: 1, column: 1 }, { file: 'a.yml', line: 1, column: 2 });
const messageLength = rarely(fc.constantFrom(5, 5, 5, 5, 5, 5, 4200, 70_000));
const message = messageLength.map((length) => (length === undefined ? undefined : 'é"\\'.padEnd(length, 'x')));

const common = {
  time: fc.integer({ min: 0, max: 10 ** 12 }).map((ms) => new Date(ms).toISOString()),
  controller: fc.constantFrom('lb1', 'lb2', 'lb3'),
  module: mostly('pool', 'debug'),
};
const ofStep = {
  ...common,
  key: step,
  item: rarely(fc.constantFrom(0, 1)),
  alike: rarely(fc.constant(2)),
  list: rarely(fc.constant('digest')),
  sealed: rarely(fc.constantFrom('sealed 1', 'sealed 2')),
};
const change = rarely(fc.constantFrom(...CHANGES));

const finishedTask = fc.record(
  {
    ...common,
    type: fc.constant('task-finished'),
    run: fc.constant('run'),
    play: fc.constant('Roll out'),
    status: mostly('ok', 'failed'),
    source,
    message,
    change,
    diff: odd,
    check: flag,
    spoken: odd,
    values: odd,
    seconds: odd,
  },
  { requiredKeys: ['type', 'time', 'run', 'play', 'module', 'controller', 'status', 'source'] },
);
const settledStep = fc.record(
  {
    ...ofStep,
    type: fc.constant('step-settled'),
    title: mostly('One', 'Two'),
    end: mostly('completed', 'failed'),
    counted: mostly<object>({ status: 'ok' }, { status: 'ok', changed: undefined }, { status: 'changed' }),
  },
  { requiredKeys: ['type', 'time', 'controller', 'module', 'title', 'end', 'counted'] },
);
const intendedWrite = fc.record(
  {
    ...ofStep,
    type: fc.constant('write-intended'),
    write: fc.nat(3),
    target: mostly('pool a', 'pool b'),
    reached: fc.constantFrom(reaching('lb1'), reaching('lb2')),
    play: fc.constant('Roll out'),
    source,
    method: mostly('PUT', 'POST'),
    body: odd,
    change,
    hidden: flag,
  },
  { requiredKeys: ['type', 'time', 'controller', 'module', 'write', 'target', 'reached', 'play', 'source', 'method'] },
);
const warning = fc.record(
  {
    time: common.time,
    type: fc.constant('warning'),
    run: fc.constant('run'),
    message: fc.constantFrom('one', 'two'),
    controller: common.controller,
    source,
    givesUp: flag,
  },
  { requiredKeys: ['type', 'time', 'run', 'message'] },
);

const generated = fc.record({
  fields: fc.oneof(finishedTask, settledStep, intendedWrite, warning),
  /** How many tasks ago: the lines of some are already forgotten. */
  back: fc.oneof({ weight: 5, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.integer({ min: 30, max: 160 }) }),
  isReversed: fc.boolean(),
});

interface Written {
  readonly fields: LineFields;
  readonly line: string;
}

/** The lines of a journal with what each of them records. A resume starts with an empty memory. */
function* written(seed: number): Generator<Written> {
  let lines = new LineTexts(0);
  let bytes = 0;
  const all = fc.sample(generated, { seed, numRuns: LINES });
  for (const [index, { fields, back, isReversed }] of all.entries()) {
    if (index === RESUMED_AT) lines = new LineTexts(bytes);
    const number = Math.max(0, Math.floor(index / LINES_OF_TASK) - back);
    const { type, ...rest } = fields;
    const whole = { type, ...rest, place: `0:${number}`, task: `Task ${number}` };
    const ordered = isReversed ? { ...Object.fromEntries(Object.entries(whole).toReversed()), ...whole } : whole;
    const one = writtenLine(lines, ordered);
    bytes += Buffer.byteLength(one.line) + 1;
    yield one;
  }
}

/** A large line is written without what makes it large. */
function writtenLine(lines: LineTexts, fields: LineFields): Written {
  const line = lines.writeUnlessLarge(fields);
  if (line !== undefined) return { fields, line };
  const light = { ...fields, message: 'left out' };
  return { fields: light, line: lines.write(light) };
}

function readAlone(fields: LineFields): JournalEntry {
  return new EntryReader().parse(jsonText(fields));
}

describe('a line of a journal', () => {
  for (const seed of [SEED, SEED + 1])
    it(`is read as if it shared nothing with others, also by a reader that skips some types (seed ${seed})`, () => {
      const [reader, skipping] = [new EntryReader(), new EntryReader()];
      const count = { id: 0, like: 0, skipped: 0 };
      for (const { fields, line } of written(seed)) {
        const recorded = readAlone(fields);
        expect(recorded.type, line).to.be.oneOf(['event', 'record']);
        expect(reader.parse(line), line).to.deep.equal(recorded);
        const bytes = Buffer.from(line);
        if (skipping.skips(SKIPPED, bytes, 0, bytes.length)) {
          expect(SKIPPED, line).to.include(fields.type);
          count.skipped += 1;
        } else expect(skipping.parse(line), line).to.deep.equal(recorded);
        if (line.startsWith('{"id":')) count.id += 1;
        if (line.startsWith('{"like":')) count.like += 1;
      }
      expect(count.id, 'more than are remembered').to.be.greaterThan(2000);
      expect(count.like).to.be.greaterThan(500);
      expect(count.skipped).to.be.greaterThan(1000);
    });

  it('refers to an earlier one of the same step also where names differ by rack, and handlers by name', () => {
    const lines = new LineTexts(0);
    const settled = (rack: number, at: number): LineFields => ({
      type: 'step-settled',
      time: '2026-11-28T12:00:00.000Z',
      controller: `lb${at}`,
      place: '0:1',
      title: `Rack ${rack}`,
    });
    const notified = (handler: number, at: number): LineFields => ({
      type: 'handler-notified',
      time: '2026-11-28T12:00:00.000Z',
      controller: `lb${at}`,
      handler: `Handler ${handler}`,
    });
    for (const line of [settled, notified]) {
      const texts = Array.from({ length: 200 }, (_, at) => lines.write(line(at % 20, at)));
      expect(texts.filter((text) => text.startsWith('{"id":'))).to.have.length(20);
      expect(texts.filter((text) => text.startsWith('{"like":'))).to.have.length(180);
    }
  });
});
