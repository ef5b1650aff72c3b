import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { saveObjects, withRunObjects, type RunObject } from '../../../src/launch/history/run_objects.js';
import { JournalError, runFolder } from '../../../src/record/journal/format/run_folders.js';
import { inFolder } from '../../rig/folder.js';
import { anIntent, beginRun } from '../../rig/kept.js';
import { mounted, SMALL } from '../../rig/mounted.js';

const OBJECT: RunObject = {
  write: 1,
  controller: 'lb1',
  task: 'T',
  module: 'cloud_present',
  object: 'cloud "edge"',
  method: 'PUT',
  path: '/api/cloud/1',
  outcome: 'applied',
  before: { mtu: 1500 },
  after: { mtu: 9000 },
};

async function files(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((one) => one.isFile())
    .map((one) => path.relative(folder, path.join(one.parentPath, one.name)))
    .toSorted();
}

describe('the objects that a run wrote', () => {
  it('are shown as they were before and after, each on its controller, and none that no_log hides', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const update = { kind: 'update', object: 'cloud "edge"', before: { mtu: 1500 }, after: { mtu: 9000 } } as const;
      await journal.intend(anIntent({ method: 'PUT', change: update }));
      await journal.intend(anIntent({ controller: 'lb2', target: 'lb9', hidden: true }));
      await journal.intend(anIntent({ controller: 'lb2', target: 'lb2' }));
      await journal.intend(anIntent({ change: { kind: 'none' }, object: 'POST /x' }));
      await journal.close();
      const shown = await withRunObjects(state, journal.id, (objects) => Promise.resolve([...objects]));
      const common = { task: 'Cloud exists', module: 'cloud_present', outcome: 'unknown' };
      const readable = { ...common, path: '/api/cloud/' };
      expect(shown).to.deep.equal([
        {
          ...readable,
          write: 1,
          controller: 'lb1',
          method: 'PUT',
          object: 'cloud "edge"',
          before: { mtu: 1500 },
          after: { mtu: 9000 },
        },
        { ...common, write: 2, controller: 'lb9', method: 'POST', before: null, after: null },
        {
          ...readable,
          write: 3,
          controller: 'lb2',
          method: 'POST',
          object: 'cloud "edge"',
          before: null,
          after: { name: 'edge', mtu: 1500 },
        },
        { ...readable, write: 4, controller: 'lb1', method: 'POST', object: 'POST /x', before: null, after: null },
      ]);
    }));

  it('say of each what is lost with a file of its large values', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const large = (letter: string) => ({ text: letter.repeat(200_000) });
      const change = { kind: 'update', object: 'cloud "edge"', before: large('a'), after: { mtu: 1 } } as const;
      await journal.intend(anIntent({ method: 'PUT', change }));
      await journal.intend(anIntent({ method: 'PUT', change: { ...change, before: { mtu: 2 } } }));
      await journal.close();
      await rm(path.join(runFolder(state, journal.id), 'values'), { recursive: true });
      const shown = await withRunObjects(state, journal.id, (objects) => Promise.resolve([...objects]));
      expect(shown.map(({ before, after }) => [before, after])).to.deep.equal([
        [null, { mtu: 1 }],
        [{ mtu: 2 }, { mtu: 1 }],
      ]);
      expect(shown.map(({ lost }) => lost?.includes('values'))).to.deep.equal([true, undefined]);
    }));

  it('have no secrets, whatever else of the object has the same text', () =>
    inFolder({}, async (state) => {
      const secrets = new Secrets();
      secrets.add('hunter22');
      const journal = await beginRun(state, { secrets });
      const after = { name: 'edge', motd: 'it is hunter22', other: 'plain' };
      await journal.intend(anIntent({ change: { kind: 'create', object: 'cloud "edge"', before: null, after } }));
      await journal.close();
      const shown = await withRunObjects(state, journal.id, (objects) => Promise.resolve([...objects]));
      expect(shown.map(({ before, after: now }) => [before, now])).to.deep.equal([
        [null, { name: 'edge', motd: '********', other: 'plain' }],
      ]);
    }));

  it('are saved in a file each, private, apart from those that were not there', () =>
    inFolder({}, async (folder) => {
      const saved = path.join(folder, 'saved');
      const { object, ...unnamed } = OBJECT;
      const result = await saveObjects(
        [
          OBJECT,
          { ...OBJECT, write: 2, before: null },
          { ...OBJECT, write: 3, controller: '10.0.0.1:8443/../x', object: `${object ?? ''} ü/\\ ../..` },
          { ...unnamed, write: 4, controller: '...' },
          { ...OBJECT, write: 5, object: 'x'.repeat(100), before: [] },
        ],
        saved,
      );
      expect(result).to.deep.equal({ saved: 4, without: 1 });
      expect(await files(saved)).to.deep.equal([
        '10.0.0.1-8443-..-x/3-cloud-edge-ü-..-...json',
        'lb1/1-cloud-edge.json',
        `lb1/5-${'x'.repeat(80)}.json`,
        'object/4-object.json',
      ]);
      const file = path.join(saved, 'lb1/1-cloud-edge.json');
      expect(await readFile(file, 'utf8')).to.equal('{\n  "mtu": 1500\n}\n');
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
    }));

  it('leave no part of a file on a full disk, so that the same command can be repeated', function () {
    return mounted(this, SMALL, async (disk) => {
      const objects = [OBJECT, { ...OBJECT, write: 2, before: { text: 'x'.repeat(100_000) } }];
      const error: unknown = await saveObjects(objects, disk).catch((thrown: unknown) => thrown);
      expect(error).to.include({
        message: `cannot save ${path.join(disk, 'lb1/2-cloud-edge.json')}: no space left on device`,
      });
      expect(await files(disk)).to.deep.equal(['lb1/1-cloud-edge.json']);
    });
  });

  it('replace no file', () =>
    inFolder({ 'lb1/1-cloud-edge.json': 'mine' }, async (folder) => {
      const error: unknown = await saveObjects([OBJECT, { ...OBJECT, write: 2 }], folder).catch(
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof JournalError)) return expect.fail(String(error));
      expect(error.message).to.match(new RegExp(`^cannot save ${path.join(folder, 'lb1/1-cloud-edge.json')}: `));
      expect(error.hint).to.equal('--save takes a new or an empty folder');
      expect(await files(folder)).to.deep.equal(['lb1/1-cloud-edge.json']);
      expect(await readFile(path.join(folder, 'lb1/1-cloud-edge.json'), 'utf8')).to.equal('mine');
    }));
});
