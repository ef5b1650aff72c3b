import { type FieldPath, pathText } from '../core/model/source/diagnostic.js';
import { getOrAdd, appendTo, groupBy } from '../core/model/values/groups.js';
import { texts } from '../core/model/values/stored.js';
import { jsonText, isList, isMapping, type Mapping, type Value } from '../core/model/values/value.js';
import type { RenderedController } from '../engine/render/render.js';
import { nameReplacer } from '../reporting/text/messages.js';

/** A value, and the controllers that have it. Undefined: the field is not there. */
export interface SharedValue {
  readonly value: string | undefined;
  readonly controllers: readonly string[];
}

/** A field of a task that is not the same in both fleets. */
export interface FieldDifference {
  /** `play › task` */
  readonly task: string;
  readonly field: string;
  /** The most frequent value first. */
  readonly before: readonly SharedValue[];
  readonly after: readonly SharedValue[];
}

/** Fields that differ on the same controllers. */
export interface DifferenceGroup {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly fields: readonly FieldDifference[];
}

export interface FleetDifference {
  readonly groups: readonly DifferenceGroup[];
  /** Number of fields with a different value on every controller of both fleets: there is nothing to compare. */
  readonly perController: number;
  /** Controllers of one fleet, if the other has no controllers left to compare them with. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

/** Collects the rendered fields of a fleet, by controller. */
export class FleetFields {
  /** By controller: by play, task and field. */
  readonly controllers = new Map<string, Map<string, string>>();
  /** Names of plays by their number. */
  readonly plays = new Map<number, string>();

  add({ number, play, controller, tasks, handlers = [], gate = [] }: RenderedController): void {
    this.plays.set(number, play);
    const fields = getOrAdd(this.controllers, controller, () => new Map<string, string>());
    // Values that differ only in the name of the controller are equal.
    const general = nameReplacer(controller);
    const note = (task: string, path: FieldPath, value: Value): void => {
      fields.set(
        jsonText([`${number}`, task, pathText(path)]),
        general(typeof value === 'string' ? value : jsonText(value)),
      );
    };
    for (const [title, steps] of [
      ['', tasks],
      [' › handlers', handlers],
      [' › gate', gate],
    ] as const)
      noteSteps(title, steps, note);
  }
}

type Note = (task: string, path: FieldPath, value: Value) => void;

/** Keys of a step that hold steps. */
const INNER: ReadonlySet<string> = new Set(['block', 'rescue', 'always', 'tasks']);

function noteSteps(title: string, steps: readonly Value[], note: Note): void {
  const seen = new Map<string, number>();
  for (const step of steps) {
    if (!isMapping(step)) continue;
    const own = stepLabel(step);
    const number = (seen.get(own) ?? 0) + 1;
    seen.set(own, number);
    const label = `${title} › ${numbered(own, number)}`;
    for (const [name, value] of Object.entries(step)) {
      if (INNER.has(name) && isList(value)) noteSteps(`${label} › ${name}`, value, note);
      else if (name !== 'name') noteFields(value, [name], (path, leaf) => note(label, path, leaf));
    }
  }
}

/** The name of a step, else its module. */
function stepLabel(step: Mapping): string {
  const { name } = step;
  return typeof name === 'string' ? name : (Object.keys(step).find((key) => key !== 'item' && key !== 'name') ?? '');
}

function noteFields(value: Value, path: FieldPath, note: (path: FieldPath, value: Value) => void): void {
  if (isMapping(value) && Object.keys(value).length > 0)
    for (const [name, one] of Object.entries(value)) noteFields(one, [...path, name], note);
  else if (isList(value) && value.length > 0)
    for (const [index, one] of value.entries()) noteFields(one, [...path, index], note);
  else note(path, value);
}

/**
 * What differs between two fleets. Controllers of the same name are compared with each other, the others as two fleets.
 */
export function fleetDifference(before: FleetFields, after: FleetFields): FleetDifference {
  const [was, is] = [before.controllers, after.controllers];
  const both = [...was.keys()].filter((name) => is.has(name));
  const [onlyBefore, onlyAfter] = [
    [...was.keys()].filter((name) => !is.has(name)),
    [...is.keys()].filter((name) => !was.has(name)),
  ];
  const titles = playTitles(new Map([...before.plays, ...after.plays]));
  const isComparable = onlyBefore.length > 0 && onlyAfter.length > 0;
  const others = isComparable ? betweenFleets(pick(was, onlyBefore), pick(is, onlyAfter), titles) : NOTHING;
  return {
    groups: [...sameNames(both, was, is, titles), ...others.groups],
    perController: others.perController,
    ...(isComparable ? { onlyBefore: [], onlyAfter: [] } : { onlyBefore, onlyAfter }),
  };
}

const NOTHING = { groups: [], perController: 0 };

/** By the number of the play. Of several plays with one name, the later ones are numbered: `all (2)`. */
type PlayTitles = ReadonlyMap<number, string>;

function playTitles(plays: PlayTitles): PlayTitles {
  const inOrder = [...plays].sort(([one], [other]) => one - other);
  const equal = groupBy(inOrder, ([, name]) => name).values();
  return new Map(
    [...equal].flatMap((all) => all.map(([number, name], at) => [number, numbered(name, at + 1)] as const)),
  );
}

function numbered(title: string, number: number): string {
  return number === 1 ? title : `${title} (${number})`;
}

type RenderedFields = ReadonlyMap<string, ReadonlyMap<string, string>>;

function pick(fields: RenderedFields, names: readonly string[]): RenderedFields {
  return new Map(names.flatMap((name) => [[name, fields.get(name) ?? new Map<string, string>()] as const]));
}

/** Groups controllers that have the same differences. */
function sameNames(
  names: readonly string[],
  before: RenderedFields,
  after: RenderedFields,
  titles: PlayTitles,
): readonly DifferenceGroup[] {
  const changed = names
    .map((name) => ({ name, changes: findChanges(before.get(name) ?? new Map(), after.get(name) ?? new Map()) }))
    .filter(({ changes }) => changes.length > 0);
  const groups = [...groupBy(changed, ({ changes }) => jsonText(changes)).values()]
    .sort((a, b) => b.length - a.length)
    .map((group) => ({ own: group.map(({ name }) => name), changes: group[0].changes }));
  return groups.map(({ own, changes }) => ({
    before: own,
    after: own,
    fields: changes.map(([key, was, is]) => ({
      ...parseKey(key, titles),
      before: [{ value: was ?? undefined, controllers: own }],
      after: [{ value: is ?? undefined, controllers: own }],
    })),
  }));
}

type Changed = readonly [key: string, before: string | null, after: string | null];

function findChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly Changed[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    return was === is ? [] : [[key, was ?? null, is ?? null] as const];
  });
}

function parseKey(key: string, titles: PlayTitles): Pick<FieldDifference, 'task' | 'field'> {
  const parts: unknown = JSON.parse(key);
  const [number = '', task = '', field = ''] = texts(parts) ? parts : [];
  return { task: `${titles.get(Number(number)) ?? ''}${task}`, field };
}

/** Fields that have different sets of values in the two fleets. */
function betweenFleets(
  before: RenderedFields,
  after: RenderedFields,
  titles: PlayTitles,
): Pick<FleetDifference, 'groups' | 'perController'> {
  const keys = new Set([...before.values(), ...after.values()].flatMap((fields) => [...fields.keys()]));
  const groups = new Map<string, FieldDifference[]>();
  let perController = 0;
  for (const key of keys) {
    const [was, is] = [fleetValues(key, before), fleetValues(key, after)];
    if (sameValues(was, is)) continue;
    if (isPerController(was, before) && isPerController(is, after)) perController += 1;
    else {
      const who = jsonText([was, is].map((values) => values.map(({ controllers }) => controllers)));
      appendTo(groups, who, { ...parseKey(key, titles), before: was, after: is });
    }
  }
  const names = { before: [...before.keys()], after: [...after.keys()] };
  const all = [...groups.values()];
  const sorted = [...all.filter(isUniform), ...all.filter((fields) => !isUniform(fields))];
  return { groups: sorted.map((fields) => ({ ...names, fields })), perController };
}

/** Whether all controllers of each fleet have the same value. */
export function isUniform(fields: readonly FieldDifference[]): boolean {
  return fields.every(({ before, after }) => before.length === 1 && after.length === 1);
}

function fleetValues(key: string, fleet: RenderedFields): readonly SharedValue[] {
  const found = groupBy(fleet, ([, fields]) => fields.get(key));
  const values = [...found].map(([value, members]) => ({ value, controllers: members.map(([name]) => name) }));
  return values.sort((a, b) => b.controllers.length - a.controllers.length);
}

function sameValues(before: readonly SharedValue[], after: readonly SharedValue[]): boolean {
  const known = new Set(before.map(({ value }) => value));
  return known.size === after.length && after.every(({ value }) => known.has(value));
}

/** Whether there are several controllers, each with a different value. */
function isPerController(values: readonly SharedValue[], fleet: RenderedFields): boolean {
  return fleet.size > 1 && values.length === fleet.size;
}
