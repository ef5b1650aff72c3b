import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { continueRun } from '../../src/journal/start_run.js';
import { runFolder } from '../../src/journal/run_folders.js';
import { ownIdentity } from '../../src/claims/process_identity.js';
import type { Past } from '../../src/model/journal.js';
import { Secrets } from '../../src/model/secrets.js';
import { entriesUnread, joined, residentOf, StoredValue, storing } from '../../src/model/stored.js';
import type { Mapping, Value } from '../../src/model/value.js';
import { inFolder } from '../rig/folder.js';
import { aStep, beginRun, journalOf, readKept } from '../rig/kept.js';

const ROWS: Value = Array.from({ length: 20_000 }, (_, row) => ({ name: `vs-${row}`, password: `hunter-${row}` }));

/** A run of which a step has left a large value. */
async function keptRun(state: string, values: readonly Value[] = [ROWS]): Promise<string> {
  const journal = await beginRun(state);
  const entries: (readonly [string, Value | StoredValue])[] = [];
  for (const [index, value] of values.entries()) entries.push([`json${index}`, (await journal.store?.(value)) ?? null]);
  const registered = storing([['status', 200], ...entries]);
  journal.record(aStep({ left: { values: { registered } } }));
  await journal.close();
  return journal.id;
}

function leftOf(past: Past): Mapping {
  return (past.settled({ controller: 'lb1', place: '0:1' })?.left?.values?.['registered'] ?? {}) as Mapping;
}

async function filesOf(state: string, id: string): Promise<readonly string[]> {
  const folder = path.join(runFolder(state, id), 'values');
  return (await readdir(folder)).map((name) => path.join(folder, name));
}

describe('a large value of a run', () => {
  it('lies in a file of its own: compressed, sealed, and readable for nobody else', () =>
    inFolder({}, async (state) => {
      const id = await keptRun(state);
      const [file = '', ...others] = await filesOf(state, id);
      const bytes = await readFile(file);
      expect(others).to.deep.equal([]);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect(bytes.length).to.be.lessThan(JSON.stringify(ROWS).length / 4);
      expect(bytes.includes('hunter')).to.equal(false);
      const journal = await journalOf(state, id);
      expect(journal.length).to.be.lessThan(2000);
      expect(journal.includes(path.basename(file)), 'its name is sealed, too').to.equal(false);
    }));

  it('is written once, however often it is kept', () =>
    inFolder({}, async (state) => {
      const id = await keptRun(state, [ROWS, structuredClone(ROWS), 'x'.repeat(100_000)]);
      expect(await filesOf(state, id)).to.have.length(2);
    }));

  it('is read when somebody asks for it, and not before', () =>
    inFolder({}, async (state) => {
      const id = await keptRun(state);
      await readKept(state, id, ({ past }) => {
        expect(leftOf(past)['json0']).to.deep.equal(ROWS);
      });
      for (const file of await filesOf(state, id)) await rm(file);
      await readKept(state, id, ({ past }) => {
        const left = leftOf(past);
        expect(left['status']).to.equal(200);
        expect(() => left['json0']).to.throw(/^cannot read a stored value of this run from .*: it is gone$/);
      });
    }));

  it('is told to be unreadable where its file was changed', () =>
    inFolder({}, async (state) => {
      const id = await keptRun(state);
      for (const file of await filesOf(state, id)) await writeFile(file, 'something else, of some length at least');
      await readKept(state, id, ({ past }) => {
        expect(() => leftOf(past)['json0']).to.throw(/^cannot read a stored value of this run from /);
      });
    }));

  it('stays in its file when the run goes on', () =>
    inFolder({}, async (state) => {
      const id = await keptRun(state);
      await readKept(state, id, (run) => run).then(async (run) => {
        const journal = await continueRun(state, run, ownIdentity(), new Secrets());
        journal.record(aStep({ place: '0:2', left: { values: { again: leftOf(run.past) } } }));
        await journal.close();
      });
      expect(await filesOf(state, id)).to.have.length(1);
      const again = await readKept(
        state,
        id,
        ({ past }) => past.settled({ controller: 'lb1', place: '0:2' })?.left?.values?.['again'] as Mapping,
      );
      expect(again['json0']).to.deep.equal(ROWS);
    }));

  it('is told when it cannot be kept', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      await writeFile(path.join(runFolder(state, journal.id), 'values'), 'a file in the place of the folder');
      const refused = await journal.store?.(ROWS).catch((error: unknown) => String(error));
      expect(refused).to.match(/cannot store a large value in .*values: not a directory$/);
      await journal.close();
    }));
});

describe('a mapping with stored entries', () => {
  const unread = new StoredValue('a1', 70_000, () => {
    throw new Error('it was read');
  });

  it('can be put together, and looked at, without reading them', () => {
    const both = joined({ changed: false, json: 1 }, storing([['json', unread]]));
    expect(Object.keys(both)).to.deep.equal(['changed', 'json']);
    expect(entriesUnread(both)).to.deep.equal([
      ['changed', false],
      ['json', unread],
    ]);
    expect(residentOf(both)).to.deep.equal({ changed: false });
    expect(joined(both, { json: 2 })).to.deep.equal({ changed: false, json: 2 });
  });

  it('is any mapping to whoever reads it', () => {
    const mapping = storing([
      ['status', 200],
      ['json', new StoredValue('a1', 70_000, () => ['read'])],
    ]);
    expect(JSON.stringify(mapping)).to.equal('{"status":200,"json":["read"]}');
    expect({ ...mapping }).to.deep.equal({ status: 200, json: ['read'] });
  });
});
