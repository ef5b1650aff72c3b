import { BoundedMap, getOrAdd } from '../core/model/values/groups.js';
import { isNumeric } from '../core/model/values/json.js';
import { jsonText, isList, isMapping, type Value } from '../core/model/values/value.js';
import { compileParts } from './evaluation/blocks.js';
import { Compiler, type Compile, type WriteText } from './evaluation/compile.js';
import { BUILT_IN } from './library/index.js';
import { filePaths, fileTests } from './library/lookups/file_tests.js';
import { lookups } from './library/lookups/lookups.js';
import type { CallableTable } from './runtime/callable.js';
import { TemplateError } from './runtime/errors.js';
import {
  type Compiled,
  type Evaluate,
  type EvaluationScope,
  type LookupServices,
  type Preview,
  type SearchFolder,
  Gaps,
} from './runtime/frame.js';
import { converted, requireDefined } from './runtime/result.js';
import type { Expression } from './syntax/expressions/nodes.js';
import { parseExpression } from './syntax/expressions/parser.js';
import type { TextLines } from './syntax/lines.js';
import type { TemplatePart } from './syntax/parts.js';
import { ANSIBLE, withSetting } from './syntax/syntax.js';
import { parseTemplate, trailingLineBreaks, type ParsedTemplate } from './syntax/template.js';

/** Maximum number of compiled texts. No project has as many; the limit keeps generated texts from filling the memory. */
const MOST_CACHED_TEMPLATES = 50_000;

/** The filters of templates, and the texts compiled with them: each once. A run has one library, passed on with its variables. */
export class Library implements Compiled {
  readonly gaps = new Gaps();
  readonly #compiler: Compiler;
  readonly #templates = new BoundedMap<string, Evaluate>(MOST_CACHED_TEMPLATES);
  readonly #files = new BoundedMap<string, Evaluate>(MOST_CACHED_TEMPLATES);
  readonly #expressions = new BoundedMap<string, Evaluate>(MOST_CACHED_TEMPLATES);

  /** @param withheld absent: everything may be executed; else the filters whose code is not loaded */
  constructor(
    readonly table: CallableTable,
    readonly withheld?: ReadonlySet<string>,
    readonly preview?: Preview,
    private readonly services: LookupServices = {},
  ) {
    this.#compiler = new Compiler(
      table,
      (text, settings) => this.#file(text, settings),
      withheld === undefined,
      preview,
      services,
    );
  }

  /** The same library, with lookups that can also use `services`. */
  with(services: LookupServices): Library {
    return new Library(this.table, this.withheld, this.preview, { ...this.services, ...services });
  }

  template(text: string): Evaluate {
    return getOrAdd(this.#templates, text, () =>
      this.#measured(compileTemplate(parseTemplate(text, this.table), this.#compiler)),
    );
  }

  /** Compiles a file for the lookup `template`: the result is always a text, and backslashes escape as in Python. */
  #file(text: string, settings: ReadonlyMap<string, Value>): Evaluate {
    const key = settings.size === 0 ? text : jsonText([...settings, text]);
    return getOrAdd(this.#files, key, () => {
      const syntax = [...settings].reduce((known, [name, value]) => withSetting(known, name, value), ANSIBLE);
      const { parts, lineBreaks, lines } = parseTemplate(text, this.table, 'python', syntax);
      return compileText(parts, lineBreaks, (node) => this.#compiler.compile(node), lines);
    });
  }

  expression(text: string): Evaluate {
    return getOrAdd(this.#expressions, text, () =>
      this.#measured(this.#compiler.compile(parseExpression(text, this.table))),
    );
  }

  #measured(plain: Evaluate): Evaluate {
    const { meter } = this.services;
    const { plugins } = this.table;
    const evaluate: Evaluate = (frame) =>
      plugins?.during === undefined ? plain(frame) : plugins.during(() => plain(frame));
    return meter === undefined ? evaluate : (frame) => meter.template(() => evaluate(frame));
  }

  lookUp(name: string, terms: readonly Value[], scope: EvaluationScope, folder: SearchFolder): readonly Value[] {
    return this.#compiler.lookUp(name, terms, { scope, block: undefined }, folder);
  }

  untrustedExpression(text: string): Evaluate {
    const node = parseExpression(text, this.table);
    const called = callsIn(node, this.table).find(
      (name) => POWERFUL.has(name) || (!BUILT_IN.has(name) && this.table.has(name)) || isPlugin(name, this.table),
    );
    if (called === undefined) return this.#compiler.compile(node);
    const message = `a condition made by {{ }} must not call "${called}"`;
    throw new TemplateError(message, { hint: 'write the condition in the playbook, without {{ }}' });
  }
}

/** The library of scopes that have no other. */
export const BUILT_IN_LIBRARY = new Library(BUILT_IN);

/** Filters that read files, send requests or run programs, and filters that call a filter by its name. */
const POWERFUL: ReadonlySet<string> = new Set([
  ...[lookups, fileTests, filePaths].flatMap((family) => Object.keys(family)),
  ...['expandvars', 'map', 'select', 'reject', 'selectattr', 'rejectattr'],
]);

function isPlugin(name: string, { plugins }: CallableTable): boolean {
  const isKnown = BUILT_IN.has(name);
  return plugins?.find('filter', name, isKnown) !== undefined || plugins?.find('test', name, isKnown) !== undefined;
}

function callsIn(node: Expression, table: CallableTable): readonly string[] {
  // A variable may have the name of a filter that needs arguments: then the filter is not called.
  if (node.type === 'PathExpression')
    return table.filter(node.original)?.signature().required === 0 ? [node.original] : [];
  if (node.type !== 'SubExpression') return [];
  const inner = [...node.params, ...node.hash.map(({ value }) => value)];
  return [node.name, ...inner.flatMap((one) => callsIn(one, table))];
}

function compileTemplate(parsed: ParsedTemplate, compiler: Compiler): Evaluate {
  const { parts, lineBreaks } = parsed;
  const lines = parsed.lines.text.includes('\n') ? parsed.lines : undefined;
  const compile: Compile = (node) => compiler.compile(node);
  const only = onlyOutput(parts);
  if (only === undefined)
    return mayConvert(parts)
      ? compileConverted(parts, lineBreaks, compile, lines)
      : compileText(parts, lineBreaks, compile, lines);
  const evaluate = compile(only);
  if (parts.length === 1 && lineBreaks === 0) return evaluate;
  const write = compileText(parts, lineBreaks, compile, lines);
  // Ansible returns a number unchanged, even before a line break.
  const scalars = isName(only) && parts.length === 1 && lineBreaks === 1;
  // White space around (a folded YAML text ends with a line break) must not turn a list into text.
  return (frame) => {
    const value = requireDefined(evaluate(frame));
    return isList(value) || isMapping(value) || (scalars && (isNumeric(value) || typeof value === 'boolean'))
      ? value
      : write(frame);
  };
}

/** Whether the result may read like a list, a mapping or a boolean: not if the template begins with other text. */
function mayConvert([first]: readonly TemplatePart[]): boolean {
  return first?.type !== 'text' || /^(?:[[{]|T|F|$)/.test(first.text);
}

/** As in Ansible, a text that reads like a list, a mapping or a boolean becomes one. */
function compileConverted(
  parts: readonly TemplatePart[],
  lineBreaks: number,
  compile: Compile,
  lines?: TextLines,
): Evaluate {
  const write = compileParts(parts, compile, lines);
  return (frame) => {
    const value = converted(write(frame));
    return typeof value === 'string' ? withLineBreaks(value, lineBreaks) : value;
  };
}

function compileText(
  parts: readonly TemplatePart[],
  lineBreaks: number,
  compile: Compile,
  lines?: TextLines,
): WriteText {
  const write = compileParts(parts, compile, lines);
  return lineBreaks === 0 ? write : (frame) => withLineBreaks(write(frame), lineBreaks);
}

/** The text with at least `wanted` line breaks at its end. */
function withLineBreaks(text: string, wanted: number): string {
  const missing = wanted - trailingLineBreaks(text);
  return missing > 0 ? text + '\n'.repeat(missing) : text;
}

function isName(node: Expression): boolean {
  return node.type === 'PathExpression' && node.parts.length === 1;
}

/** The only output of the template, apart from white space. */
function onlyOutput(parts: readonly TemplatePart[]): Expression | undefined {
  const rest = parts.filter((one) => one.type !== 'text' || one.text.trim() !== '');
  const [only] = rest;
  return rest.length === 1 && only?.type === 'output' ? only.value : undefined;
}
