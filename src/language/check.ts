import {
  NO_EXEC,
  sourceInside,
  type Diagnostic,
  type Locate,
  type Source,
  type TextPosition,
} from '../core/model/source/diagnostic.js';
import { isList, isMapping, Unsafe, Vaulted, type Value } from '../core/model/values/value.js';
import { bind, type BoundCall } from './evaluation/binding.js';
import { BUILT_IN_LIBRARY, type Library } from './library.js';
import { findLookup, refusedWithoutExec, unknownLookup } from './library/lookups/lookups.js';
import { withoutBracesHint } from './render.js';
import { withoutCollection } from './runtime/callable.js';
import { TemplateError } from './runtime/errors.js';
import type { PluginType } from './runtime/plugins.js';
import type { Expression, SubExpression } from './syntax/expressions/nodes.js';
import { parseExpression } from './syntax/expressions/parser.js';
import { hasTemplate, parseTemplate } from './syntax/template.js';

export { hasTemplate } from './syntax/template.js';

/**
 * Every problem of the templates in a value that does not depend on variables: syntax, unknown filters, wrong arguments, Jinja's
 * statements. Renders nothing.
 */
export function checkTemplates(value: Value, locate: Locate, library: Library = BUILT_IN_LIBRARY): Diagnostic[] {
  const found: Diagnostic[] = [];
  visit(value, [], (text, path) => {
    for (const one of checkText(text, () => locate(path), library)) found.push(one);
  });
  return found;
}

/**
 * Like `checkTemplates`, for a bare expression: `when`, `until`, `changed_when`, …
 *
 * @param what names the expression in the message
 */
export function checkExpression(
  expression: Value,
  source: Source,
  library: Library = BUILT_IN_LIBRARY,
  what: 'an expression' | 'a condition' = 'an expression',
): Diagnostic[] {
  if (expression instanceof Vaulted) return [];
  if (expression instanceof Unsafe) return checkExpression(expression.text, source, library, what);
  const { table } = library;
  if (typeof expression !== 'string' || expression === '') return [];
  const found = (): readonly Problem[] => problems(parseExpression(expression, table), library);
  if (!hasTemplate(expression)) return collect(found, () => source);
  const warning: Diagnostic = {
    severity: 'warning',
    rule: 'no-jinja-when',
    message: `${what} needs no ${expression.includes('{%') ? '{% %}' : '{{ }}'}`,
    source,
    hint: withoutBracesHint(expression, what === 'a condition'),
  };
  return [warning, ...checkText(expression, () => source, library)];
}

type Path = readonly (string | number)[];

function visit(value: Value, path: Path, check: (text: string, path: Path) => void): void {
  if (typeof value === 'string') {
    if (hasTemplate(value)) check(value, path);
  } else if (isList(value)) {
    for (const [index, one] of value.entries()) visit(one, [...path, index], check);
  } else if (isMapping(value)) {
    for (const [key, one] of Object.entries(value)) {
      if (hasTemplate(key)) check(key, [...path, key]);
      visit(one, [...path, key], check);
    }
  }
}

function checkText(text: string, source: () => Source, library: Library): Diagnostic[] {
  const read = (): readonly Problem[] => {
    const { expressions, lines } = parseTemplate(text, library.table);
    return expressions.flatMap(({ node, at }) =>
      problems(node, library).map((one) => ({ ...one, place: lines.place(at) })),
    );
  };
  return collect(read, source);
}

/** The problem of a lookup that would execute something although `--no-exec` forbids it. */
export function checkCommand(lookup: string, source: Source, library: Library = BUILT_IN_LIBRARY): Diagnostic[] {
  const found = (): readonly Problem[] => [...commands([lookup], library), ...pluginLookup(lookup, library)];
  return collect(found, () => source);
}

interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
  /** Reported by a lint rule only. */
  readonly rule?: string;
  /** Within the text, if it is known. */
  readonly place?: TextPosition | undefined;
}

/** Returns the problems that `read` finds. If it throws a TemplateError, that is a problem, too. */
function collect(read: () => readonly Problem[], source: () => Source): Diagnostic[] {
  return attempt(read, source).map(({ message, hint, rule, place }) => {
    const severity = rule === undefined ? 'error' : 'warning';
    return { severity, message, source: sourceInside(source(), place), hint, ...(rule !== undefined && { rule }) };
  });
}

function attempt(read: () => readonly Problem[], source: () => Source): readonly Problem[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { message, hint, place } = error.locate(source);
    return [{ message, hint, place }];
  }
}

/** The calls in a tree that cannot work. */
function problems(node: Expression, library: Library): readonly Problem[] {
  if (node.type !== 'SubExpression') return [];
  const bound = bind(node, library.table);
  const own = 'problem' in bound ? [bound.problem] : namedProblems(node, bound, library);
  const inner = [...node.params, ...node.hash.map((pair) => pair.value)];
  const plugin = !('problem' in bound) && bound.callable.type === 'form' && bound.callable.isPlugin === true;
  return [
    ...own,
    ...(plugin ? withoutPlugins(node.name, library) : executed(node, library)),
    ...inner.flatMap((one) => problems(one, library)),
  ];
}

/** Filters that take the name of another filter or a lookup: `map("pipe")`, `lookup("pipe", …)`. */
const CALLERS: ReadonlySet<string> = new Set(['map', 'select', 'reject', 'lookup', 'query', 'q']);

const LOOKUP_CALLERS: ReadonlySet<string> = new Set(['lookup', 'query', 'q']);

/** Calls that would execute something although `--no-exec` forbids it. */
function executed(node: SubExpression, library: Library): readonly Problem[] {
  const named = CALLERS.has(node.name) ? node.params.filter((one) => one.type === 'StringLiteral') : [];
  const names = named.map(({ value }) => withoutCollection(value));
  // `url` is also a test: "x is url", select("url").
  const lookups = LOOKUP_CALLERS.has(node.name) ? names : names.filter((name) => name !== 'url');
  return commands([...(node.name === 'url' ? [] : [node.name]), ...lookups], library);
}

function pluginLookup(name: string, library: Library): readonly Problem[] {
  return findLookup(name, library.table.plugins)?.options === 'any' ? withoutPlugins(name, library) : [];
}

function withoutPlugins(name: string, { withheld }: Library): readonly Problem[] {
  return withheld === undefined
    ? []
    : [{ message: `"${name}" runs Python code, which --no-exec refuses`, rule: NO_EXEC }];
}

function commands(names: readonly string[], { withheld }: Library): readonly Problem[] {
  if (withheld === undefined) return [];
  return names.flatMap((name) => {
    const act = refusedWithoutExec(name);
    if (act !== undefined) return { message: `"${name}" ${act}, which --no-exec refuses`, rule: NO_EXEC };
    if (!withheld.has(name)) return [];
    return { message: `the filter "${name}" is code that --no-exec does not load`, rule: NO_EXEC };
  });
}

/** Filters that take the name of another: the parameter for the name, and whether it names a filter, a test or a lookup. */
const NAMING: ReadonlyMap<string, { readonly parameter: string; readonly type: PluginType }> = new Map([
  ['map', { parameter: 'filter', type: 'filter' }],
  ['select', { parameter: 'test', type: 'test' }],
  ['reject', { parameter: 'test', type: 'test' }],
  ['selectattr', { parameter: 'test', type: 'test' }],
  ['rejectattr', { parameter: 'test', type: 'test' }],
  ['lookup', { parameter: 'name', type: 'lookup' }],
  ['query', { parameter: 'name', type: 'lookup' }],
  ['q', { parameter: 'name', type: 'lookup' }],
]);

/** Problems of the filter, test or lookup that a call names in an argument: `map("uper")`. */
function namedProblems(call: SubExpression, outer: BoundCall, library: Library): readonly Problem[] {
  const { callable, slots, rest, named } = outer;
  const { table } = library;
  const naming = NAMING.get(call.name);
  const argument = naming && slots[callable.signature().parameters.indexOf(naming.parameter)];
  if (naming === undefined || argument?.type !== 'StringLiteral') return [];
  const name = table.plain(argument.value);
  if (naming.type === 'lookup') {
    const problems = unknownLookup(argument.value, table.plugins);
    return problems.length > 0 ? problems : pluginLookup(argument.value, library);
  }
  const item: Expression = { type: 'NullLiteral' };
  const bound = bind({ ...call, name, test: naming.type === 'test', params: [item, ...rest], hash: named }, table);
  if ('problem' in bound) return [{ ...bound.problem, message: `${call.name}: ${bound.problem.message}` }];
  return bound.callable.type === 'form' && bound.callable.isPlugin === true ? withoutPlugins(name, library) : [];
}
