import type { BlockStatement, Program, Statement } from 'handlebars/dist/cjs/handlebars/compiler/base.js';
import { isList, isMapping, LazyMapping, type Value } from '../model/value.js';
import { isTrue } from './comparison.js';
import { TemplateError } from './errors.js';
import type { Evaluate, Frame } from './frame.js';
import { asText, describe } from './text.js';
import { demand } from './undefined.js';

/** A piece of a template, compiled: what it adds to the text. */
export type Write = (frame: Frame) => string;

const NOTHING: Write = () => '';
const NO_VALUES: ReadonlyMap<string, Value> = new Map();

/** Compiles a program of Handlebars' tree; `expressions` are the ones that its paths `e0`, `e1`, … stand for. */
export function compileProgram(program: Program | undefined, expressions: readonly Evaluate[]): Write {
  if (program === undefined) return NOTHING;
  const writers = program.body.map((statement) => compileStatement(statement, expressions));
  return (frame) => {
    let text = '';
    for (const write of writers) text += write(frame);
    return text;
  };
}

function compileStatement(statement: Statement, expressions: readonly Evaluate[]): Write {
  switch (statement.type) {
    case 'ContentStatement': {
      const { value } = statement;
      return () => value;
    }
    case 'CommentStatement':
      return NOTHING;
    case 'MustacheStatement': {
      const evaluate = expressionOf(statement.path.original, expressions);
      return (frame) => asText(demand(evaluate(frame)));
    }
    case 'BlockStatement':
      return compileBlock(statement, expressions);
    default:
      return statement satisfies never;
  }
}

/** The expression that a path of the outline stands for. */
export function expressionOf(placeholder: string, expressions: readonly Evaluate[]): Evaluate {
  const evaluate = expressions[Number(placeholder.slice(1))];
  if (evaluate === undefined) throw new TemplateError(`the template cannot be read: "${placeholder}" is out of place`);
  return evaluate;
}

function compileBlock(block: BlockStatement, expressions: readonly Evaluate[]): Write {
  const body = compileProgram(block.program, expressions);
  const name = block.path.original;
  if (name === 'raw') return body;
  const inverse = compileProgram(block.inverse, expressions);
  const value = expressionOf(block.params[0]?.original ?? '', expressions);
  const params = block.program?.blockParams ?? [];
  if (name === 'each') return compileEach(value, params, body, inverse);
  if (name === 'with') return compileWith(value, params, body, inverse);
  const wanted = name === 'if';
  return (frame) => (isTrue(demand(value(frame))) === wanted ? body(frame) : inverse(frame));
}

function compileWith(evaluate: Evaluate, params: readonly string[], body: Write, inverse: Write): Write {
  return (frame) => {
    const value = demand(evaluate(frame));
    if (!isTrue(value)) return inverse(frame);
    return body(enter(frame, value, named(params, [value]), NO_VALUES));
  };
}

function compileEach(evaluate: Evaluate, params: readonly string[], body: Write, inverse: Write): Write {
  return (frame) => {
    const entries = entriesOf(demand(evaluate(frame)));
    if (entries.length === 0) return inverse(frame);
    const write = ([key, value]: Entry, index: number): string => {
      const data = loopData(key, index, entries.length);
      return body(enter(frame, value, named(params, [value, key]), data));
    };
    return entries.map(write).join('');
  };
}

type Entry = readonly [key: string | number, value: Value];

function entriesOf(value: Value): readonly Entry[] {
  if (value === null) return [];
  if (isList(value)) return value.map((one, index) => [index, one]);
  if (value instanceof LazyMapping) return [...value.keys()].map((key) => [key, value.get(key) ?? null]);
  if (isMapping(value)) return Object.entries(value);
  throw new TemplateError(`{{#each}} needs a list or a mapping, not ${describe(value)}`);
}

function loopData(key: string | number, index: number, size: number): ReadonlyMap<string, Value> {
  return new Map<string, Value>([
    ['index', index],
    ['key', key],
    ['first', index === 0],
    ['last', index === size - 1],
  ]);
}

function named(names: readonly string[], values: readonly Value[]): ReadonlyMap<string, Value> {
  return names.length === 0 ? NO_VALUES : new Map(names.map((name, index) => [name, values[index] ?? null]));
}

function enter(
  frame: Frame,
  value: Value,
  params: ReadonlyMap<string, Value>,
  data: ReadonlyMap<string, Value>,
): Frame {
  return { scope: frame.scope, block: { outer: frame.block, value, params, data } };
}
