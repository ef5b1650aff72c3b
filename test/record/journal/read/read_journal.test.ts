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
