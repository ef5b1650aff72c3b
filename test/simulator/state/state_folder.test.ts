import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { StateSnapshot } from '../../../src/simulator/state/controller_state.js';
import { StateFolder, type Seal } from '../../../src/simulator/state/state_folder.js';
import { inFolder } from '../../rig/folder.js';

const snapshot = (name: string): StateSnapshot => ({
  collections: { '/api/pool/': [{ name }], '/api/cloud/': [] },
  singletons: { '/api/cluster': { name } },
});

/** Of a key: what another key sealed cannot be opened. */
const sealedWith = (key: string): Seal => ({
  seal: (text) => key + Buffer.from(text).toString('hex'),
  open: (sealed) => {
    if (!sealed.startsWith(key)) throw new Error('another key');
    return Buffer.from(sealed.slice(key.length), 'hex').toString();
  },
});

const saidBy = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing',
    (error: unknown) => (error as Error).message,
  );

describe('the folder of the state of simulated controllers', () => {
  it('keeps the newest state of each, and is for its owner only', () =>
    inFolder({}, async (parent) => {
      const folder = path.join(parent, 'a', 'b');
      const states = await StateFolder.open(folder);
      expect((await stat(folder)).mode & 0o777).to.equal(0o700);
      expect(await states.load('lb1')).to.equal(undefined);
      await states.flush();
      let asked = 0;
      const never = (): StateSnapshot => {
        asked += 1;
        return snapshot('older');
      };
      states.save('lb1', never);
      states.save('lb1', () => snapshot('one'));
      states.save('lb2', () => snapshot('two'));
      await states.flush();
      await states.flush();
      expect([await states.load('lb1'), await states.load('lb2'), asked]).to.deep.equal([
        snapshot('one'),
        snapshot('two'),
        0,
      ]);
      const again = await StateFolder.open(folder);
      expect(await again.load('lb1')).to.deep.equal(snapshot('one'));
      expect((await readdir(folder)).toSorted()).to.deep.equal(['lb1.json', 'lb2.json']);
    }));

  it('writes by itself a little after a change', () =>
    inFolder({}, async (folder) => {
      const states = await StateFolder.open(folder);
      states.save('lb1', () => snapshot('one'));
      states.save('lb2', () => snapshot('two'));
      const isThere = () => ['lb1.json', 'lb2.json'].every((name) => existsSync(path.join(folder, name)));
      for (const began = performance.now(); !isThere() && performance.now() - began < 10_000;) await pause(10);
      expect([await states.load('lb1'), await states.load('lb2')]).to.deep.equal([snapshot('one'), snapshot('two')]);
    }));

  it('has a file for each name, however long', () =>
    inFolder({}, async (folder) => {
      const states = await StateFolder.open(folder);
      const names = ['x'.repeat(200), 'x'.repeat(201), `${'x'.repeat(200)}y`, 'ü'.repeat(34), '../lb1'];
      for (const name of names) states.save(name, () => snapshot(name));
      await states.flush();
      for (const name of names) expect(await states.load(name)).to.deep.equal(snapshot(name));
      const files = await readdir(folder);
      expect(files)
        .to.have.length(names.length)
        .and.to.include.members([`${'x'.repeat(200)}.json`, '..%2Flb1.json']);
      expect(files.filter((name) => /^[0-9a-f]{64}\.json$/.test(name))).to.have.length(3);
    }));

  it('is sealed if it has a key, and reads what was not sealed before', () =>
    inFolder({}, async (folder) => {
      const states = await StateFolder.open(folder, sealedWith('k1'));
      states.save('lb1', () => snapshot('secret99'));
      await states.flush();
      expect(await readFile(path.join(folder, 'lb1.json'), 'utf8')).to.match(/^k1[0-9a-f]+$/);
      expect(await states.load('lb1')).to.deep.equal(snapshot('secret99'));
      await writeFile(path.join(folder, 'lb2.json'), JSON.stringify(snapshot('plain')));
      expect(await states.load('lb2')).to.deep.equal(snapshot('plain'));
      const other = await StateFolder.open(folder, sealedWith('k2'));
      expect(await saidBy(other.load('lb1'))).to.equal(
        `the state of simulated controller "lb1" cannot be read; delete ${folder}/lb1.json to start again: another key`,
      );
    }));

  it('refuses a state that is none', () =>
    inFolder({}, async (folder) => {
      const states = await StateFolder.open(folder);
      const none = 'it does not hold "collections" and "singletons"';
      for (const [text, why] of [
        ['5', none],
        ['{}', none],
        ['{"collections":{}}', none],
        ['{"singletons":{}}', none],
        ['{"collections":{"a":{}},"singletons":{}}', none],
        ['{"collections":{"a":[{},1]},"singletons":{}}', none],
        ['{"collections":{"a":[{}],"b":1},"singletons":{}}', none],
        ['{"collections":{},"singletons":{"a":{},"b":[]}}', none],
      ] as const) {
        await writeFile(path.join(folder, 'lb1.json'), text);
        expect(await saidBy(states.load('lb1')), text).to.equal(
          `the state of simulated controller "lb1" cannot be read; delete ${folder}/lb1.json to start again: ${why}`,
        );
      }
      await writeFile(path.join(folder, 'lb1.json'), '{"collections":{"a":[{}]},"singletons":{"b":{}},"more":1}');
      expect(await states.load('lb1')).to.deep.equal({ collections: { a: [{}] }, singletons: { b: {} } });
    }));

  it('tries again what could not be written, or what came since', () =>
    inFolder({}, async (parent) => {
      const folder = path.join(parent, 'state');
      const states = await StateFolder.open(folder);
      await rm(folder, { recursive: true });
      states.save('lb1', () => snapshot('old'));
      states.save('lb2', () => snapshot('two'));
      expect(await saidBy(states.flush())).to.include('ENOENT');
      states.save('lb1', () => snapshot('new'));
      await mkdir(folder);
      await states.flush();
      expect([await states.load('lb1'), await states.load('lb2')]).to.deep.equal([snapshot('new'), snapshot('two')]);
    }));
});
