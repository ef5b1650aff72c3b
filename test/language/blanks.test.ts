import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { BUILT_IN } from '../../src/language/library/index.js';
import { TemplateError } from '../../src/language/runtime/errors.js';
import { parseExpression } from '../../src/language/syntax/expressions/parser.js';
import { type Escapes, tokenize } from '../../src/language/syntax/expressions/tokens.js';
import { parseTemplate } from '../../src/language/syntax/template.js';
import { Random } from '../differential/generated/random.js';
import { IS_WHOLE, SEED } from '../rig/random_seed.js';
import { CASES } from './ansible/cases.js';

const random = new Random(SEED);

const ROUNDS = IS_WHOLE ? 50 : 5;

/** The expression with random blanks between its tokens: everywhere, or only where it has some. */
function blanked(text: string, everywhere = true): string {
  const starts = tokenize(text, 'python').map(({ start }) => start);
  const tokens = starts.slice(1).map((start, index) => text.slice(starts[index], start));
  return tokens
    .map((token) => (everywhere || /\s$/.test(token) ? token + random.pick(['', '', ' ', '\n', '\t', ' \n  ']) : token))
    .join('');
}

/** The template with random blanks in its expressions and statements. */
function blankedTags(text: string): string {
  return text.replaceAll(/(\{[{%][-+]?)(\s.*?\s)([-+]?[%}]\})/gs, (all, open: string, inner: string, close: string) =>
    attempt(() => `${open} ${blanked(inner)} ${close}`, all),
  );
}

function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof TemplateError) return otherwise;
    throw error;
  }
}

/** What an expression means; undefined if it cannot be read. */
function meaning(text: string, escapes: Escapes = 'kept'): unknown {
  return attempt(() => parseExpression(text, BUILT_IN, escapes), undefined);
}

/** The parts of a template without their positions and texts; null if it cannot be read. */
function meaningOfTemplate(text: string): unknown {
  const parts = attempt(() => parseTemplate(text, BUILT_IN).parts, null);
  return JSON.parse(
    JSON.stringify(parts, (key, value: unknown) => (key === 'at' || key === 'written' ? undefined : value)),
  );
}

/** Expects that the texts mean the same with random blanks. */
function expectSame(
  texts: readonly string[],
  meaningOf: (text: string) => unknown,
  blank: (text: string) => string,
): void {
  for (const text of texts) {
    const wanted = meaningOf(text);
    for (let round = 0; round < ROUNDS; round += 1) {
      const written = blank(text);
      expect(meaningOf(written), `${JSON.stringify(written)} for ${text}`).to.deep.equal(wanted);
    }
  }
}

/** Every expression in a table of docs/templates.md, of either form. */
const DOCUMENTED = [
  ...readFileSync(new URL('../../docs/templates.md', import.meta.url), 'utf8').matchAll(/^\| `(.+?)` +\| `.+` +\|$/gm),
].map(([, text = '']) => text.replaceAll(String.raw`\|`, '|'));

describe('Blanks and line breaks between the tokens', () => {
  it('of an expression of Ansible mean nothing', () => {
    const texts = [...CASES.expressions, ...CASES.conditions].filter((text) => meaning(text) !== undefined);
    expect(texts).to.have.length.greaterThan(1500);
    expectSame(texts, meaning, blanked);
  });

  it('of a template of Ansible mean nothing', () => {
    const texts = CASES.templates.filter((text) => !text.startsWith('#jinja2') && !/\braw\b/.test(text));
    expect(texts).to.have.length.greaterThan(500);
    expectSame(texts, meaningOfTemplate, blankedTags);
  });

  it('of the prefix form mean nothing where a blank separates them already', () => {
    const texts = DOCUMENTED.filter((text) => meaning(text) !== undefined);
    expect(texts).to.have.length.greaterThan(50);
    expectSame(texts, meaning, (text) => blanked(text, false));
  });
});
