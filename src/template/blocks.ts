import { isList, isMapping, LazyMapping, type Value } from '../model/values/value.js';
import { isTrue } from './comparison.js';
import { TemplateError } from './errors.js';
import type { Compile, Frame, Write } from './frame.js';
import { compileBind, compileCapture, compileFor, compileSet, compileStore } from './assignment.js';
import { asText, describe } from './text.js';
import type { EachPart, IfPart, Part } from './tree.js';
import { demand } from './undefined.js';

const NOTHING: Write = () => '';
const NO_VALUES: ReadonlyMap<string, Value> = new Map();

/** Compiles the parts of a template. */
export function compileParts(parts: readonly Part[], compile: Compile): Write {
  if (parts.length === 0) return NOTHING;
  const writers = parts.map((part) => compilePart(part, compile));
  return (frame) => {
    let text = '';
    for (const write of writers) text += write(frame);
    return text;
  };
}

function compilePart(part: Part, compile: Compile): Write {
  switch (part.type) {
    case 'text': {
      const { text } = part;
      return () => text;
    }
    case 'output': {
      const evaluate = compile(part.value);
      return (frame) => asText(demand(evaluate(frame)));
    }
    case 'if':
      return compileIf(part, compile);
    case 'each':
      return compileEach(part, compile);
    case 'with':
      return compileWith(part, compile);
    case 'for':
      return compileFor(part, compile, compileParts(part.body, compile), compileParts(part.otherwise, compile));
    case 'set':
      return compileSet(part, compile);
    case 'store':
      return compileStore(part, compile);
    case 'capture':
      return compileCapture(part, compile, compileParts(part.body, compile));
    case 'bind':
      return compileBind(part.bindings, compile, compileParts(part.body, compile));
    default:
      return part satisfies never;
  }
}

function compileIf({ branches, otherwise }: IfPart, compile: Compile): Write {
  const inverse = compileParts(otherwise, compile);
  const [first, ...others] = branches.map(
    ({ condition, body }) => [compile(condition), compileParts(body, compile)] as const,
  );
  if (first === undefined) return inverse;
  const [condition, body] = first;
  if (others.length === 0) return (frame) => (isTrue(demand(condition(frame))) ? body(frame) : inverse(frame));
  return (frame) => {
    if (isTrue(demand(condition(frame)))) return body(frame);
    const chosen = others.find(([other]) => isTrue(demand(other(frame))));
    return (chosen?.[1] ?? inverse)(frame);
  };
}

function compileWith({ value, params, body, otherwise }: EachPart, compile: Compile): Write {
  const evaluate = compile(value);
  const write = compileParts(body, compile);
  const inverse = compileParts(otherwise, compile);
  return (frame) => {
    const found = demand(evaluate(frame));
    if (!isTrue(found)) return inverse(frame);
    return write(enter(frame, found, named(params, [found]), NO_VALUES));
  };
}

function compileEach({ value, params, body, otherwise }: EachPart, compile: Compile): Write {
  const evaluate = compile(value);
  const write = compileParts(body, compile);
  const inverse = compileParts(otherwise, compile);
  return (frame) => {
    const entries = entriesOf(demand(evaluate(frame)));
    if (entries.length === 0) return inverse(frame);
    const writeOne = ([key, item]: Entry, index: number): string => {
      const data = loopData(key, index, entries.length);
      return write(enter(frame, item, named(params, [item, key]), data));
    };
    return entries.map(writeOne).join('');
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
  return { scope: frame.scope, block: { type: 'value', outer: frame.block, value, params, data } };
}
