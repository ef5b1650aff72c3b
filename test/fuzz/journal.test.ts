import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { JournalError, journalFile, runFolder } from '../../src/record/journal/format/run_folders.js';
import { lockText, parseLock } from '../../src/record/locks/lock_folder.js';
import { holder } from '../record/locks/rig.js';
import { masked } from '../rig/events.js';
import { inFolder } from '../rig/folder.js';
import { anIntent, aPlay, aStep, aWarning, beginRun, journalOf, readKept } from '../rig/kept.js';
import { Fuzz } from './rig/fuzz.js';
import { mutated } from './rig/mutations.js';

describe('fuzzed journals', () => {
  const fuzz = new Fuzz();
  after(() => fuzz.stop());

  /** Reads everything that a run has kept, with one of its files replaced by the mutated one. */
  async function lookAt(which: 'journal' | 'header'): Promise<void> {
    await inFolder({}, async (state) => {
      const journal = await beginRun(state);
      journal.keep(masked(aPlay(['lb1', 'lb2'])));
      await journal.intend(anIntent({ object: 'cloud "雲"' }));
      journal.record({ type: 'write-finished', write: 1, controller: 'lb1', outcome: 'applied' });
      journal.record({ type: 'write-verified', write: 1, controller: 'lb1', seen: { name: 'edge', note: 'ü' } });
      journal.keep(masked(aWarning('stop')));
      journal.record(aStep({ left: { values: { answer: 1 } } }));
      await journal.close();
      const folder = runFolder(state, journal.id);
      const file = which === 'journal' ? journalFile(folder) : path.join(folder, 'run.json');
      const text = which === 'journal' ? (await journalOf(state, journal.id)).toString() : await readFile(file, 'utf8');
      await fuzz.try(
        mutated([text]),
        300,
        async (changed) => {
          await writeFile(file, changed);
          await readKept(state, journal.id, ({ past, writes, shownWrites, invocation }) => {
            past.finishedStep({ controller: 'lb1', place: '0:1' });
            past.writes({ controller: 'lb1', place: '0:1' });
            past.startedBatches(0, () => true);
            past.hasPassed(0, ['lb1']);
            writes();
            shownWrites();
            invocation();
          });
        },
        [JournalError],
      );
    });
  }

  it('are read or reported: their lines', () => lookAt('journal')).timeout(120_000);
  it('are read or reported: their headers', () => lookAt('header')).timeout(120_000);

  it('are not the only state: locks are accepted or reported', () =>
    fuzz.try(mutated([lockText({ holder: holder('r1'), places: new Set(['a', 'b']) })]), 1000, (text) => {
      const claim = parseLock(text);
      if (claim !== undefined) expect(claim.holder.process.pid).to.be.greaterThan(0);
    }));
});
