import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../rig/command.js';
import { readInventory } from '../rig/inventory.js';
import { blocksOf } from './blocks.js';

const SUFFIXES: Readonly<Record<string, string>> = { yaml: '.yml', ini: '', json: '.json' };

describe('docs/inventory.md', () => {
  for (const { language, text, line } of blocksOf(readFileSync(path.join(ROOT, 'docs/inventory.md'), 'utf8'))) {
    const suffix = SUFFIXES[language];
    if (suffix === undefined) continue;
    it(`shows a valid inventory at line ${line}`, async () => {
      const before = text.startsWith('plugin: constructed') ? ['lb1,lb2,lb3,'] : [];
      const { inventory, said } = await readInventory({ [`hosts${suffix}`]: text }, [...before, `hosts${suffix}`]);
      expect(said).to.deep.equal([]);
      expect(inventory.controllers.size).to.be.greaterThan(2);
    });
  }
});
