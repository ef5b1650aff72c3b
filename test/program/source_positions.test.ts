import { expect } from 'chai';
import { sourcePositions } from '../../src/program/process.js';
import { command, ROOT } from '../rig/command.js';

/** Prints the stack of an error that the inventory itself throws. */
const BROKEN = `
  const { loadInventory } = await import('./dist/index.js');
  const inventory = [{ get host() { throw new TypeError('broken'); } }];
  await loadInventory({ inventory }).catch((error) => console.log(error.stack));
`;

describe('positions of the sources in a stack of the built command', () => {
  it('replace those of the bundle', async () => {
    const { stdout } = await command(process.execPath, ['--input-type=module', '-e', BROKEN], { cwd: ROOT });
    expect(stdout).to.match(/loadInventory \(\/.*\/dist\/chunks\/[^)]+\.js:\d+:\d+\)/);
    const shown = sourcePositions(stdout);
    expect(shown).to.match(/^TypeError: broken\n/);
    expect(shown).to.match(/loadInventory \(src\/library\/runs\.ts:\d+:\d+\)/);
  });

  it('leaves a position without a map alone', () => {
    expect(sourcePositions('at f (file:///nowhere/dist/x.js:1:2)')).to.equal('at f (file:///nowhere/dist/x.js:1:2)');
  });
});
