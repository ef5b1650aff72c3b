import { isTrue } from '../runtime/comparison.js';
import { TemplateError } from '../runtime/errors.js';
import type { LoopRounds, NamesBlock, TemplateFrame } from '../runtime/frame.js';
import { ForLoopState, iteratedItems, Namespace, roundsIn } from '../runtime/loop.js';
import { converted, describe, requireDefined, type Result } from '../runtime/result.js';
import type { ForPart } from '../syntax/parts.js';
import {
  targetNames,
  type AssignmentTarget,
  type Binding,
  type CaptureStatement,
  type Store,
} from '../syntax/statements.js';
import type { Compile, WriteText } from './compile.js';

type Names = Map<string, Result>;

/** A frame with its own names, which hide outer names of the same spelling. */
function innerFrame(
  frame: TemplateFrame,
  names: Names = new Map(),
  items?: ReadonlySet<string>,
  rounds?: LoopRounds,
): TemplateFrame & { readonly block: NamesBlock } {
  return { scope: frame.scope, block: { type: 'names', outer: frame.block, names, items, rounds } };
}

/** The block of names for a statement that binds names. `withNames` puts one around every such statement. */
function namesHere({ block }: TemplateFrame): Names {
  if (block?.type !== 'names') throw new Error('a statement binds names outside of any block of names');
  return block.names;
}

function assign(target: AssignmentTarget, result: Result, names: Names): void {
  if (typeof target === 'string') {
    names.set(target, result);
    return;
  }
  const items = iteratedItems(result, `(${shown(target)})`);
  if (items.length !== target.length) {
    const given = items.length === 1 ? 'it has 1 item' : `it has ${items.length} items`;
    throw new TemplateError(`${describe(requireDefined(result))} cannot be unpacked into ${shown(target)}: ${given}`);
  }
  for (const [index, one] of target.entries()) assign(one, items[index] ?? null, names);
}

function shown(target: AssignmentTarget): string {
  return typeof target === 'string'
    ? target
    : target.map((one) => (typeof one === 'string' ? one : `(${shown(one)})`)).join(', ');
}

/** `{% for %}`: each item has separate names, so the next item does not see a value set for this one. */
export function compileFor(part: ForPart, compile: Compile, body: WriteText, otherwise: WriteText): WriteText {
  const evaluate = compile(part.items);
  const condition = part.condition && compile(part.condition);
  const targets = new Set(targetNames(part.target));
  // As in Jinja, the condition of an item is first tested when its round comes, or when `loop` looks ahead.
  const select = function* (frame: TemplateFrame, items: readonly Result[]): Generator<readonly [Result, Names]> {
    for (const item of items) {
      const names: Names = new Map();
      assign(part.target, item, names);
      if (!condition || isTrue(requireDefined(condition(innerFrame(frame, names))))) yield [item, names];
    }
  };
  const write = (frame: TemplateFrame, result: Result, depth: number, rounds: LoopRounds): string => {
    const recurse = part.recursive ? (items: Result): string => write(frame, items, depth + 1, rounds) : undefined;
    const loop = new ForLoopState(select(frame, iteratedItems(result, '{% for %}')), depth, recurse);
    let text = '';
    for (let round = loop.at(0); round; loop.index += 1, round = loop.at(loop.index)) {
      const [, names] = round;
      names.set('loop', loop);
      rounds.next(text);
      text += body(innerFrame(frame, names, targets, rounds));
    }
    return loop.index === 0 ? otherwise(frame) : text;
  };
  return (frame) => write(frame, evaluate(frame), 1, roundsIn(frame));
}

/** `{% set x = 1 %}` */
export function compileSet({ target, value }: Binding, compile: Compile): WriteText {
  const evaluate = compile(value);
  return (frame) => {
    assign(target, evaluate(frame), namesHere(frame));
    return '';
  };
}

/** `{% set ns.x = 1 %}` */
export function compileStore({ namespace, name, entry, value }: Store, compile: Compile): WriteText {
  const evaluate = compile(value);
  const find = compile(namespace);
  return (frame) => {
    const found = requireDefined(find(frame));
    const hint = `write {% set ${name} = namespace(${entry}=…) %} first`;
    if (!(found instanceof Namespace))
      throw new TemplateError(`{% set ${name}.${entry} %}: "${name}" is ${describe(found)}, not a namespace`, { hint });
    found.set(entry, requireDefined(evaluate(frame)));
    return '';
  };
}

/** `{% set x %}…{% endset %}`. In `value`, the name refers to the text of the block. */
export function compileCapture({ name, value }: CaptureStatement, compile: Compile, body: WriteText): WriteText {
  const evaluate = compile(value);
  return (frame) => {
    const text = converted(body(innerFrame(frame)));
    namesHere(frame).set(name, evaluate(innerFrame(frame, new Map([[name, text]]))));
    return '';
  };
}

/** `{% with a = 1, b = 2 %}`: the values do not see each other's names. */
export function compileBind(bindings: readonly Binding[], compile: Compile, body: WriteText): WriteText {
  const compiled = bindings.map(({ target, value }) => [target, compile(value)] as const);
  return (frame) => {
    const within = innerFrame(frame);
    for (const [target, evaluate] of compiled) assign(target, evaluate(frame), within.block.names);
    return body(within);
  };
}
