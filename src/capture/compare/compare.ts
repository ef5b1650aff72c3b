import { appendTo, groupBy, type NonEmpty, getOrAdd } from '../../core/model/values/groups.js';
import { jsonText, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { KindTable } from '../../kinds/kind_table.js';
import { nameReplacer } from '../../reporting/text/messages.js';
import { mapColumns, withoutDefaults, type ColumnValues } from '../playbook/defaults.js';
import {
  fleetObjectKey,
  IDENTITY,
  type FleetObject,
  type ObjectIdentity,
  type ReadController,
} from '../playbook/fleet_object.js';

/** Controllers on which an object is equal. */
interface EqualControllers {
  readonly controllers: readonly string[];
  /** Their common fields, with values of inventory variables as `{{ variable }}`. */
  readonly fields: Mapping;
}

/** One object on all controllers that were read. */
export interface ObjectComparison extends ObjectIdentity {
  /** The largest first; of equally large ones, the one with the first controller. */
  readonly groups: readonly [EqualControllers, ...EqualControllers[]];
  /** Controllers that have no such object. */
  readonly missing: readonly string[];
  /**
   * Fields that differ on most controllers: `dns_configuration.search_domain`. They do not split controllers into
   * groups.
   */
  readonly individual: readonly string[];
}

export interface ComparedController extends ReadController {
  readonly variables: FoldVariables;
  /** The kinds that could be read of each tenant that was asked for. Absent: `kinds`, of all tenants that it has. */
  readonly tenants?: ReadonlyMap<string | undefined, ReadonlySet<string>>;
}

/** Compares the objects of controllers with each other. */
export function compareControllers(
  controllers: readonly ComparedController[],
  table: KindTable,
): readonly ObjectComparison[] {
  const objects = controllers.flatMap((controller) => controller.objects.map((object) => ({ controller, object })));
  return [...withOwnNames(groupBy(objects, ({ object }) => fleetObjectKey(object))).values()]
    .map((one) => comparison(one, controllers, table))
    .sort((a, b) => IDENTITY.reduce((found, field) => found || order(a[field] ?? '', b[field] ?? ''), 0));
}

/** Objects named after their only controller (`edge of lb1`) become one object of all such controllers. */
function withOwnNames(holders: ReadonlyMap<string, ObjectHolders>): ReadonlyMap<string, ObjectHolders> {
  const shared = new Map<string, ObjectHolders>();
  const own = new Map<string, NonEmpty<{ readonly key: string; readonly holder: ObjectHolder }>>();
  for (const [key, all] of holders) {
    const [{ controller, object }] = all;
    const { name } = object;
    const folded = name === undefined ? name : foldText(name, controller);
    if (all.length > 1 || folded === name) {
      shared.set(key, all);
      continue;
    }
    const renamed = { ...object, name: folded, fields: { ...object.fields, name: folded ?? null } };
    appendTo(own, fleetObjectKey(renamed), { key, holder: { controller, object: renamed } });
  }
  for (const [folded, all] of own) {
    const [{ key, holder }, ...others] = all;
    if (others.length > 0) shared.set(folded, [holder, ...others.map((one) => one.holder)]);
    else shared.set(key, holders.get(key) ?? [holder]);
  }
  return shared;
}

/** Whether the object is equal on all controllers. */
export function isEqualEverywhere({ groups, missing, individual }: ObjectComparison): boolean {
  return groups.length === 1 && missing.length + individual.length === 0;
}

/**
 * The controllers that differ from the majority in this object: all outside of the largest group, unless that group
 * lacks the object.
 */
export function findOutliers({ groups: [majority, ...others], missing }: ObjectComparison): readonly string[] {
  const having = others.flatMap(({ controllers }) => controllers);
  const most = majority.controllers;
  return missing.length > most.length + having.length ? [...most, ...having] : [...having, ...missing];
}

interface ObjectHolder {
  readonly controller: ComparedController;
  readonly object: FleetObject;
}

type ObjectHolders = Readonly<NonEmpty<ObjectHolder>>;

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparison(holders: ObjectHolders, all: readonly ComparedController[], table: KindTable): ObjectComparison {
  const [{ object }] = holders;
  const { kind, name, cloud, tenant } = object;
  const structure = table.kind(kind)?.structure;
  // An object that exists once is never created, so a missing field need not have the default.
  const values = holders.map(({ object: { fields } }) =>
    withoutNothing(name === undefined ? fields : withoutDefaults(fields, structure)),
  );
  const individual: string[] = [];
  const controllers = holders.map(({ controller }) => controller);
  const folded = foldColumn(values, controllers, individual);
  const groups = new Map<string, { controllers: string[]; fields: Mapping }>();
  for (const [at, { controller }] of holders.entries()) {
    const fields = folded[at];
    if (!isMapping(fields)) continue;
    getOrAdd(groups, jsonText(fields), () => ({ controllers: [], fields })).controllers.push(controller.name);
  }
  const having = new Set(holders.map(({ controller }) => controller.name));
  const isRead = ({ kinds, tenants }: ComparedController): boolean =>
    (tenants === undefined ? kinds : tenants.get(tenant))?.has(kind) === true;
  const missing = all.filter((one) => isRead(one) && !having.has(one.name)).map((one) => one.name);
  const [first, ...others] = [...groups.values()].sort((a, b) => b.controllers.length - a.controllers.length);
  if (first === undefined) throw new Error('an object without fields');
  return { kind, name, cloud, tenant, groups: [first, ...others], missing, individual };
}

/** Controllers omit empty fields. */
function withoutNothing(value: Mapping): Mapping {
  const fields = Object.entries(value).map(([name, item]) => [name, withoutNothingIn(item)] as const);
  return Object.fromEntries(fields.filter(([, item]) => item !== null && !isEmpty(item)));
}

function withoutNothingIn(value: Value): Value {
  if (isList(value)) return value.map(withoutNothingIn);
  return isMapping(value) ? withoutNothing(value) : value;
}

function isEmpty(value: Value): boolean {
  return isList(value) ? value.length === 0 : isMapping(value) && Object.keys(value).length === 0;
}

/** Texts by name. */
type FoldVariables = ReadonlyMap<string, string>;

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
  if (values.filter((value) => value !== undefined).every(isMapping)) return foldMappings(values, object, path);
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
