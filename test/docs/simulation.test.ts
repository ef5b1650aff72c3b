import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { BEHAVIOUR_SCHEMA } from '../../src/simulator/behaviour/behaviour.js';
import { FAULT_TYPES } from '../../src/simulator/behaviour/fault.js';
import { behaviourParser } from '../../src/simulator/behaviour/parse_behaviour.js';
import { ROOT } from '../rig/command.js';
import { blocksOf } from './blocks.js';

describe('docs/simulation.md', () => {
  const page = readFileSync(path.join(ROOT, 'docs/simulation.md'), 'utf8');
  const firstCells = [...page.matchAll(/^\| `([a-z_]+)`/gm)].map(([, cell]) => cell);

  it('names every behaviour and every fault', () => {
    const declared = [...Object.keys(BEHAVIOUR_SCHEMA.properties), ...FAULT_TYPES];
    expect(declared.filter((name) => !firstCells.includes(name))).to.deep.equal([]);
  });

  it('shows valid behaviours', () => {
    const check = behaviourParser();
    const shown = blocksOf(page).filter(({ language }) => language === 'yaml');
    const behaviours = shown.map(
      ({ text }) => parse(text) as { all: { hosts: Record<string, Record<string, unknown>> } },
    );
    for (const { all } of behaviours) {
      for (const { controller_simulation: behaviour } of Object.values(all.hosts)) {
        expect(check(behaviour)).to.deep.equal({ status: 'ok', behaviour });
      }
    }
    expect(shown).to.have.length(1);
  });
});
