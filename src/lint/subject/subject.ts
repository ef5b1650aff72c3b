import type { Inventory } from '../../core/model/inventory/inventory.js';
import type { Play } from '../../core/model/playbook/playbook.js';
import type { Condition, Handler, Include, Step, Task } from '../../core/model/playbook/step.js';
import { orElse, type Diagnostic, type Source } from '../../core/model/source/diagnostic.js';
import { likelyTypo } from '../../core/model/source/suggestion.js';
import { entry, isList, isMapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Library } from '../../language/library.js';
import { isBraced } from '../../language/render.js';
import { TemplateError } from '../../language/runtime/errors.js';
import type { Expression } from '../../language/syntax/expressions/nodes.js';
import { parseExpression } from '../../language/syntax/expressions/parser.js';
import { parseTemplate, type ParsedTemplate } from '../../language/syntax/template.js';
import type { Module } from '../../module/contract.js';
import { property, type Schema } from '../../module/schema.js';

/** The input of rules. */
export interface LintSubject {
  readonly plays: readonly PlaySubject[];
  readonly inventories: readonly Inventory[];
  /** Variables from the command line or an environment. */
  readonly extraVars: readonly VariableLayer[];
  /** The modules that tasks call, by name. */
  readonly modules: ReadonlyMap<string, Module>;
  /** The filters for templates. */
  readonly library: Library;
  /** The lines of a file, by the name in messages; undefined if it cannot be read, or is encrypted. */
  readonly lines: (file: string) => readonly string[] | undefined;
  /**
   * Whether everything that a run would read has been read. If not (a file is named by a template, or has mistakes), no
   * rule can say that something is never used.
   */
  readonly complete: boolean;
}

/** A play with the contents of its includes, as far as they are known before a run. */
export interface PlaySubject {
  readonly play: Play;
  /** In the order of the playbook. */
  readonly steps: readonly PlacedStep[];
  readonly handlers: readonly PlacedStep<Handler>[];
  /** Variables of included roles with `public: true`. */
  readonly layers: readonly VariableLayer[];
}

/** A step and its surroundings. */
export interface PlacedStep<S extends Step = Step> {
  readonly step: S;
  /** The step right before it in the same list. */
  readonly before: Step | undefined;
  /** Blocks, roles and includes, outermost first. */
  readonly around: readonly Step[];
  readonly handler: boolean;
}

export function placedSteps({ plays }: Pick<LintSubject, 'plays'>): readonly PlacedStep[] {
  return plays.flatMap(({ steps, handlers }) => [...steps, ...handlers]);
}

/** Those that call a module. */
export function allTasks(subject: Pick<LintSubject, 'plays'>): readonly PlacedStep<Task | Include>[] {
  return placedSteps(subject).filter(callsModule);
}

export function callsModule(placed: PlacedStep): placed is PlacedStep<Task | Include> {
  return placed.step.type === 'task' || placed.step.type === 'include';
}

/** A problem, and where it is. */
export interface Remark {
  readonly message: string;
  readonly source: Source;
  readonly hint?: string | undefined;
  /** Present if this finding is less certain than the others of the rule. */
  readonly severity?: 'warning' | undefined;
  /** The remarks of a file with the same text here become one: `tasks or handlers have no name`. */
  readonly together?: string | undefined;
}

/** A rule of good playbooks. */
export interface Rule {
  /** As in `# noqa NAME`; ansible-lint's name where it has such a rule. */
  readonly name: string;
  /** One line. */
  readonly reason: string;
  /** Warnings do not make `evenkeel lint` fail. */
  readonly severity: Diagnostic['severity'];
  /** Pure: only examines the subject. Absent: the loader finds these. */
  readonly check?: (subject: LintSubject) => Iterable<Remark>;
}

/** A bare expression of a task, as a tree. */
interface WrittenExpression {
  readonly expression: Expression;
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
  return conditions.flatMap((condition) => parsedCondition(condition, subject) ?? []);
}

/** Undefined for a value that is not text, and for a text that has braces or cannot be parsed. The loader has reported both. */
export function parsedCondition(
  { expression: value, source }: Condition,
  { library }: LintSubject,
): WrittenExpression | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const text = isBraced(value) ? value.trim().slice(2, -2) : value;
  if (text.includes('{{')) return undefined;
  const expression = attempt(() => parseExpression(text, library.table));
  return expression === undefined ? undefined : { expression, source };
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

const COMMENT = /(?:^|\s)#\s*noqa(?![\w-])[: ]?([\w\s,[\]-]*)/i;

/**
 * The rules that a line is exempt from: `# noqa name-of-rule other-rule`, or all rules: `# noqa`. Undefined if there are none.
 * Ignores ansible-lint's tag after a name (`name[missing]`).
 */
export function exemptionsIn(line: string): readonly string[] | 'all' | undefined {
  const match = COMMENT.exec(line);
  if (match === null) return undefined;
  const names = (match[1] ?? '').split(/[\s,]+/).map((name) => name.replace(/\[.*$/, ''));
  const given = names.filter((name) => name !== '');
  return given.length === 0 ? 'all' : given;
}

/** Whether a line exempts itself from the rule. */
export function isExempt(rule: string, line: string | undefined): boolean {
  const exemptions = line === undefined ? undefined : exemptionsIn(line);
  return exemptions !== undefined && (exemptions === 'all' || exemptions.includes(rule));
}

/** Misspelled rules in `# noqa`. Names of other linters' rules are fine. */
export function unknownRulesIn(file: string, lines: readonly string[], rules: readonly string[]): readonly Remark[] {
  return lines.flatMap((line, index) => {
    const exemptions = exemptionsIn(line);
    if (exemptions === undefined || exemptions === 'all') return [];
    return exemptions.flatMap((name) => {
      const suggestion = rules.includes(name) ? undefined : likelyTypo(name, rules);
      const column = line.indexOf(name, line.search(COMMENT)) + 1;
      if (suggestion === undefined) return [];
      const message = `"# noqa ${name}" has no effect: there is no such rule`;
      return [{ message, source: { file, line: index + 1, column }, hint: `did you mean "${suggestion}"?` }];
    });
  });
}

/** A comment with text: `# noqa` alone gives no reason. */
const WITH_REASON = /(?:^|\s)[#;](?!\s*noqa\b)\s*\S/;

/** Whether a comment gives a reason, on the line of one of these places or on the line above. Comments of an encrypted file are not known. */
export function hasReason(lines: LintSubject['lines'], ...places: readonly Source[]): boolean {
  return places.some(({ file, line }) => {
    const text = lines(file);
    return text === undefined || comments(text[line - 1]) || isComment(text[line - 2]);
  });
}

function comments(line: string | undefined): boolean {
  return line !== undefined && exemptionsIn(line) === undefined && WITH_REASON.test(line);
}

function isComment(line: string | undefined): boolean {
  return line !== undefined && /^\s*[#;]/.test(line) && comments(line);
}
