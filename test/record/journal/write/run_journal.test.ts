import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { WriteIntended } from '../../../../src/core/model/run/journal.js';
import { Unsafe } from '../../../../src/core/model/values/value.js';
import { Secrets } from '../../../../src/core/secrets/secrets.js';
import { EventMaker, masked } from '../../../rig/events.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, aStep, beginRun, journalOf, readKept } from '../../../rig/kept.js';

const SECRET = 'hunter22!';

function knowing(...values: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

/** Records one write; returns what is on disk and what is read back. */
async function kept(
  intent: Partial<WriteIntended>,
  secrets = knowing(SECRET),
): Promise<{ text: string; whole: object; sealed: boolean }> {
  return inFolder({}, async (state) => {
    const journal = await beginRun(state, { secrets });
    await journal.intend(anIntent(intent));
    await journal.close();
    const text = (await journalOf(state, journal.id)).toString();
    const [write] = await readKept(state, journal.id, ({ writes }) => writes());
    const { write: number, time, ...whole } = { time: undefined, ...write!.intent };
    expect([number, typeof time]).to.deep.equal([1, 'string']);
    return { text, whole, sealed: text.includes('"sealed"') };
  });
}

describe('the journal of a run', () => {
  it('keeps a write readable if it has no secrets', async () => {
    const { text, whole, sealed } = await kept({});
    expect(sealed).to.be.false;
    expect(whole).to.deep.equal(anIntent());
    expect(JSON.parse(text)).to.deep.include({ type: 'write-intended', write: 1, object: 'cloud "edge"' });
    expect(JSON.parse(text)).to.not.have.property('body');
  });

  it('keeps a body that differs from the desired object', async () => {
    const body = { name: 'edge', mtu: 1500, extra: true };
    const { text, whole } = await kept({ body });
    expect(JSON.parse(text)).to.deep.include({ body });
    expect(whole).to.deep.equal(anIntent({ body }));
  });

  it('seals the secrets of it, and keeps the rest readable', async () => {
    const after = { name: 'edge', snmp: SECRET, mtu: 1500 };
    const intent = { change: { kind: 'create', object: 'cloud "edge"', before: null, after }, body: after } as const;
    const { text, whole } = await kept(intent);
    expect(text).to.not.include(SECRET);
    expect(JSON.parse(text)).to.have.nested.property('change.after.snmp', '********');
    expect(whole).to.deep.equal(anIntent(intent));
  });

  it('seals values that JSON cannot express', async () => {
    const body = { name: 'edge', ratio: NaN, zero: -0, text: new Unsafe('{{x}}') };
    const { whole, sealed } = await kept({ body });
    expect(sealed).to.be.true;
    expect(whole).to.deep.equal(anIntent({ body }));
  });

  it('seals everything that a no_log task writes', async () => {
    const intent = {
      hidden: true,
      object: 'cloud "quiet"',
      path: '/api/quiet',
      name: 'quiet',
      body: { word: 'quiet' },
      change: { kind: 'create', object: 'cloud "quiet"', before: null, after: { word: 'quiet' } },
    } as const;
    const { text, whole } = await kept(intent);
    expect(text).to.not.include('quiet');
    expect(whole).to.deep.equal(anIntent(intent));
  });

  it('seals secrets in objects and answers of a controller', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state, { secrets: knowing(SECRET) });
      await journal.intend(anIntent());
      await journal.intend(anIntent({ hidden: true }));
      const answer = { status: 200, body: { said: 'plain words' } };
      journal.record({ type: 'write-finished', write: 1, controller: 'lb1', outcome: 'applied', answer });
      journal.record({ type: 'write-verified', write: 1, controller: 'lb1', seen: { key: SECRET } });
      journal.record({
        type: 'write-verified',
        write: 2,
        controller: 'lb1',
        seen: { word: 'plain words' },
        hidden: true,
      });
      journal.record(aStep({ title: `Say ${SECRET}` }));
      await journal.close();
      const text = (await journalOf(state, journal.id)).toString();
      expect(text).to.not.include(SECRET).and.not.include('plain words');
      const [first, second] = await readKept(state, journal.id, ({ writes }) => writes());
      expect([first?.answer, first?.seen, second?.seen]).to.deep.equal([
        answer,
        { key: SECRET },
        { word: 'plain words' },
      ]);
      const step = await readKept(state, journal.id, ({ past }) =>
        past.finishedStep({ controller: 'lb1', place: '0:1' }),
      );
      expect(step?.title).to.equal(`Say ${SECRET}`);
    }));

  it('seals secrets in the address of a controller, which a resume compares', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state, { secrets: knowing(SECRET) });
      const url = `https://gateway/${SECRET}/lb1`;
      journal.record({ type: 'controller-reached', controller: 'lb1', url });
      await journal.close();
      expect((await journalOf(state, journal.id)).toString()).to.not.include(SECRET);
      const reached = await readKept(state, journal.id, (run) => run.reached());
      expect([...reached]).to.deep.equal([['lb1', { url, shown: 'https://gateway/********/lb1' }]]);
      // Without the key, what the journal shows can be read.
      await rm(path.join(state, 'key'));
      const later = (await readKept(state, journal.id, (run) => run.reached())).get('lb1');
      expect(later?.shown).to.equal('https://gateway/********/lb1');
      expect(() => later?.url).to.throw('cannot restore the address of lb1');
    }));

  it('is stored in folders and files that only their owner can read', () =>
    inFolder({}, async (folder) => {
      const state = path.join(folder, '.evenkeel');
      const journal = await beginRun(state);
      await journal.close();
      const run = path.join(state, 'runs', journal.id);
      const modes = await Promise.all(
        [
          state,
          path.join(state, 'runs'),
          run,
          path.join(run, 'run.json'),
          path.join(run, 'journal.jsonl'),
          path.join(run, 'confirmed'),
        ].map(async (name) => ((await stat(name)).mode & 0o777).toString(8)),
      );
      expect(modes).to.deep.equal(['700', '700', '700', '600', '600', '600']);
    }));

  it('numbers writes in the order of the intents', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const numbers = await Promise.all([1, 2, 3].map((place) => journal.intend(anIntent({ place: `0:${place}` }))));
      await journal.close();
      expect(numbers).to.deep.equal([1, 2, 3]);
    }));

  it('formats a change once, for the write and for the task', async () => {
    await inFolder({}, async (state) => {
      let made = 0;
      const after = { name: 'edge' };
      Object.defineProperty(after, 'toJSON', { value: () => ({ name: 'edge', made: ++made }) });
      const change = { kind: 'create', object: 'cloud "edge"', before: null, after } as const;
      const journal = await beginRun(state);
      await journal.intend(anIntent({ change }));
      journal.keep(masked(new EventMaker().taskFinished('lb1', 'changed', { change })));
      await journal.close();
      const lines = (await journalOf(state, journal.id))
        .toString()
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      expect(made).to.equal(1);
      for (const line of lines)
        expect(line).to.have.deep.property('change', { ...change, after: { name: 'edge', made: 1 } });
      expect(lines).to.have.length(2);
    });
  });
});
