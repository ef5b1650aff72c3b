import { ADDRESSES } from './addresses.js';
import { ENCODINGS } from './encodings.js';
import { generatedStatements } from './generated.js';
import { LISTS } from './lists.js';
import { LOOKUPS } from './lookups.js';
import { MAPPINGS } from './mappings.js';
import { NULLS } from './nulls.js';
import { NUMBERS } from './numbers.js';
import { OPERATORS } from './operators.js';
import { REGEXES } from './regexes.js';
import { STATEMENTS } from './statements.js';
import { CONDITIONS, TEMPLATES } from './templates.js';
import { TESTS } from './tests.js';
import { TEXTS } from './texts.js';
import { UNDEFINED } from './undefined.js';

const EXPRESSIONS = [
  ADDRESSES,
  OPERATORS,
  UNDEFINED,
  LISTS,
  MAPPINGS,
  NULLS,
  TEXTS,
  REGEXES,
  NUMBERS,
  ENCODINGS,
  TESTS,
  LOOKUPS,
];

export const KINDS = ['expressions', 'templates', 'conditions'] as const;
export type Kind = (typeof KINDS)[number];

/** All compared cases by kind: bare expressions, whole texts, and conditions. */
export const CASES: Readonly<Record<Kind, readonly string[]>> = {
  expressions: EXPRESSIONS.flatMap(lines),
  templates: [
    ...lines(TEMPLATES),
    ...lines(STATEMENTS).map((line) => line.replaceAll('⏎', '\n')),
    ...generatedStatements(250, 16),
  ],
  conditions: lines(CONDITIONS),
};

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
