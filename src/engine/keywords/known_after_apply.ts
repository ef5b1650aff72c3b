import type { Locate } from '../../core/model/source/diagnostic.js';
import { LATER } from '../../core/model/values/json.js';
import { isList, isMapping, LazyMapping, type Mapping, type Value } from '../../core/model/values/value.js';
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
export function renderKnown(
  value: Value,
  scope: EvaluationScope,
  locate: Locate,
  path: (string | number)[] = [],
): Value {
  const at = (rest: Parameters<Locate>[0]) => locate([...path, ...rest]);
  try {
    return renderValue(value, scope, at);
  } catch (error) {
    if (!(error instanceof KnownAfterApply)) throw error;
    if (isList(value)) return value.map((item, index) => renderKnown(item, scope, locate, [...path, index]));
    if (!isMapping(value)) return LATER;
    const entries = Object.entries(value).map(
      ([key, one]) => [key, renderKnown(one, scope, locate, [...path, key])] as const,
    );
    return Object.fromEntries(entries);
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
