import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { shownTrait } from '../../src/cli/reference/doc.js';
import { TRAITS } from '../../src/load/project/traits.js';
import { DIALECTS } from '../../src/model/dialect.js';
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
