import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { sourcePositions } from '../../src/program/process.js';
import { command, ROOT } from '../rig/command.js';

/** Prints the stack of an error that the inventory itself throws. */
const BROKEN = `
  Error.stackTraceLimit = 50;
  const { loadInventory } = await import('./dist/index.js');
  const inventory = [{ get host() { throw new TypeError('broken'); } }];
  await loadInventory({ inventory }).catch((error) => console.log(error.stack));
`;

/** Whether the last function of ours in a chunk is declared where its position leads; undefined: there is none. */
async function isFunctionFound(file: string): Promise<boolean | undefined> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  for (const [at, line] of [...lines.entries()].reverse()) {
    const [last] = [...line.matchAll(/(?<=[;}])(?:async )?function (\w{6,}?)\d*\(/g)].slice(-1);
    const place = last === undefined ? '' : sourcePositions(`${file}:${at + 1}:${last.index + 1}`);
    const [, source = '', row = ''] = /^((?:src|modules)\/.*):(\d+):\d+$/.exec(place) ?? [];
    if (source === '') continue;
    const written = (await readFile(path.join(ROOT, source), 'utf8')).split('\n')[Number(row) - 1];
    return written?.includes(`function ${last?.[1] ?? ''}`) === true;
  }
  return undefined;
}

describe('positions of the sources in a stack of the built command', () => {
  it('replace those of the bundle', async () => {
    const { stdout } = await command(process.execPath, ['--input-type=module', '-e', BROKEN], { cwd: ROOT });
    expect(stdout).to.match(/loadInventory \(\/.*\/dist\/chunks\/[^)]+\.js:\d+:\d+\)/);
    const shown = sourcePositions(stdout);
    expect(shown).to.match(/^TypeError: broken\n/);
    expect(shown).to.match(/loadInventory \(src\/library\/runs\.ts:\d+:\d+\)/);
  });

  it('names functions at their own places, in all chunks', async () => {
    const folder = path.join(ROOT, 'dist/chunks');
    const names = (await readdir(folder)).filter((name) => /-[A-Z0-9]{8}\.js$/.test(name));
    const found = await Promise.all(names.map((name) => isFunctionFound(path.join(folder, name))));
    expect(names.filter((_, at) => found[at] === false)).to.deep.equal([]);
    expect(found.filter((one) => one === true)).to.have.length.above(50);
  });

  it('leaves a position without a map alone', () => {
    expect(sourcePositions('at f (file:///nowhere/dist/x.js:1:2)')).to.equal('at f (file:///nowhere/dist/x.js:1:2)');
  });
});
