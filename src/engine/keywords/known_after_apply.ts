import type { Locate } from '../../core/model/source/diagnostic.js';
import { LATER, isList, isMapping, LazyMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { renderValue } from '../../language/render.js';
import { KnownAfterApply } from '../../language/runtime/errors.js';
import type { EvaluationScope } from '../../language/scope.js';

/** An object that a check would create: the declared fields are known, everything else is known after it was created. */
export class FutureObject extends LazyMapping {
  constructor(
    private readonly declared: Mapping,
    private readonly name: string,
  ) {
    super();
  }

  override get(key: string): Value {
    const value = Object.hasOwn(this.declared, key) ? this.declared[key] : undefined;
    if (value === undefined) throw new KnownAfterApply(`"${key}" of ${this.name}`);
    return value;
  }

  override keys(): Iterable<string> {
    return Object.keys(this.declared);
  }
}

/** As `renderValue`, but values that are known only later are replaced by `LATER`. */
export function renderKnown(value: Value, scope: EvaluationScope, locate: Locate): Value {
  try {
    return renderValue(value, scope, locate);
  } catch (error) {
    if (!(error instanceof KnownAfterApply)) throw error;
    const inner = (one: Value, at: string | number): Value => renderKnown(one, scope, (path) => locate([at, ...path]));
    if (isList(value)) return value.map(inner);
    if (!isMapping(value)) return LATER;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one, key)]));
  }
}

/** Whether a value is as planned, except for parts that were known only later. */
export function isAsPlanned(planned: Value, now: Value): boolean {
  if (typeof planned === 'string' && planned.includes(LATER)) return true;
  if (isList(planned))
    return (
      isList(now) &&
      planned.length === now.length &&
      planned.every((one, index) => isAsPlanned(one, now[index] ?? null))
    );
  if (!isMapping(planned)) return planned === now;
  if (!isMapping(now) || Object.keys(planned).length !== Object.keys(now).length) return false;
  return Object.entries(planned).every(([key, one]) => Object.hasOwn(now, key) && isAsPlanned(one, now[key] ?? null));
}
