import type { Expression } from '../../language/syntax/expressions/nodes.js';
import { allLayers } from '../subject/names.js';
import { piecesOfLayer, stepPieces, type Piece } from '../subject/pieces.js';
import { allTasks, placedSteps, writtenConditions, type LintSubject, type Remark } from '../subject/subject.js';

/** Expressions that ansible-core 2.14 and 2.19 evaluate differently. */
export function* expressionDifferences(subject: LintSubject): Generator<Remark> {
  for (const { step } of allTasks(subject)) {
    for (const { expression, source } of writtenConditions(step, subject)) {
      const found = notBoolean(expression);
      if (found === undefined) continue;
      yield {
        message: `this condition is ${found}: Ansible 2.14 takes it for true or false, 2.19 fails`,
        source,
        hint: 'compare it, such as "> 0" or "!= \'\'", or write "| bool"',
      };
    }
  }
  for (const { step } of placedSteps(subject)) yield* differencesIn(stepPieces(step, subject));
  for (const layer of allLayers(subject)) yield* differencesIn(piecesOfLayer(layer, subject));
}

function* differencesIn(pieces: readonly Piece[]): Generator<Remark> {
  for (const { expression, alone, looksLikeList, source } of pieces) {
    if (alone === true) yield* wholeValue(expression, source);
    if (looksLikeList === true)
      yield {
        message: 'Ansible 2.14 reads this text as a list or a mapping, 2.19 leaves it text',
        source: source(),
        hint: 'write one expression, or add "| from_yaml" where the value is used',
      };
    const set = unsorted(expression);
    if (set === undefined) continue;
    yield {
      message: `"${set}" keeps the order of the items in Ansible 2.14; in 2.19 the order changes from run to run`,
      source: source(),
      hint: 'add "| sort" if the order matters',
    };
  }
}

/** For a text that is a single expression. */
function* wholeValue(expression: Expression, source: Piece['source']): Generator<Remark> {
  if (expression.type !== 'SubExpression') return;
  if (expression.name === 'range')
    yield {
      message: 'range() is a list in Ansible 2.14; in 2.19 it cannot be a value',
      source: source(),
      hint: 'add "| list"',
    };
  if (expression.name === 'ternary' && expression.params[2]?.type === 'UndefinedLiteral')
    yield {
      message: 'without "else", this is an empty text in Ansible 2.14 if the condition is false; 2.19 fails',
      source: source(),
      hint: 'add "else" and a value',
    };
}

const NUMBERS: ReadonlySet<string> = new Set(['length', 'count', 'int', 'float', 'sum', 'abs', 'round']);
const TEXTS: ReadonlySet<string> = new Set(['string', 'trim', 'upper', 'lower', 'join', 'replace', 'regex_replace']);
const LISTS: ReadonlySet<string> = new Set(['list', 'sort', 'unique', 'split', 'select', 'reject', 'map']);

/** The type of a condition that is certainly not a boolean. `a and b` is either of the two. */
function notBoolean(node: Expression): string | undefined {
  if (node.type === 'StringLiteral') return 'a text';
  if (node.type === 'NumberLiteral') return 'a number';
  if (node.type !== 'SubExpression' || node.test) return undefined;
  if (NUMBERS.has(node.name)) return 'a number';
  if (TEXTS.has(node.name)) return 'a text';
  if (LISTS.has(node.name)) return 'a list';
  const last = node.params.at(-1);
  if (node.name !== 'and' && node.name !== 'or' && node.name !== 'default') return undefined;
  return last === undefined ? undefined : notBoolean(last);
}

const SETS: ReadonlySet<string> = new Set(['union', 'difference', 'intersect', 'symmetric_difference']);
/** Filters and tests whose results do not depend on the order. */
const UNORDERED: ReadonlySet<string> = new Set('sort length count sum min max in not contains'.split(' '));

function isEmptyList(node: Expression): boolean {
  return node.type === 'SubExpression' && node.name === 'array' && node.params.length === 0;
}

/** The first set operation whose order can be seen. */
function unsorted(node: Expression): string | undefined {
  if (node.type !== 'SubExpression' || UNORDERED.has(node.name) || node.test) return undefined;
  if (SETS.has(node.name)) return node.name;
  if (['eq', 'ne'].includes(node.name) && node.params.some(isEmptyList)) return undefined;
  const inside = [...node.params, ...node.hash.map(({ value }) => value)];
  for (const one of inside) {
    const found = unsorted(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
