import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { WriteIntended } from '../../../../src/core/model/run/journal.js';
import type { Past, PastWrite } from '../../../../src/core/model/run/past.js';
import { entriesUnread, joined, loadResident, StoredValue, storing } from '../../../../src/core/model/values/stored.js';
import type { Mapping, Value } from '../../../../src/core/model/values/value.js';
import { Secrets } from '../../../../src/core/secrets/secrets.js';
import { runFolder } from '../../../../src/record/journal/format/run_folders.js';
import { continueRun } from '../../../../src/record/journal/write/continue_run.js';
import { ownIdentity } from '../../../../src/record/locks/process_identity.js';
import { findEffects } from '../../../../src/undo/effects.js';
import { masked } from '../../../rig/events.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, aStep, beginRun, journalOf, readKept } from '../../../rig/kept.js';

const ROWS: Value = Array.from({ length: 20_000 }, (_, row) => ({ name: `vs-${row}`, password: `hunter-${row}` }));

/** A run with a step that registered a large value. */
async function keptRun(state: string, values: readonly Value[] = [ROWS]): Promise<string> {
  const journal = await beginRun(state);
  const entries: (readonly [string, Value | StoredValue])[] = [];
  for (const [index, value] of values.entries()) entries.push([`json${index}`, await journal.store(value)]);
  const registered = storing([['status', 200], ...entries]);
  journal.record(aStep({ left: { values: { registered } } }));
  await journal.close();
  return journal.id;
}

function leftOf(past: Past): Mapping {
  return (past.finishedStep({ controller: 'lb1', place: '0:1' })?.left?.values?.['registered'] ?? {}) as Mapping;
}

async function filesOf(state: string, id: string): Promise<readonly string[]> {
  const folder = path.join(runFolder(state, id), 'values');
  return (await readdir(folder)).map((name) => path.join(folder, name));
}

describe('a large value of a run', () => {
  it('is stored in its own file: compressed, sealed, and readable by the owner only', () =>
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

  it('is read only when it is used', () =>
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

  it('is reported as unreadable if its file was changed', () =>
    inFolder({}, async (state) => {
      const id = await keptRun(state);
      for (const file of await filesOf(state, id)) await writeFile(file, 'something else, of some length at least');
      await readKept(state, id, ({ past }) => {
        expect(() => leftOf(past)['json0']).to.throw(/^cannot read a stored value of this run from /);
      });
    }));

  it('stays in its file after a resume', () =>
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
        ({ past }) => past.finishedStep({ controller: 'lb1', place: '0:2' })?.left?.values?.['again'] as Mapping,
      );
      expect(again['json0']).to.deep.equal(ROWS);
    }));

  it('is reported if it cannot be written', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      await writeFile(path.join(runFolder(state, journal.id), 'values'), 'a file in the place of the folder');
      const refused = await journal.store(ROWS).catch((error: unknown) => String(error));
      expect(refused).to.match(/cannot store a large value in .*values: not a directory$/);
      await journal.close();
    }));
});

const BEFORE: Mapping = { uuid: 'u1', notes: 'b'.repeat(200_000), admin: 'opensesame' };
const AFTER: Mapping = { ...BEFORE, notes: 'a'.repeat(200_000) };
const UPDATE: Partial<WriteIntended> = {
  method: 'PUT',
  path: '/api/cloud/u1',
  change: { kind: 'update', object: 'cloud "edge"', before: BEFORE, after: AFTER },
  body: AFTER,
};
const RAW: Partial<WriteIntended> = {
  path: '/api/action',
  change: { kind: 'invoke', object: 'POST /api/action', before: null, after: null },
  body: { rows: ROWS },
};

function isGone(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}

function beforeOf(write: PastWrite | undefined): unknown {
  const change = write?.intent.change;
  return change?.kind === 'update' ? change.before : undefined;
}

/** A run that updated a large object, and was given a large answer to a raw request. */
async function writingRun(state: string): Promise<string> {
  const secrets = new Secrets();
  secrets.add('opensesame');
  const journal = await beginRun(state, { secrets });
  const [update, raw] = [await journal.intend(anIntent(UPDATE)), await journal.intend(anIntent(RAW))];
  const finished = { type: 'write-finished', controller: 'lb1', outcome: 'applied' } as const;
  journal.record({ ...finished, write: update });
  journal.record({ type: 'write-verified', write: update, controller: 'lb1', seen: { ...AFTER, version: 2 } });
  journal.record({ ...finished, write: raw, answer: { status: 200, body: ROWS } });
  await journal.close();
  return journal.id;
}

describe('a large write of a run', () => {
  it('keeps its images, body and answer in files, and is restored completely', () =>
    inFolder({}, async (state) => {
      const id = await writingRun(state);
      expect((await journalOf(state, id)).length).to.be.lessThan(6000);
      const [update, raw] = await readKept(state, id, ({ writes }) => writes());
      expect(structuredClone(update?.intent.change)).to.deep.equal({ ...UPDATE.change });
      expect(update?.intent.body).to.deep.equal(AFTER);
      expect(update?.seen).to.deep.equal({ ...AFTER, version: 2 });
      expect(update?.masked, 'what would have been masked').to.deep.equal(
        Array.from({ length: 3 }, () => 'opensesame'),
      );
      expect(raw?.intent.body).to.deep.equal({ rows: ROWS });
      expect(raw?.answer?.body).to.deep.equal(ROWS);
      expect(raw?.masked).to.deep.equal([]);
    }));

  it('is listed without its files, and without the key', () =>
    inFolder({}, async (state) => {
      const id = await writingRun(state);
      for (const file of await filesOf(state, id)) await rm(file);
      const run = await readKept(state, id, (kept) => kept);
      expect(run.writes().map(({ intent: { object } }) => object)).to.deep.equal(['cloud "edge"', 'cloud "edge"']);
      expect(() => beforeOf(run.writes()[0])).to.throw(/^cannot read a stored value of this run from /);
      await rm(path.join(state, 'key'));
      const shown = await readKept(state, id, ({ shownWrites }) => shownWrites());
      expect(shown.map(({ method, object }) => `${method} ${object ?? ''}`)).to.deep.equal([
        'PUT cloud "edge"',
        'POST cloud "edge"',
      ]);
    }));

  it('is not sent if its image cannot be stored', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      await writeFile(path.join(runFolder(state, journal.id), 'values'), 'a file in the place of the folder');
      const refused = await journal.intend(anIntent(UPDATE)).catch((error: unknown) => String(error));
      expect(refused).to.match(
        /^JournalError: nothing was written, .*: cannot store a large value in .*: not a directory$/,
      );
      expect(journal.broken.aborted).to.equal(true);
      await journal.close();
    }));

  it('is complete on disk when the process must end at once', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      void journal.intend(anIntent(UPDATE));
      journal.flush();
      const [write] = await readKept(state, journal.id, ({ writes }) => writes());
      expect(beforeOf(write)).to.deep.equal(BEFORE);
      await journal.close();
    }));

  it('does not stay in memory during a rollback of many such objects', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      for (const uuid of ['u1', 'u2', 'u3', 'u4', 'u5']) {
        const before: Mapping = { uuid, notes: uuid.repeat(4 * 2 ** 20), mtu: 1500 };
        const change = { kind: 'update', object: uuid, before, after: { ...before, mtu: 9000 } } as const;
        const path = `/api/cloud/${uuid}`;
        await journal.intend(anIntent({ method: 'PUT', path, object: uuid, change, body: change.after }));
      }
      await journal.close();
      const effects = await readKept(state, journal.id, ({ writes }) => findEffects(writes()));
      const undos = effects.flatMap((effect) => (effect.type === 'undo' ? [effect.undo] : []));
      expect(undos.map(({ object, fields }) => [object, fields])).to.deep.equal(
        ['u5', 'u4', 'u3', 'u2', 'u1'].map((uuid) => [uuid, [['mtu']]]),
      );
      expect(undos.map(({ before }) => before['mtu'])).to.deep.equal([1500, 1500, 1500, 1500, 1500]);
      for (const file of await filesOf(state, journal.id)) await rm(file);
      // A few that were used last are still in memory.
      expect(undos.filter((undo) => isGone(() => undo.before)).length).to.be.greaterThan(0);
    }));

  it('does not make the events of the journal large', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const source = { file: 'site.yml', line: 3, column: 5 };
      const common = {
        time: '2026-11-20T18:50:22.000Z',
        run: journal.id,
        play: 'Site',
        task: 'Say',
        controller: 'lb1',
      };
      journal.keep(
        masked({
          ...common,
          type: 'task-finished',
          module: 'debug',
          handler: false,
          status: 'changed',
          seconds: 1,
          diff: true,
          source,
          change: { kind: 'update', object: 'cloud', before: BEFORE, after: AFTER },
          message: 'm'.repeat(100_000),
          values: { rows: ROWS },
        }),
      );
      journal.keep(
        masked({
          type: 'request-finished',
          controller: 'lb1',
          time: common.time,
          run: journal.id,
          method: 'GET',
          url: 'https://lb1/',
          seconds: 1,
          responseBody: 'r'.repeat(100_000),
        }),
      );
      await journal.close();
      expect((await journalOf(state, journal.id)).length).to.be.lessThan(2000);
    }));
});

describe('a mapping with stored entries', () => {
  const unread = new StoredValue('a1', 70_000, () => {
    throw new Error('it was read');
  });

  it('can be composed and inspected without reading them', () => {
    const both = joined({ changed: false, json: 1 }, storing([['json', unread]]));
    expect(Object.keys(both)).to.deep.equal(['changed', 'json']);
    expect(entriesUnread(both)).to.deep.equal([
      ['changed', false],
      ['json', unread],
    ]);
    expect(loadResident(both)).to.deep.equal({ changed: false });
    expect(joined(both, { json: 2 })).to.deep.equal({ changed: false, json: 2 });
  });

  it('looks like any other mapping', () => {
    const mapping = storing([
      ['status', 200],
      ['json', new StoredValue('a1', 70_000, () => ['read'])],
    ]);
    expect(JSON.stringify(mapping)).to.equal('{"status":200,"json":["read"]}');
    expect({ ...mapping }).to.deep.equal({ status: 200, json: ['read'] });
  });
});
