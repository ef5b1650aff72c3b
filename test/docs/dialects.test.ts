import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { DIALECTS } from '../../src/core/model/dialect.js';
import { shownTrait } from '../../src/doc/command.js';
import { TRAITS } from '../../src/project/project/traits.js';
import { ROOT } from '../rig/command.js';

describe('docs/dialects.md', () => {
  it('shows every trait of every built-in dialect', () => {
    const page = readFileSync(path.join(ROOT, 'docs/dialects.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (`\w+` .*) \|$/gm)].map(([, row = '']) =>
      row.split(' | ').map((cell) => cell.trim().replaceAll('`', '')),
    );
    const dialects = [...DIALECTS.values()];
    expect(rows).to.deep.equal(
      TRAITS.map((trait) => [
        trait.name,
        trait.description.replace(/\.$/, ''),
        ...dialects.map((dialect) => shownTrait(trait, dialect)),
      ]),
    );
  });
});
