import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { openSecretDigests } from '../../../../src/record/journal/format/open_digests.js';
import { openKey } from '../../../../src/record/journal/format/project_key.js';
import { inFolder } from '../../../rig/folder.js';

const PASSWORD = ['password', 'one'] as const;
const OTHER = ['password', 'other'] as const;
const TOKEN = ['token', 'two'] as const;
const BOTH = [PASSWORD, TOKEN];

function inState(use: (state: string) => Promise<void>): Promise<void> {
  return inFolder({}, async (state) => {
    await openKey(state);
    await use(state);
  });
}

const filesIn = async (state: string): Promise<readonly string[]> => {
  const folder = path.join(state, 'secrets');
  return (await readdir(folder).catch(() => [])).map((name) => path.join(folder, name)).sort();
};

describe('the digests of written secrets', () => {
  it('distinguish fields, objects, controllers, and simulated ones, also in a later run', () =>
    inState(async (state) => {
      const open = openSecretDigests(state, false);
      const [one, other] = [await open('lb1'), await open('lb2')];
      expect(await one.compare('a', BOTH)).to.deep.equal({ changed: [], unknown: BOTH });
      await one.keep('a', BOTH);
      await one.keep('b', [['password', 'of b']]);
      await other.keep('a', [['token', 'two']]);
      const again = openSecretDigests(state, false);
      for (const each of [open, again]) {
        const [first, second] = [await each('lb1'), await each('lb2')];
        expect(await first.compare('a', BOTH)).to.deep.equal({ changed: [], unknown: [] });
        expect(
          await first.compare('a', [
            ['password', 'two'],
            ['token', 'two'],
          ]),
        ).to.deep.equal({ changed: ['password'], unknown: [] });
        expect(await first.compare('b', BOTH)).to.deep.equal({ changed: ['password'], unknown: [TOKEN] });
        expect(await second.compare('a', BOTH)).to.deep.equal({ changed: [], unknown: [PASSWORD] });
      }
      const simulated = await openSecretDigests(state, true)('lb1');
      expect(await simulated.compare('a', BOTH)).to.deep.equal({ changed: [], unknown: BOTH });
      expect(await filesIn(state)).to.have.length(2);
    }));

  it('differ for equal secrets of two fields, objects and controllers', () =>
    inState(async (state) => {
      const open = openSecretDigests(state, false);
      for (const place of ['lb1', 'lb2']) {
        const digests = await open(place);
        for (const object of ['a', 'b'])
          await digests.keep(object, [
            ['password', 'same'],
            ['token', 'same'],
          ]);
      }
      const files = await filesIn(state);
      const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
      const entries = texts.flatMap((text) => Object.entries(JSON.parse(text) as Record<string, string>));
      expect(new Set(entries.flat()).size).to.equal(16);
    }));

  it('note a field once, which stays unknown until it is written', () =>
    inState(async (state) => {
      const digests = await openSecretDigests(state, false)('lb1');
      await digests.keep('a', [['token', 'two']]);
      expect(await digests.note('a', BOTH, false)).to.equal(true);
      expect(await digests.note('a', BOTH, false)).to.equal(false);
      expect(await digests.note('b', [PASSWORD], false)).to.equal(true);
      const later = await openSecretDigests(state, false)('lb1');
      expect(await later.note('a', [PASSWORD], false)).to.equal(false);
      expect(await later.compare('a', BOTH)).to.deep.equal({ changed: [], unknown: [PASSWORD] });
      await later.keep('a', BOTH);
      expect(await later.compare('a', BOTH)).to.deep.equal({ changed: [], unknown: [] });
    }));

  it('note the value that was declared, so that another one is a change', () =>
    inState(async (state) => {
      await (await openSecretDigests(state, false)('lb1')).note('a', [PASSWORD], false);
      const later = await openSecretDigests(state, false)('lb1');
      expect(await later.compare('a', [OTHER])).to.deep.equal({ changed: ['password'], unknown: [] });
    }));

  it('count what a write may have changed as changed, whatever is declared, until it is verified', () =>
    inState(async (state) => {
      const digests = await openSecretDigests(state, false)('lb1');
      await digests.keep('a', BOTH);
      await digests.unsettle('a', [OTHER, TOKEN, ['key', 'new']]);
      const later = await openSecretDigests(state, false)('lb1');
      for (const value of ['one', 'other'])
        expect(await later.compare('a', [['password', value], TOKEN, ['key', 'new']])).to.deep.equal({
          changed: ['password', 'key'],
          unknown: [],
        });
      await later.keep('a', [OTHER]);
      expect((await later.compare('a', [OTHER])).changed).to.deep.equal([]);
    }));

  it('let no write go out before it is saved that it may change a field', () =>
    inState(async (state) => {
      const digests = await openSecretDigests(state, false)('lb1');
      await digests.keep('a', [PASSWORD]);
      const first = digests.unsettle('a', [OTHER]);
      await digests.unsettle('a', [OTHER]);
      const saved = await openSecretDigests(state, false)('lb1');
      expect((await saved.compare('a', [PASSWORD])).changed).to.deep.equal(['password']);
      await first;
      const [file = ''] = await filesIn(state);
      await rm(file);
      await mkdir(file);
      const later = await openSecretDigests(state, false)('lb1');
      for (const attempt of [1, 2]) {
        const end = await later.unsettle('a', [OTHER]).catch(() => 'not saved');
        expect([end, await later.compare('a', [OTHER])], String(attempt)).to.deep.equal([
          'not saved',
          { changed: [], unknown: [OTHER] },
        ]);
      }
    }));

  it('are as before after a write that changed nothing, unless another one may have changed the field', () =>
    inState(async (state) => {
      const digests = await openSecretDigests(state, false)('lb1');
      await digests.keep('a', [PASSWORD]);
      const savedChanges = async () =>
        (await (await openSecretDigests(state, false)('lb1')).compare('a', [PASSWORD])).changed;
      const [first, second] = [await digests.unsettle('a', [OTHER]), await digests.unsettle('a', [OTHER])];
      await first();
      expect(await savedChanges()).to.deep.equal(['password']);
      await second();
      expect(await savedChanges()).to.deep.equal(['password']);
      await first();
      expect(await savedChanges()).to.deep.equal([]);
      const third = await digests.unsettle('a', [OTHER]);
      await digests.keep('a', [OTHER]);
      await third();
      expect((await digests.compare('a', [OTHER])).changed).to.deep.equal([]);
    }));

  it('note a field for a check itself only, and keep nothing of it', () =>
    inState(async (state) => {
      for (const open of [openSecretDigests(state, false), openSecretDigests(state, false)]) {
        const digests = await open('lb1');
        expect([await digests.note('a', [TOKEN], true), await digests.note('a', [TOKEN], true)]).to.deep.equal([
          true,
          false,
        ]);
      }
      expect(await filesIn(state)).to.deep.equal([]);
    }));

  it('reveal nothing, keep all that is written at once, and write nothing that they hold already', () =>
    inState(async (state) => {
      const digests = await openSecretDigests(state, false)('lb1');
      await Promise.all(['a', 'b', 'c'].map((object) => digests.keep(object, [['password', 'planted']])));
      const [file = ''] = await filesIn(state);
      const text = await readFile(file, 'utf8');
      expect(Object.keys(JSON.parse(text) as object)).to.have.length(3);
      // Equal secrets of different fields must not look equal.
      expect(new Set(Object.values(JSON.parse(text) as object))).to.have.property('size', 3);
      expect(text + file).to.not.match(/lb1|planted|password/);
      await writeFile(file, 'touched');
      await digests.keep('a', [['password', 'planted']]);
      expect(await digests.note('b', [PASSWORD], false)).to.equal(false);
      expect(await readFile(file, 'utf8')).to.equal('touched');
      await digests.keep('a', [['password', 'changed']]);
      expect(await readFile(file, 'utf8')).to.match(/^\{.*\}\n$/);
    }));

  it('count as unknown if they cannot be read, and are kept nowhere without a key', () =>
    inFolder({}, async (state) => {
      const without = await openSecretDigests(state, false)('lb1');
      for (const isNew of [true, false]) {
        expect((await without.compare('a', BOTH)).unknown).to.deep.equal(BOTH);
        expect(await without.note('a', [PASSWORD], false)).to.equal(isNew);
      }
      await without.keep('a', BOTH);
      expect(await filesIn(state)).to.deep.equal([]);
      await openKey(state);
      await (await openSecretDigests(state, false)('lb1')).keep('a', BOTH);
      const [file = ''] = await filesIn(state);
      const whole = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
      const [name = ''] = Object.keys(whole);
      for (const [text, unknown] of [
        ['no JSON', BOTH],
        ['[]', BOTH],
        [JSON.stringify({ ...whole, [name]: 1 }), [PASSWORD]],
      ] as const) {
        await writeFile(file, text);
        const digests = await openSecretDigests(state, false)('lb1');
        expect(await digests.compare('a', BOTH), text).to.deep.equal({ changed: [], unknown });
      }
      // A folder that cannot be made is no reason to fail: the secret was written to the controller.
      await mkdir(path.join(state, 'other'));
      await writeFile(path.join(state, 'other', 'key'), await readFile(path.join(state, 'key')), { mode: 0o600 });
      await writeFile(path.join(state, 'other', 'secrets'), '');
      const unwritable = await openSecretDigests(path.join(state, 'other'), false)('lb1');
      await unwritable.keep('a', BOTH);
      expect(await unwritable.compare('a', BOTH)).to.deep.equal({ changed: [], unknown: [] });
    }));
});
