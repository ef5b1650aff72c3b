import type { Program } from 'handlebars/dist/cjs/handlebars/compiler/base.js';
import { isList, isMapping, type Value } from '../model/value.js';
import { compileProgram, expressionOf } from './blocks.js';
import { Compiler } from './compile.js';
import { parseExpression } from './expression_parser.js';
import { TemplateError } from './errors.js';
import type { Compiled, Evaluate, Preview, Scope, SearchFolder } from './frame.js';
import { BUILT_IN } from './library/index.js';
import type { HelperTable } from './library/table.js';
import type { Expression } from './nodes.js';
import { parseTemplate, type Template } from './template.js';
import { demand } from './undefined.js';

/** More distinct texts than any project has; the bound only keeps generated ones from filling the memory. */
const MOST = 50_000;

/** What templates may call, and the texts that were read with it: each once. A run has one, handed on with its variables. */
export class Library implements Compiled {
  readonly #compiler: Compiler;
  readonly #templates = new Map<string, Evaluate>();
  readonly #expressions = new Map<string, Evaluate>();

  /** @param withheld absent: everything may be executed; else the helpers whose code is not loaded */
  constructor(
    readonly table: HelperTable,
    readonly withheld?: ReadonlySet<string>,
    readonly preview?: Preview,
  ) {
    this.#compiler = new Compiler(table, (text) => this.template(text), withheld === undefined, preview);
  }

  template(text: string): Evaluate {
    return cached(this.#templates, text, () => compileTemplate(parseTemplate(text, this.table), this.#compiler));
  }

  expression(text: string): Evaluate {
    return cached(this.#expressions, text, () => this.#compiler.compile(parseExpression(text, this.table)));
  }

  lookUp(name: string, terms: readonly Value[], scope: Scope, folder: SearchFolder): readonly Value[] {
    return this.#compiler.lookUp(name, terms, { scope, block: undefined }, folder);
  }

  comparison(text: string): Evaluate {
    const node = parseExpression(text, this.table);
    const called = callsIn(node).find((name) => this.table.has(name) && (POWERFUL.has(name) || !BUILT_IN.has(name)));
    if (called === undefined) return this.#compiler.compile(node);
    const message = `"${called}" must not be called by a condition that {{ }} made`;
    throw new TemplateError(message, { hint: 'leave the braces out: names stand for variables in a condition' });
  }
}

/** The library of scopes that were given no other. */
export const BUILT_IN_LIBRARY = new Library(BUILT_IN);

/** Helpers that read files, ask other machines or run programs, and those that call a helper by its name. */
const POWERFUL: ReadonlySet<string> = new Set(
  'first_found lookup map q query reject rejectattr select selectattr'.split(' '),
);

function callsIn(node: Expression): readonly string[] {
  if (node.type === 'PathExpression') return [node.original];
  if (node.type !== 'SubExpression') return [];
  const inner = [...node.params, ...node.hash.map(({ value }) => value)];
  return [node.name, ...inner.flatMap(callsIn)];
}

function cached(cache: Map<string, Evaluate>, text: string, make: () => Evaluate): Evaluate {
  const known = cache.get(text);
  if (known) return known;
  if (cache.size >= MOST) cache.clear();
  const made = make();
  cache.set(text, made);
  return made;
}

function compileTemplate({ program, expressions }: Template, compiler: Compiler): Evaluate {
  const evaluators = expressions.map((node) => compiler.compile(node));
  const write = compileProgram(program, evaluators);
  const only = onlyMustache(program);
  if (only === undefined) return write;
  const evaluate = expressionOf(only, evaluators);
  if (program.body.length === 1) return evaluate;
  // White space around (a folded YAML text ends with a line break) must not turn a list into text.
  return (frame) => {
    const value = demand(evaluate(frame));
    return isCollection(value) ? value : write(frame);
  };
}

function isCollection(value: Value): boolean {
  return isList(value) || (typeof value === 'object' && value !== null && isMapping(value));
}

/** The path of the one mustache that there is beside white space. */
function onlyMustache(program: Program): string | undefined {
  const rest = program.body.filter((one) => one.type !== 'ContentStatement' || one.value.trim() !== '');
  const [only] = rest;
  return rest.length === 1 && only?.type === 'MustacheStatement' ? only.path.original : undefined;
}
