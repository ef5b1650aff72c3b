import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { readConfirmed } from '../../../../src/record/journal/format/confirmed.js';
import { keyName, openKey, readKey, requirePrivate } from '../../../../src/record/journal/format/project_key.js';
import { listRuns, runFolder, type JournalError } from '../../../../src/record/journal/format/run_folders.js';
import { readHeader, type RunHeader } from '../../../../src/record/journal/format/run_header.js';
import { inFolder } from '../../../rig/folder.js';
import { beginRun } from '../../../rig/kept.js';
import { ANOTHER_USER, giveAway, needsRoot } from '../../../rig/users.js';

const ID = '20261120T185022Z-0000a1';

/** Message and hint of what it throws. */
async function refusal(work: () => unknown): Promise<readonly unknown[]> {
  try {
    await work();
  } catch (error) {
    const { message, hint } = error as JournalError;
    return [message, hint];
  }
  throw new Error('nothing was thrown');
}

describe('the header of a run', () => {
  it('is refused if it is gone, damaged, lacks a field, or is from a later version', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      await journal.close();
      const file = path.join(runFolder(state, journal.id), 'run.json');
      const header = JSON.parse(await readFile(file, 'utf8')) as RunHeader;
      const read = async (text: string): Promise<readonly unknown[]> => {
        await writeFile(file, text);
        return refusal(() => readHeader(state, journal.id));
      };
      const none = [`${file} is not the header of a run`, undefined];
      const wrong = [
        '',
        '[]',
        'null',
        '"x"',
        '{}',
        ...Object.entries({
          id: 1,
          argv: 'run',
          check: 'no',
          playbooks: [1],
          process: { host: 'h' },
          environment: 1,
        }).map(([name, value]) => JSON.stringify({ ...header, [name]: value })),
        ...Object.entries({ author: { user: 'u' }, resumes: [{ user: 'u', host: 'h' }], end: { time: 't' } }).map(
          ([name, value]) => JSON.stringify({ ...header, [name]: value }),
        ),
      ];
      for (const text of wrong) expect(await read(text), text).to.deep.equal(none);
      const later = { ...header, schemaVersion: header.schemaVersion + 1 };
      for (const text of [JSON.stringify(later), JSON.stringify({ schemaVersion: 999 })])
        expect(await read(text)).to.deep.equal([
          `${file} was written by a later version of evenkeel`,
          'use that version to read it',
        ]);
      expect(await read(JSON.stringify({ ...header, schemaVersion: header.schemaVersion - 1 }))).to.deep.equal([
        `run ${journal.id} was made by an earlier version of evenkeel, and this version does not read its journal`,
        'to show it, finish it or roll it back, use that version',
      ]);
      expect((await readHeader(state, journal.id, 1)).header.time).to.equal(header.time);
      await writeFile(file, JSON.stringify({ ...header, sealed: 'x', author: { user: 'u', host: 'h' } }));
      const { sealed, header: found } = await readHeader(state, journal.id);
      expect([sealed, found.author, Object.hasOwn(found, 'sealed')]).to.deep.equal([
        'x',
        { user: 'u', host: 'h' },
        false,
      ]);
      await writeFile(file, JSON.stringify({ ...header, sealed: 5 }));
      expect((await readHeader(state, journal.id)).sealed).to.equal(undefined);
      expect(await refusal(() => readHeader(state, ID))).to.deep.equal([`run ${ID} is no longer kept`, undefined]);
      await mkdir(path.join(runFolder(state, ID), 'run.json'), { recursive: true });
      expect((await refusal(() => readHeader(state, ID)))[0]).to.equal(
        `cannot read ${runFolder(state, ID)}/run.json: illegal operation on a directory`,
      );
    }));
});

describe('the key of a project', () => {
  it('is made once, and named without being given away', () =>
    inFolder({}, async (state) => {
      const keys = await Promise.all([openKey(state), openKey(state)]);
      expect(keys[0]).to.deep.equal(keys[1]);
      expect(await readKey(state)).to.deep.equal(keys[0]);
      expect(keyName(Buffer.alloc(32))).to.equal('6199e0f2c78b93c8');
    }));

  it('is refused if it is none, or others could read or have made it', () =>
    inFolder({}, async (state) => {
      const file = path.join(state, 'key');
      expect(await readKey(state)).to.equal(undefined);
      for (const text of ['', 'short', `${'A'.repeat(43)}=`, 'A'.repeat(44)]) {
        await writeFile(file, text, { mode: 0o600 });
        expect(await refusal(() => readKey(state)), text).to.deep.equal([
          `${file} contains no key: it must be 32 bytes as base64url`,
          'restore the right key; or remove the file, and a new run makes a new key: values that were sealed before stay sealed',
        ]);
      }
      await writeFile(file, `${'A'.repeat(43)}\n`);
      expect(await readKey(state)).to.deep.equal(Buffer.alloc(32));
      for (const [mode, what] of [
        [0o640, 'read'],
        [0o644, 'read'],
        [0o622, 'write to'],
      ] as const) {
        await chmod(file, mode);
        const [message, hint] = await refusal(() => {
          requirePrivate(state);
        });
        expect(message).to.match(new RegExp(`^other users can ${what} the key ${file}$`));
        expect(hint).to.equal(`if you trust them all, run: chmod 600 ${file}`);
      }
      await chmod(file, 0o600);
      requirePrivate(state);
      for (const folder of [path.join(state, 'runs'), state]) {
        await mkdir(folder, { recursive: true });
        await chmod(folder, 0o777);
        const [message, hint] = await refusal(() => {
          requirePrivate(state);
        });
        expect(message).to.match(new RegExp(`^${folder} cannot be trusted: `));
        expect(hint).to.equal(
          'check who created it, then remove it or revoke write access for other users; EVENKEEL_STATE_DIR names another folder',
        );
        await chmod(folder, 0o700);
      }
      await mkdir(path.join(state, 'other', 'key'), { recursive: true });
      expect((await refusal(() => readKey(path.join(state, 'other'))))[0]).to.equal(
        `cannot read the key ${state}/other/key: illegal operation on a directory`,
      );
    }));
});

describe('the folder of the state', () => {
  it('is not trusted if everybody may add files, and the runs or the key belong to another user', function () {
    needsRoot(this);
    return inFolder({}, async (state) => {
      await openKey(state);
      await chmod(state, 0o1777);
      requirePrivate(state);
      for (const name of ['runs', 'key'].map((one) => path.join(state, one))) {
        await giveAway(name);
        const [message] = await refusal(() => {
          requirePrivate(state);
        });
        expect(message).to.equal(`${name} cannot be trusted: it belongs to another user (uid ${ANOTHER_USER})`);
        await chown(name, 0, 0);
      }
    });
  });

  it('is kept out of version control if a run makes it, and is that of its user', () =>
    inFolder({}, async (folder) => {
      const state = path.join(folder, 'made', 'state');
      const key = await openKey(state);
      expect(await readFile(path.join(state, '.gitignore'), 'utf8')).to.equal('*\n');
      expect([...(await readdir(state))].toSorted()).to.deep.equal(['.gitignore', 'key', 'runs']);
      expect(await openKey(state)).to.deep.equal(key);
      await openKey(folder);
      expect([...(await readdir(folder))].toSorted()).to.deep.equal(['key', 'made', 'runs']);
      await chmod(path.join(state, 'key'), 0o644);
      expect(await refusal(() => openKey(state))).to.deep.equal([
        `other users can read the key ${state}/key`,
        `if you trust them all, run: chmod 600 ${state}/key`,
      ]);
      const spaced = path.join(folder, 'my state');
      await openKey(spaced);
      await chmod(path.join(spaced, 'key'), 0o644);
      expect((await refusal(() => openKey(spaced)))[1]).to.equal(
        `if you trust them all, run: chmod 600 '${spaced}/key'`,
      );
    }));
});

describe('the other files of a run', () => {
  it('say why they cannot be read', () =>
    inFolder({}, async (folder) => {
      const file = path.join(folder, 'confirmed');
      expect(await readConfirmed(folder)).to.equal(undefined);
      const digest = 'a'.repeat(64);
      for (const [text, expected] of [
        ['', undefined],
        ['\0\0', undefined],
        [`              12 ${digest}\n`, { length: 12, digest }],
      ] as const) {
        await writeFile(file, text);
        expect(await readConfirmed(folder)).to.deep.equal(expected);
      }
      for (const text of [`12 ${digest}`, `12 ${digest.slice(1)}\n`, ` ${digest}\n`, `12 ${digest}\nmore\n`]) {
        await writeFile(file, text);
        expect(await refusal(() => readConfirmed(folder))).to.deep.equal([
          `${file} is damaged`,
          'restore the folder of the run from a backup',
        ]);
      }
      await writeFile(path.join(folder, 'runs'), '');
      expect(await refusal(() => listRuns(folder))).to.deep.equal([
        `cannot read the runs in ${folder}/runs: not a directory`,
        undefined,
      ]);
    }));
});
