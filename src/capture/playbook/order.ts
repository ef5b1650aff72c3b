import { objectKey, referenceKey, type FleetObject } from './fleet_object.js';

/** Objects of one kind that one task can declare, because the objects that they refer to are declared before. */
interface Stage {
  readonly kind: string;
  /** A key from `objectKey`. */
  readonly objects: ReadonlySet<string>;
}

export interface Stages {
  readonly stages: readonly Stage[];
  /** Objects that refer to each other in a circle, at the place where the circle was cut. */
  readonly circular: readonly FleetObject[];
}

interface Node {
  readonly object: FleetObject;
  /** Keys of the objects that must be declared before. */
  readonly needs: Set<string>;
}

/** Orders the objects of a fleet so that they can be created: one stage per kind if the references allow it. */
export function stagesOf(objects: readonly FleetObject[]): Stages {
  const left = nodesOf(objects);
  const neededBy = new Map<string, Node[]>();
  for (const node of left.values()) {
    for (const need of node.needs) {
      const others = neededBy.get(need);
      if (others === undefined) neededBy.set(need, [node]);
      else others.push(node);
    }
  }
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
function nodesOf(objects: readonly FleetObject[]): Map<string, Node> {
  const nodes = new Map<string, Node>();
  const named = new Map<string, Set<string>>();
  for (const object of objects) {
    const [key, name] = [objectKey(object), referenceKey(object)];
    if (!nodes.has(key)) nodes.set(key, { object, needs: new Set() });
    named.set(name, (named.get(name) ?? new Set()).add(key));
  }
  for (const object of objects) {
    const key = objectKey(object);
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
    const kind = kinds.get(node.object.kind) ?? { ready: [], all: 0 };
    kinds.set(node.object.kind, kind);
    kind.all += 1;
    if (node.needs.size === 0) kind.ready.push(node);
  }
  const found = [...kinds];
  const whole = found.find(([, { ready, all }]) => ready.length === all);
  const [most] = found.toSorted(([, a], [, b]) => b.ready.length - a.ready.length);
  const [kind, { ready }] = whole ?? most ?? ['', { ready: [] }];
  return ready.length === 0 ? undefined : { kind, objects: new Set(ready.map(({ object }) => objectKey(object))) };
}

function cut([first]: readonly Node[], circular: FleetObject[]): Stage {
  if (first === undefined) throw new Error('nothing is left to cut');
  circular.push(first.object);
  return { kind: first.object.kind, objects: new Set([objectKey(first.object)]) };
}
