import { orElse } from '../../core/model/error_message.js';
import type { Condition, Include, Task } from '../../core/model/playbook/step.js';
import type { Source } from '../../core/model/source/diagnostic.js';
import { entry, isList, isMapping, type Value } from '../../core/model/values/value.js';
import { isBraced } from '../../language/condition.js';
import { TemplateError } from '../../language/runtime/errors.js';
import type { Expression } from '../../language/syntax/expressions/nodes.js';
import { parseExpression } from '../../language/syntax/expressions/parser.js';
import { parseTemplate, type ParsedTemplate } from '../../language/syntax/template.js';
import { property, type Schema } from '../../module/schema.js';
import type { LintSubject } from './subject.js';

/** A bare expression of a task, as a tree. */
interface WrittenExpression {
  readonly expression: Expression;
  readonly text: string;
  readonly source: Source;
}

/** The conditions of a task: `when`, `until`, `changed_when`, `failed_when`, `break_when`, and arguments such as `that`. */
export function writtenConditions(task: Task | Include, subject: LintSubject): readonly WrittenExpression[] {
  const conditions = [
    ...task.when,
    ...(task.until?.until ?? []),
    ...(task.changedWhen ?? []),
    ...(task.failedWhen ?? []),
    ...(task.loop?.breakWhen ?? []),
    ...expressionArguments(task, subject),
  ];
  return conditions.flatMap((condition) => parsed(condition, subject) ?? []);
}

/** Undefined for a value that is not text, and for a text that has braces or cannot be parsed. The loader has reported both. */
export function parsed(
  { expression: value, source }: Condition,
  { library }: LintSubject,
): WrittenExpression | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const text = isBraced(value) ? value.trim().slice(2, -2) : value;
  if (text.includes('{{')) return undefined;
  const expression = attempt(() => parseExpression(text, library.table));
  return expression === undefined ? undefined : { expression, text: text.trim(), source };
}

/** Undefined if the text cannot be parsed. */
export function parsedTemplate(text: string, { library }: LintSubject): ParsedTemplate | undefined {
  return attempt(() => parseTemplate(text, library.table));
}

/** An expression and all its parts. */
export function* everyNode(expression: Expression): Generator<Expression> {
  yield expression;
  if (expression.type !== 'SubExpression') return;
  for (const inner of [...expression.params, ...expression.hash.map(({ value }) => value)]) yield* everyNode(inner);
}

/** Names of the arguments that are bare expressions. */
export function expressionNames(task: Task | Include, { modules }: LintSubject): readonly string[] {
  const schema: Schema = modules.get(task.module)?.args ?? {};
  return Object.keys(schema.properties ?? {}).filter((name) => property(schema, name)?.expression === true);
}

function expressionArguments(task: Task | Include, subject: LintSubject): readonly Condition[] {
  const { args, argsPath, locate } = task;
  if (!isMapping(args)) return [];
  return expressionNames(task, subject).flatMap((name) => {
    const value: Value = entry(args, name) ?? null;
    if (!isList(value)) return [{ expression: value, source: locate([...argsPath, name]) }];
    return value.map((expression, index) => ({ expression, source: locate([...argsPath, name, index]) }));
  });
}

function attempt<T>(read: () => T): T | undefined {
  return orElse(undefined, read, TemplateError);
}
