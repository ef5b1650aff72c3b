import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { shownHabit } from '../../src/cli/reference/doc.js';
import { HABITS } from '../../src/load/project/habits.js';
import { DIALECTS } from '../../src/model/dialect.js';
import { ROOT } from '../rig/command.js';

describe('docs/dialects.md', () => {
  it('shows every habit of every built-in dialect', () => {
    const page = readFileSync(path.join(ROOT, 'docs/dialects.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (`\w+` .*) \|$/gm)].map(([, row = '']) =>
      row.split(' | ').map((cell) => cell.trim().replaceAll('`', '')),
    );
    const dialects = [...DIALECTS.values()];
    expect(rows).to.deep.equal(
      HABITS.map((habit) => [
        habit.name,
        habit.description.replace(/\.$/, ''),
        ...dialects.map((dialect) => shownHabit(habit, dialect)),
      ]),
    );
  });
});
