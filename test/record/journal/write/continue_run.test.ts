import { appendFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Secrets } from '../../../../src/core/secrets/secrets.js';
import { journalFile, runFolder } from '../../../../src/record/journal/format/run_folders.js';
import { readHeader } from '../../../../src/record/journal/format/run_header.js';
import { continueRun } from '../../../../src/record/journal/write/continue_run.js';
import { ownIdentity } from '../../../../src/record/locks/process_identity.js';
import { EventMaker, masked } from '../../../rig/events.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, beginRun, journalOf, readKept } from '../../../rig/kept.js';

const FINISHED = masked(new EventMaker().runFinished());

describe('a run that two processes resume', () => {
  it('is refused to the process that read it before the other resumed, and loses nothing', () =>
    inFolder({}, async (state) => {
      const first = await beginRun(state);
      await first.intend(anIntent());
      await first.close();
      const [mine, theirs] = [
        await readKept(state, first.id, (run) => run),
        await readKept(state, first.id, (run) => run),
      ];
      const other = { ...ownIdentity(), pid: 4711 };
      const journal = await continueRun(state, theirs, other, new Secrets());
      await journal.intend(anIntent({ place: '0:2' }));
      await journal.close();
      const before = await journalOf(state, first.id);
      const refused = await continueRun(state, mine, ownIdentity(), new Secrets()).catch((error: unknown) => error);
      expect(refused).to.include({
        message: `run ${first.id} went on meanwhile (process 4711 on ${other.host})`,
        hint: 'see its result: evenkeel runs lists it',
      });
      expect((await journalOf(state, first.id)).equals(before)).to.be.true;
    }));

  it('is refused also if the same process has resumed it, and the resume has ended', () =>
    inFolder({}, async (state) => {
      const first = await beginRun(state);
      await first.close();
      const [mine, theirs] = [
        await readKept(state, first.id, (run) => run),
        await readKept(state, first.id, (run) => run),
      ];
      const own = mine.header.process;
      const journal = await continueRun(state, theirs, own, new Secrets(), { author: { user: 'ann', host: 'ops1' } });
      await journal.intend(anIntent({ place: '0:2' }));
      await journal.close();
      const before = await journalOf(state, first.id);
      const refused = await continueRun(state, mine, own, new Secrets()).catch((error: unknown) => error);
      expect(refused).to.be.an('error').with.property('message').that.includes('went on meanwhile');
      expect((await journalOf(state, first.id)).equals(before)).to.be.true;
    }));

  it('belongs to the second if the first was taken for dead and wakes up', () =>
    inFolder({}, async (state) => {
      const asleep = await beginRun(state);
      await asleep.intend(anIntent());
      const other = { ...ownIdentity(), pid: 4711 };
      const kept = await readKept(state, asleep.id, (run) => run);
      const journal = await continueRun(state, kept, other, new Secrets());
      await journal.intend(anIntent({ place: '0:2' }));
      const before = await journalOf(state, asleep.id);
      const why = 'another process has continued this run';
      expect(await asleep.intend(anIntent({ place: '0:3' })).catch((error: unknown) => error)).to.include({
        message: `nothing was written, because the run's journal cannot be written: ${why}`,
      });
      expect(asleep.broken.reason).to.include(why);
      asleep.keep(FINISHED);
      asleep.flush();
      await asleep.close();
      expect((await journalOf(state, asleep.id)).equals(before)).to.equal(true);
      expect((await readHeader(state, asleep.id)).header)
        .to.deep.include({ process: other })
        .and.not.have.property('end');
      await journal.intend(anIntent({ place: '0:3' }));
      journal.keep(FINISHED);
      await journal.close();
      expect(
        await readKept(state, asleep.id, ({ header, writes }) => [header.end?.status, writes().length]),
      ).to.deep.equal(['ok', 3]);
    }));

  it('drops a line that was cut off, so that the next one is whole', () =>
    inFolder({}, async (state) => {
      const first = await beginRun(state);
      await first.intend(anIntent());
      await first.close();
      const whole = await journalOf(state, first.id);
      await appendFile(journalFile(runFolder(state, first.id)), `{"type":"${'x'.repeat(10_000)}`);
      const kept = await readKept(state, first.id, (run) => run);
      const journal = await continueRun(state, kept, ownIdentity(), new Secrets());
      await journal.intend(anIntent({ place: '0:2' }));
      await journal.close();
      const text = (await journalOf(state, first.id)).toString();
      expect(text.startsWith(whole.toString())).to.equal(true);
      const added = text.slice(whole.length).trim().split('\n');
      expect(added.map((line) => (JSON.parse(line) as { readonly write: number }).write)).to.deep.equal([2]);
    }));
});
