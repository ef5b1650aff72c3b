import { isList, isMapping, LazyMapping, type Value } from '../../core/model/values/value.js';
import { isTrue } from '../runtime/comparison.js';
import { TemplateError } from '../runtime/errors.js';
import type { LoopRounds, TemplateFrame } from '../runtime/frame.js';
import { roundsIn } from '../runtime/loop.js';
import { asText, describe, requireDefined } from '../runtime/result.js';
import type { Expression } from '../syntax/expressions/nodes.js';
import type { TextLines } from '../syntax/lines.js';
import type { ActivePart, EachPart, IfPart, OutputPart, TemplatePart } from '../syntax/parts.js';
import { compileBind, compileCapture, compileFor, compileSet, compileStore } from './assignment.js';
import type { Compile, WriteText } from './compile.js';

/** Compiles the parts inside another. */
type Inside = (parts: readonly TemplatePart[]) => WriteText;

const NOTHING: WriteText = () => '';
const NO_VALUES: ReadonlyMap<string, Value> = new Map();

/** Compiles the parts of a template. @param lines for errors that say where in the text they occurred */
export function compileParts(parts: readonly TemplatePart[], compile: Compile, lines?: TextLines): WriteText {
  if (parts.length === 0) return NOTHING;
  const writers = parts.map((part) => (part.type === 'text' ? () => part.text : compilePart(part, compile, lines)));
  return (frame) => {
    let text = '';
    for (const write of writers) text += write(frame);
    return text;
  };
}

function compilePart(part: ActivePart, compile: Compile, lines: TextLines | undefined): WriteText {
  const write = compileActive(part, compile, (parts) => compileParts(parts, compile, lines));
  if (lines === undefined) return write;
  return (frame) => {
    try {
      return write(frame);
    } catch (error) {
      throw error instanceof TemplateError ? error.placed(lines.place(part.at)) : error;
    }
  };
}

function compileActive(part: ActivePart, compile: Compile, inside: Inside): WriteText {
  if (part.type === 'output') return compileOutput(part, compile);
  if (part.type === 'if') return compileIf(part, compile, inside);
  if (part.type === 'each') return compileEach(part, compile, inside);
  if (part.type === 'for') return compileFor(part, compile, inside(part.body), inside(part.otherwise));
  if (part.type === 'set') return compileSet(part, compile);
  if (part.type === 'store') return compileStore(part, compile);
  if (part.type === 'capture') return compileCapture(part, compile, inside(part.body));
  if (part.type === 'bind') return compileBind(part.bindings, compile, inside(part.body));
  return compileWith(part, compile, inside);
}

function compileOutput({ value: node, written }: OutputPart, compile: Compile): WriteText {
  const evaluate = compile(node);
  if (saysNothing(node)) return (frame) => asText(requireDefined(evaluate(frame)));
  const path = node.type === 'PathExpression' ? node.parts : undefined;
  return (frame) => {
    const value = requireDefined(evaluate(frame));
    const text = asText(value);
    if (text === '') frame.scope.gap?.({ value, written, path });
    return text;
  };
}

/** Whether the expression itself says that it may give nothing: `default("")`, `x if y`. */
function saysNothing(node: Expression): boolean {
  if (node.type === 'StringLiteral') return node.value === '';
  if (node.type === 'UndefinedLiteral') return true;
  if (node.type !== 'SubExpression') return false;
  const isBare = (node.name === 'default' || node.name === 'd') && node.params.length === 1 && node.hash.length === 0;
  return isBare || [...node.params, ...node.hash.map(({ value }) => value)].some(saysNothing);
}

function compileIf({ branches, otherwise }: IfPart, compile: Compile, inside: Inside): WriteText {
  const inverse = inside(otherwise);
  const [first, ...others] = branches.map(({ condition, body }) => [compile(condition), inside(body)] as const);
  if (first === undefined) return inverse;
  const [condition, body] = first;
  if (others.length === 0) return (frame) => (isTrue(requireDefined(condition(frame))) ? body(frame) : inverse(frame));
  return (frame) => {
    if (isTrue(requireDefined(condition(frame)))) return body(frame);
    const chosen = others.find(([other]) => isTrue(requireDefined(other(frame))));
    return (chosen?.[1] ?? inverse)(frame);
  };
}

function compileWith({ value, params, body, otherwise }: EachPart, compile: Compile, inside: Inside): WriteText {
  const evaluate = compile(value);
  const write = inside(body);
  const inverse = inside(otherwise);
  return (frame) => {
    const found = requireDefined(evaluate(frame));
    if (!isTrue(found)) return inverse(frame);
    return write(innerFrame(frame, found, named(params, [found]), NO_VALUES));
  };
}

function compileEach({ value, params, body, otherwise }: EachPart, compile: Compile, inside: Inside): WriteText {
  const evaluate = compile(value);
  const write = inside(body);
  const inverse = inside(otherwise);
  return (frame) => {
    const entries = eachEntries(requireDefined(evaluate(frame)));
    if (entries.length === 0) return inverse(frame);
    const rounds = roundsIn(frame);
    let text = '';
    for (const [index, [key, item]] of entries.entries()) {
      rounds.next(text);
      const data = new Map<string, Value>([
        ['index', index],
        ['key', key],
        ['first', index === 0],
        ['last', index === entries.length - 1],
      ]);
      text += write(innerFrame(frame, item, named(params, [item, key]), data, rounds));
    }
    return text;
  };
}

function eachEntries(value: Value): readonly (readonly [key: string | number, value: Value])[] {
  if (value === null) return [];
  if (isList(value)) return value.map((one, index) => [index, one]);
  if (value instanceof LazyMapping) return [...value.keys()].map((key) => [key, value.get(key) ?? null]);
  if (isMapping(value)) return Object.entries(value);
  throw new TemplateError(`{{#each}} needs a list or a mapping, not ${describe(value)}`);
}

function named(names: readonly string[], values: readonly Value[]): ReadonlyMap<string, Value> {
  return names.length === 0 ? NO_VALUES : new Map(names.map((name, index) => [name, values[index] ?? null]));
}

function innerFrame(
  frame: TemplateFrame,
  value: Value,
  params: ReadonlyMap<string, Value>,
  data: ReadonlyMap<string, Value>,
  rounds?: LoopRounds,
): TemplateFrame {
  return { scope: frame.scope, block: { type: 'value', outer: frame.block, value, params, data, rounds } };
}
