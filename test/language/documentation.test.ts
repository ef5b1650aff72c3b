import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { renderText } from '../../src/language/render.js';
import { evaluateLazy } from '../../src/language/runtime/result.js';
import { variables } from './scopes.js';

const page = readFileSync(new URL('../../docs/templates.md', import.meta.url), 'utf8');

/** The rows of every table that is headed "expression | value" or "template | value". */
function examples(heading: 'expression' | 'template'): readonly (readonly [text: string, value: string])[] {
  const head = new RegExp(`^\\| ${heading}\\s+\\| value\\s+\\|`);
  const tables = page.split(/\n\n+/).filter((part) => head.test(part));
  return tables.flatMap((table) =>
    table
      .split('\n')
      .map((row) => /^\| `(.+?)`\s+\| `(.+)`\s+\|$/.exec(row))
      .flatMap((match) => (match ? [[(match[1] ?? '').replaceAll('\\|', '|'), match[2] ?? ''] as const] : [])),
  );
}

describe('docs/templates.md', () => {
  const block = /```yaml\n(env: [^]*?)```/.exec(page)?.[1] ?? '';
  const scope = variables(parse(block) as never);

  const templates = examples('expression').map(([expression, value]) => [`{{${expression}}}`, value] as const);
  for (const [text, value] of [...templates, ...examples('template')]) {
    it(`is right about ${text}`, () => {
      expect(evaluateLazy(renderText(text, scope))).to.deep.equal(JSON.parse(value));
    });
  }

  it('has examples', () => {
    expect(examples('expression')).to.have.length.greaterThan(40);
    expect(examples('template')).to.have.length.greaterThan(5);
  });
});
