import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { isReaderMark, markAsRead, readMark } from '../../../../src/record/journal/format/run_header.js';
import { inFolder } from '../../../rig/folder.js';

const PROCESS = { host: 'here', boot: 'b', space: 's', pid: 4711, started: '5' };

describe('the mark of a run that is being read', () => {
  it('names the process, for its owner only, until that has read', () =>
    inFolder({}, async (folder) => {
      const marks = async () => (await readdir(folder)).filter(isReaderMark);
      const [first, second] = [await markAsRead(folder, PROCESS), await markAsRead(folder, { ...PROCESS, pid: 5 })];
      const names = await marks();
      expect(names.map((name) => name.replace(/-[0-9a-f]{6}\.json$/, '')).toSorted()).to.deep.equal([
        'reader-4711',
        'reader-5',
      ]);
      const file = path.join(folder, names.find((name) => name.startsWith('reader-4711')) ?? '');
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect(JSON.parse(await readFile(file, 'utf8'))).to.deep.equal(PROCESS);
      expect(await readMark(file)).to.deep.equal(PROCESS);
      await first();
      expect((await marks()).map((name) => name.slice(0, 9))).to.deep.equal(['reader-5-']);
      await first();
      await second();
      expect(await marks()).to.deep.equal([]);
    }));

  it('is not needed where none can be written', async () => {
    const remove = await markAsRead('/nowhere/at/all', PROCESS);
    await remove();
  });

  it('says nothing if it is no mark', () =>
    inFolder({}, async (folder) => {
      const file = path.join(folder, 'reader-1.json');
      for (const text of ['', '[]', '{"host":"here"}', '{"host":"here","pid":"4711"}']) {
        await writeFile(file, text);
        expect(await readMark(file), text).to.equal(undefined);
      }
      await writeFile(file, '{"host":"here","pid":4711}');
      expect(await readMark(file)).to.deep.equal({ host: 'here', pid: 4711 });
      expect(await readMark(path.join(folder, 'other'))).to.equal(undefined);
      expect(['reader-1.json', 'journal.jsonl', 'the-reader-1'].map(isReaderMark)).to.deep.equal([true, false, false]);
    }));
});
