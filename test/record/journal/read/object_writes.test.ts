import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { WriteIntended } from '../../../../src/core/model/run/journal.js';
import type { Mapping } from '../../../../src/core/model/values/value.js';
import { Secrets } from '../../../../src/core/secrets/secrets.js';
import { runFolder } from '../../../../src/record/journal/disk/run_folders.js';
import { objectKey, objectWrites } from '../../../../src/record/journal/read/object_writes.js';
import { ownIdentity } from '../../../../src/record/locks/process_identity.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, beginRun, readKept } from '../../../rig/kept.js';

const DELETE = { kind: 'delete', object: 'pool "a"', before: { name: 'a' }, after: null } as const;
const key = (target: string, object: string, tenant?: string): string => objectKey({ target, object, tenant });

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
      const read = (): ReturnType<typeof objectWrites> =>
        objectWrites(state, journal.id, ownIdentity(), (one) => wanted.has(one));
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
