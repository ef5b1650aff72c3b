import { isStoring } from '../../../model/values/stored.js';
import { isList, isMapping, LazyMapping, Unsafe, type Mapping, type Value } from '../../../model/values/value.js';
import { secretArguments } from '../../../module/arguments/secret_arguments.js';
import type { Module } from '../../../module/contract.js';

/** Larger arguments are not kept. Counts texts by their characters, other values as one. */
const LARGEST = 16_384;

/** Arguments that passed every check as they were. Most controllers get the same ones from a task, and need no second check. */
export class RightArguments {
  #secrets: readonly string[] | undefined;

  private constructor(
    private readonly module: Module,
    private readonly rendered: Mapping,
    /** With the defaults. */
    private readonly args: Mapping,
  ) {}

  /** The last ones of a task that are known to be right, by its arguments as they are written. */
  static of(written: Value): RightArguments | undefined {
    return isMapping(written) ? KNOWN.get(written) : undefined;
  }

  /** Undefined if they were converted: then they must be converted each time. */
  static note(module: Module, written: Value, rendered: Value, args: Mapping): RightArguments | undefined {
    if (!isMapping(written) || !isMapping(rendered)) return undefined;
    if (!Object.keys(rendered).every((name) => args[name] === rendered[name])) return undefined;
    if (sizeUpTo(rendered, LARGEST) > LARGEST) return undefined;
    const right = new RightArguments(module, rendered, args);
    KNOWN.set(written, right);
    return right;
  }

  /** These arguments with the defaults, if they are right because they are the same ones. */
  completed(module: Module, rendered: Value): Mapping | undefined {
    const isKnown = module === this.module && isMapping(rendered) && isSame(rendered, this.rendered);
    // Not the known ones: nothing that a module does with its arguments may show on another controller.
    return isKnown ? { ...this.args, ...rendered } : undefined;
  }

  /** As `secretArguments`. */
  get secrets(): readonly string[] {
    return (this.#secrets ??= secretArguments(this.module, this.args));
  }
}

const KNOWN = new WeakMap<Mapping, RightArguments>();

function sizeUpTo(value: Value, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  // What is made when it is read may be something else later, or large.
  if (value instanceof LazyMapping || value instanceof Unsafe || isStoring(value)) return Infinity;
  let size = 1;
  for (const item of isList(value) ? value : Object.values(value)) {
    size += sizeUpTo(item, enough - size);
    if (size > enough) break;
  }
  return size;
}

/** Equal data with the same order of keys. */
function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at] ?? null));
  if (!isMapping(a) || !isMapping(b)) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isSame(a[name] ?? null, b[name] ?? null))
  );
}
