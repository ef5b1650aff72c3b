import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Event } from '../../../../src/core/model/run/event.js';
import { readJournal } from '../../../../src/record/journal/read/read_journal.js';
import { EventMaker } from '../../../rig/events.js';
import { inFolder } from '../../../rig/folder.js';

describe('lines of a journal', () => {
  for (const [title, end] of [
    ['complete', '\n'],
    ['the last one without its end', ''],
  ] as const)
    it(`may be longer than what is read at once: ${title}`, () => {
      const make = new EventMaker();
      const warning = (length: number): Event => ({
        type: 'warning',
        time: make.runStarted().time,
        run: 'a',
        message: 'x'.repeat(length),
      });
      const events = [warning(1), warning(900_000), warning(2), warning(600_000)];
      const text = events.map((event) => JSON.stringify(event)).join('\n') + end;
      return inFolder({ 'journal.jsonl': text }, async (folder) => {
        const found: Event[] = [];
        const { length, endsOpen, hash } = await readJournal(folder, {
          event: (event) => found.push(event),
          record: () => undefined,
        });
        expect(found.map((event) => (event.type === 'warning' ? event.message.length : 0))).to.deep.equal([
          1, 900_000, 2, 600_000,
        ]);
        expect({ length, endsOpen }).to.deep.equal({ length: text.length, endsOpen: end === '' });
        expect(hash.digest('hex')).to.equal(createHash('sha256').update(text).digest('hex'));
      });
    });
});

describe('a journal that cannot be read', () => {
  it('is gone, or no file', async () => {
    const said = (folder: string): Promise<unknown> =>
      readJournal(folder, { event: () => undefined, record: () => undefined }).catch((error: unknown) => String(error));
    await inFolder({ 'a/journal.jsonl/x': '' }, async (folder) => {
      expect(await said(folder)).to.equal(`JournalError: the journal ${folder}/journal.jsonl is gone`);
      expect(await said(`${folder}/a`)).to.include('EISDIR');
    });
  });
});

describe('a journal with damaged lines', () => {
  const TIME = '2026-11-20T18:50:22.000Z';
  const warning = (message: string, more: object = {}): string =>
    JSON.stringify({ ...more, type: 'warning', time: TIME, run: 'r', message });
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const confirmed = (text: string, digest = hash(text)): string => `${String(text.length).padStart(16)} ${digest}\n`;

  /** The events that are read, and what is said of the others. */
  const read = (text: string, files: Readonly<Record<string, string>> = {}, unneeded?: ReadonlySet<string>) =>
    inFolder({ 'journal.jsonl': text, ...files }, async (folder) => {
      const [events, problems]: [string[], string[]] = [[], []];
      const event = (one: Event): void => void events.push(one.type === 'warning' ? one.message : one.type);
      const taking = {
        event,
        record: () => undefined,
        broken: (problem: string) => problems.push(problem.replaceAll(`${folder}/`, '')),
        ...(unneeded && { unneeded: unneeded as ReadonlySet<never> }),
      };
      const { length, endsOpen, hash: own } = await readJournal(folder, taking);
      const { broken: _, ...strict } = taking;
      const refused = await readJournal(folder, strict).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message.replaceAll(`${folder}/`, '') : error),
      );
      return { events: events.splice(0).slice(0, 9), problems, end: [length, endsOpen, own.digest('hex')], refused };
    });

  it('names the first of those that are damaged, and of those that refer to one, and counts these', async () => {
    const like = JSON.stringify({ like: 1, after: 0 });
    const text = `${[warning('a'), '{', like, warning('b'), like, 'x', like].join('\n')}\n`;
    const found = await read(text);
    expect(found.problems).to.deep.equal([
      'journal.jsonl:2: it is not JSON: it was left out',
      'journal.jsonl:6: it is not JSON: it was left out',
      'journal.jsonl:3: an earlier line that it refers to is damaged or missing: it was left out, and 2 more for the same reason',
    ]);
    expect([found.end, found.refused]).to.deep.equal([
      [text.length, false, hash(text)],
      'journal.jsonl:2: it is not JSON',
    ]);
    for (const [lines, more] of [
      [1, ''],
      [2, ', and 1 more for the same reason'],
    ] as const)
      expect((await read(`${like}\n`.repeat(lines))).problems).to.deep.equal([
        `journal.jsonl:1: an earlier line that it refers to is damaged or missing: it was left out${more}`,
      ]);
    const open = await read(`${warning('a')}\n{"type`);
    const first = `${warning('a')}\n`;
    expect([open.problems, open.refused, open.end]).to.deep.equal([[], undefined, [first.length, false, hash(first)]]);
  });

  it('says if it is not what the run confirmed', async () => {
    const text = `${warning('a')}\n${warning('b')}\n`;
    for (const [given, problem] of [
      [confirmed(text), undefined],
      [confirmed(`${warning('a')}\n`), undefined],
      [confirmed(`${text}more`), `only ${text.length} of the ${text.length + 4} bytes that the run wrote are left`],
      [confirmed(text, hash('other')), `its first ${text.length} bytes differ from what the run wrote`],
    ] as const) {
      const found = await read(text, { confirmed: given });
      const expected = problem === undefined ? [] : [`journal.jsonl: ${problem}`];
      expect([found.problems, found.refused]).to.deep.equal([expected, expected[0]]);
      expect([found.events.slice(0, 2), found.end]).to.deep.equal([
        ['a', 'b'],
        [text.length, false, hash(text)],
      ]);
    }
  });

  it('leaves out lines that are not needed only if it is whole', async () => {
    const text = `${warning('a')}\n${JSON.stringify({ type: 'run-started', time: TIME, run: 'r' })}\n${warning('b')}\n`;
    const unneeded = new Set(['warning']);
    for (const [given, events] of [
      [confirmed(text), ['run-started']],
      [confirmed(`${warning('a')}\n`), ['a', 'run-started', 'b']],
    ] as const) {
      const found = await read(text, { confirmed: given }, unneeded);
      expect(found.events.slice(0, events.length)).to.deep.equal(events);
      expect(found.end).to.deep.equal([text.length, false, hash(text)]);
    }
    expect((await read(text, {}, unneeded)).events.slice(0, 3)).to.deep.equal(['a', 'run-started', 'b']);
  });
});
