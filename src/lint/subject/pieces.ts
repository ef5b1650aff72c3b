import type { Include, Step, Task } from '../../core/model/playbook/step.js';
import type { FieldPath, Source } from '../../core/model/source/diagnostic.js';
import { isMapping, leavesIn, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { hasTemplate } from '../../language/check.js';
import type { Expression } from '../../language/syntax/expressions/nodes.js';
import type { TemplatePart } from '../../language/syntax/parts.js';
import { expressionNames, parsedTemplate, writtenConditions, type LintSubject } from './subject.js';

/** Expressions that belong together: those of a step, or of one mapping of variables. */
export interface Piece {
  readonly expression: Expression;
  readonly source: () => Source;
  /** The names that statements of the same text assign. */
  readonly names?: ReadonlySet<string>;
  /** Whether the text consists of this expression only. */
  readonly alone?: boolean;
  /** The text has statements, and brackets or braces around all of it. */
  readonly looksLikeList?: boolean;
}

/** The expressions of a step, except those of its variables. */
export function stepPieces(step: Step, subject: LintSubject): readonly Piece[] {
  switch (step.type) {
    case 'task':
    case 'include':
      return [...conditionPieces(step, subject), ...templatePieces(step, subject)];
    case 'block':
      return step.loop === undefined ? [] : piecesIn(step.loop.over.value, constant(step.loop.over.source), subject);
    case 'role':
    case 'meta':
      return [];
  }
}

export function piecesOfLayer({ values, locate }: VariableLayer, subject: LintSubject): readonly Piece[] {
  return locate === undefined ? [] : piecesIn(values, (path) => () => locate(path), subject);
}

function conditionPieces(task: Task | Include, subject: LintSubject): readonly Piece[] {
  return writtenConditions(task, subject).map(({ expression, source }) => ({ expression, source: () => source }));
}

function templatePieces(task: Task | Include, subject: LintSubject): readonly Piece[] {
  const expressions = expressionNames(task, subject);
  const args = isMapping(task.args)
    ? Object.fromEntries(Object.entries(task.args).filter(([name]) => !expressions.includes(name)))
    : task.args;
  const located = [task.loop?.over, task.loop?.label, task.delegateTo].filter((one) => one !== undefined);
  return [
    ...piecesIn(args, (path) => () => task.locate([...task.argsPath, ...path]), subject),
    ...located.flatMap(({ value, source }) => piecesIn(value, constant(source), subject)),
  ];
}

type LocateLater = (path: FieldPath) => () => Source;

function constant(source: Source): LocateLater {
  return () => () => source;
}

function piecesIn(value: Value, locate: LocateLater, subject: LintSubject): readonly Piece[] {
  return [...leavesIn(value)].flatMap(([leaf, path]) =>
    typeof leaf === 'string' && hasTemplate(leaf) ? piecesOfText(leaf, locate(path), subject) : [],
  );
}

/** `[{% for … %}…]`. */
const LIST_WITH_STATEMENTS = /^\s*(?:\[(?=[^]*\]\s*$)|\{(?![{%#])(?=[^]*\}\s*$))[^]*\{%/;

/** Inside `{{#each}}` and `{{#with}}`, names have other meanings, so such texts are skipped. */
function piecesOfText(text: string, source: () => Source, subject: LintSubject): readonly Piece[] {
  const template = parsedTemplate(text, subject);
  if (template === undefined || hasOwnNames(template.parts)) return [];
  const { expressions, names, parts } = template;
  const alone = parts.length === 1 && parts[0]?.type === 'output';
  const looksLikeList = LIST_WITH_STATEMENTS.test(text);
  return expressions.map(({ node }) => ({ expression: node, source, names, alone, looksLikeList }));
}

function hasOwnNames(parts: readonly TemplatePart[]): boolean {
  return parts.some((part) => {
    switch (part.type) {
      case 'each':
      case 'with':
        return true;
      case 'if':
        return hasOwnNames(part.otherwise) || part.branches.some(({ body }) => hasOwnNames(body));
      case 'for':
        return hasOwnNames(part.body) || hasOwnNames(part.otherwise);
      case 'bind':
      case 'capture':
        return hasOwnNames(part.body);
      case 'text':
      case 'output':
      case 'set':
      case 'store':
        return false;
    }
  });
}
