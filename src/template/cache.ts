import type { Program } from 'handlebars/dist/cjs/handlebars/compiler/base.js';
import { isList, isMapping, type Value } from '../model/value.js';
import { compileProgram, expressionOf } from './blocks.js';
import { compile } from './compile.js';
import { parseExpression } from './expression_parser.js';
import type { Evaluate } from './frame.js';
import { parseTemplate } from './template.js';
import { demand } from './undefined.js';

/** More distinct texts than any project has; the bound only keeps generated ones from filling the memory. */
const MOST = 50_000;

const templates = new Map<string, Evaluate>();
const expressions = new Map<string, Evaluate>();

/** The text's template as a function; each text is read once in a process. Throws a TemplateError if it cannot be read. */
export function compiledTemplate(text: string): Evaluate {
  return cached(templates, text, compileTemplate);
}

/** The same for a bare expression. */
export function compiledExpression(text: string): Evaluate {
  return cached(expressions, text, (one) => compile(parseExpression(one)));
}

function cached(cache: Map<string, Evaluate>, text: string, make: (text: string) => Evaluate): Evaluate {
  const known = cache.get(text);
  if (known) return known;
  if (cache.size >= MOST) cache.clear();
  const made = make(text);
  cache.set(text, made);
  return made;
}

function compileTemplate(text: string): Evaluate {
  const { program, expressions: nodes } = parseTemplate(text);
  const evaluators = nodes.map(compile);
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
