import { appendTo, getOrAdd } from '../../core/model/values/groups.js';
import { isEqual, type Mapping } from '../../core/model/values/value.js';
import type { KindTable } from '../../kinds/kind_table.js';
import { isUnconfigured, withoutSharedDefaults } from './defaults.js';
import {
  fleetObjectKey,
  objectTitle,
  referenceKey,
  type FleetObject,
  type PlacedController,
  type ReadController,
} from './fleet_object.js';
import { Levels, type CaptureGroup } from './levels.js';
import type { CapturedSecret } from './shared_content.js';
import { CapturedTaskWriter, type SharedObject } from './task_writer.js';
import type { Content } from './yaml_file.js';

export interface CaptureInput {
  readonly controllers: readonly PlacedController[];
  /** The most specific last. */
  readonly groups: readonly CaptureGroup[];
  readonly table: KindTable;
  /** Keeps defaults, and objects that came with the controllers. */
  readonly all: boolean;
  /** The controllers of the playbook, if they are not all of the inventory. */
  readonly hosts: readonly string[] | undefined;
}

/** A playbook that declares the objects of a fleet, and its variables. */
export interface CapturedProject {
  readonly playbook: readonly Content[];
  readonly levels: Pick<Levels, 'contentByName'>;
  readonly secrets: readonly CapturedSecret[];
  /** How many objects the playbook declares, each counted once. */
  readonly objects: number;
  /** The number of objects that come with every controller, are equal on all, and were left out. */
  readonly leftOut: number;
  /** Objects that refer to each other in a circle: they cannot be created one after the other. */
  readonly circular: readonly string[];
}

/**
 * Declares once what all controllers have in common, once per group what the group has in common, and the rest per
 * controller.
 */
export function captureControllers(input: CaptureInput): CapturedProject {
  const { controllers, groups, hosts } = input;
  const found = sharedObjects(controllers);
  const kept = found.filter((one) => input.all || !isLeftOut(one, input));
  const keys = new Set(kept.map(({ object }) => fleetObjectKey(object)));
  const { stages, circular } = sortIntoStages(
    controllers.flatMap(({ objects }) => objects.filter((object) => keys.has(fleetObjectKey(object)))),
  );
  const names = controllers.map(({ name }) => name);
  const levels = new Levels(names, groups);
  const writer = new CapturedTaskWriter(
    levels,
    input.table,
    kept.map(({ object }) => object),
  );
  const vars = writer.placeVariables(new Map(controllers.map(({ name, place }) => [name, place])));
  const tasks = stages.map((stage) =>
    writer.task(
      stage.kind,
      kept.filter(({ object }) => stage.objects.has(fleetObjectKey(object))).map((one) => dropDefaults(one, input)),
    ),
  );
  const [first] = controllers;
  // The name of a play is a template, even if it is unsafe.
  const whose = first?.tenant?.includes('{') === false ? ` of the tenant ${first.tenant}` : '';
  const play = { name: `Captured configuration${whose}`, hosts: hosts ?? 'all', vars, tasks };
  return {
    playbook: [play],
    levels,
    secrets: writer.secrets,
    objects: kept.length,
    leftOut: found.length - kept.length,
    circular: circular.map(objectTitle),
  };
}

function sharedObjects(controllers: readonly ReadController[]): readonly SharedObject[] {
  const found = new Map<string, { object: FleetObject; bodies: Map<string, Mapping> }>();
  for (const { name, objects } of controllers) {
    for (const object of objects) {
      const key = fleetObjectKey(object);
      getOrAdd(found, key, () => ({ object, bodies: new Map<string, Mapping>() })).bodies.set(name, object.fields);
    }
  }
  return [...found.values()];
}

/** Leaves out an object that comes with every controller, unless it differs somewhere. */
function isLeftOut(
  { object: { kind, builtIn, fields }, bodies }: SharedObject,
  { controllers, table }: CaptureInput,
): boolean {
  if (!builtIn || bodies.size < controllers.filter(({ kinds }) => kinds.has(kind)).length) return false;
  return (
    [...bodies.values()].every((body) => isEqual(body, fields)) &&
    isUnconfigured(kind, fields, table.kind(kind)?.structure)
  );
}

/** An object that exists once is never created, so its controller does not have the defaults that the table knows. */
function dropDefaults({ object, bodies }: SharedObject, { table, all }: CaptureInput): SharedObject {
  if (all || object.name === undefined) return { object, bodies };
  const kept = withoutSharedDefaults([...bodies.values()], table.kind(object.kind)?.structure);
  return { object, bodies: new Map([...bodies.keys()].map((name, at) => [name, kept[at] ?? {}])) };
}

/** Objects of one kind that one task can declare, because the objects that they refer to are declared before. */
interface Stage {
  readonly kind: string;
  /** Keys from `fleetObjectKey`. */
  readonly objects: ReadonlySet<string>;
}

interface Node {
  readonly object: FleetObject;
  /** Keys of the objects that must be declared before. */
  readonly needs: Set<string>;
}

/**
 * Orders the objects of a fleet so that they can be created: one stage per kind if the references allow it. `circular`: objects that
 * refer to each other in a circle, at the place where the circle was cut.
 */
function sortIntoStages(objects: readonly FleetObject[]) {
  const left = dependencyNodes(objects);
  const neededBy = new Map<string, Node[]>();
  for (const node of left.values()) for (const need of node.needs) appendTo(neededBy, need, node);
  const stages: Stage[] = [];
  const circular: FleetObject[] = [];
  while (left.size > 0) {
    const stage = nextStage([...left.values()]) ?? cut([...left.values()], circular);
    stages.push(stage);
    for (const key of stage.objects) {
      left.delete(key);
      for (const { needs } of neededBy.get(key) ?? []) needs.delete(key);
    }
  }
  return { stages, circular };
}

/** Each object of several controllers once, with everything that it refers to on any of them. */
function dependencyNodes(objects: readonly FleetObject[]): Map<string, Node> {
  const nodes = new Map<string, Node>();
  const named = new Map<string, Set<string>>();
  for (const object of objects) {
    const [key, name] = [fleetObjectKey(object), referenceKey(object)];
    if (!nodes.has(key)) nodes.set(key, { object, needs: new Set() });
    getOrAdd(named, name, () => new Set()).add(key);
  }
  for (const object of objects) {
    const key = fleetObjectKey(object);
    const needs = nodes.get(key)?.needs;
    for (const reference of object.refers)
      for (const need of named.get(reference) ?? []) if (need !== key) needs?.add(need);
  }
  return nodes;
}

/**
 * The first kind whose objects can all be declared, otherwise the kind with the most such objects; undefined if there
 * is none.
 */
function nextStage(left: readonly Node[]): Stage | undefined {
  const kinds = new Map<string, { ready: Node[]; all: number }>();
  for (const node of left) {
    const kind = getOrAdd(kinds, node.object.kind, () => ({ ready: [], all: 0 }));
    kind.all += 1;
    if (node.needs.size === 0) kind.ready.push(node);
  }
  const found = [...kinds];
  const whole = found.find(([, { ready, all }]) => ready.length === all);
  const [most] = found.toSorted(([, a], [, b]) => b.ready.length - a.ready.length);
  const [kind, { ready }] = whole ?? most ?? ['', { ready: [] }];
  return ready.length === 0 ? undefined : { kind, objects: new Set(ready.map(({ object }) => fleetObjectKey(object))) };
}

function cut([first]: readonly Node[], circular: FleetObject[]): Stage {
  if (first === undefined) throw new Error('nothing is left to cut');
  circular.push(first.object);
  return { kind: first.object.kind, objects: new Set([fleetObjectKey(first.object)]) };
}
