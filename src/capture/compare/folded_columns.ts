import { jsonText } from '../../core/model/values/json.js';
import { isList, isMapping, type Value } from '../../core/model/values/value.js';
import { nameReplacer } from '../../reporting/text/messages.js';
import { mapColumns, type ColumnValues } from '../playbook/defaults.js';

/** Texts by name. */
export type FoldVariables = ReadonlyMap<string, string>;

/** A controller with the variables that its values may come from. */
interface Named {
  readonly name: string;
  readonly variables: FoldVariables;
}

/** Up to this number of controllers, each value is shown. */
const FEW = 10;

/**
 * The values of one field on several controllers, written as `{{ variable }}` if they come from the controller's
 * variables, unless that creates more differences. A value that differs on most controllers becomes the same text for
 * all.
 *
 * @param values one of each controller
 * @param individual gets the paths of values that differ on most controllers
 */
export function foldColumn(values: ColumnValues, controllers: readonly Named[], individual: string[]): ColumnValues {
  return fold(values, { controllers, individual }, '');
}

interface FoldedObject {
  readonly controllers: readonly Named[];
  readonly individual: string[];
}

function fold(values: ColumnValues, object: FoldedObject, path: string): ColumnValues {
  if (distinct(values) === 1) return values;
  const present = values.filter((value) => value !== undefined);
  if (present.every(isMapping)) return foldMappings(values, object, path);
  return isSameLength(values) ? foldLists(values, object, path) : foldLeaves(values, object, path);
}

function distinct(values: ColumnValues): number {
  return new Set(values.map((value) => jsonText(value))).size;
}

function isSameLength(values: ColumnValues): values is readonly (readonly Value[])[] {
  const [first] = values;
  return isList(first) && values.every((value) => isList(value) && value.length === first.length);
}

function foldMappings(values: ColumnValues, object: FoldedObject, path: string): ColumnValues {
  const mappings = values.map((value) => (isMapping(value) ? value : {}));
  const folded = mapColumns(mappings, (name, column) => fold(column, object, path === '' ? name : `${path}.${name}`));
  return values.map((value, at) => value && folded[at]);
}

function foldLists(values: readonly (readonly Value[])[], object: FoldedObject, path: string): readonly Value[] {
  const [first = []] = values;
  const column = (index: number): ColumnValues => values.map((list) => list[index]);
  const columns = first.map((_, index) => fold(column(index), object, `${path}[${index}]`));
  return values.map((_, at) => columns.map((folded) => folded[at] ?? null));
}

function foldLeaves(values: ColumnValues, { controllers, individual }: FoldedObject, path: string): ColumnValues {
  const before = distinct(values);
  const folded = values.map((value, at) => {
    const controller = controllers[at];
    return typeof value === 'string' && controller !== undefined ? foldText(value, controller) : value;
  });
  const after = distinct(folded);
  const best = after <= before ? folded : values;
  if (values.length <= FEW || Math.min(after, before) * 2 <= values.length) return best;
  individual.push(path);
  return values.map(() => '‹differs on most controllers›');
}

/** Shorter values may be equal by coincidence. */
const SHORTEST = 3;

/** The text with the controller's variables in place of their values. */
export function foldText(text: string, { name, variables }: Named): string {
  for (const [variable, value] of variables) if (value === text && value.length >= SHORTEST) return `{{ ${variable} }}`;
  return nameReplacer(name, ['{{ inventory_hostname }}', '{{ inventory_hostname_short }}'])(text);
}
