import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { OUTPUTS } from '../../src/core/model/run/choices.js';
import { REPORT_KINDS } from '../../src/reporting/reports/report.js';
import { ROOT } from '../rig/command.js';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** The types of events exist only at compile time. */
const EVENT_TYPES = ['event', 'controller_event'].flatMap((name) =>
  [...read(`src/core/model/run/${name}.ts`).matchAll(/^ {2}readonly type: '([\w-]+)';$/gm)].map(([, type]) => type),
);

/** The first cells of the table whose first column has this title. */
function namesIn(page: string, title: string): readonly (string | undefined)[] {
  const table = page.split(/\n\n+/).find((part) => part.startsWith(`| ${title} `)) ?? '';
  return [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);
}

describe('docs/output.md', () => {
  const page = read('docs/output.md');

  for (const [title, declared] of [
    ['output', OUTPUTS],
    ['kind', REPORT_KINDS],
    ['type', EVENT_TYPES],
  ] as const)
    it(`has a row for every name in the table "${title}"`, () => {
      expect(declared).to.have.length.above(3);
      const rows = namesIn(page, title);
      expect(declared.filter((name) => !rows.includes(name))).to.deep.equal([]);
    });
});
