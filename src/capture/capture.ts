import type { KindTable } from '../kinds/kind_table.js';
import { HIDDEN } from '../model/placeholder.js';
import { isEqual } from '../model/values/equality.js';
import { isList, isMapping, type Mapping, type Value } from '../model/values/value.js';
import { isAsItCame } from './built_in_objects.js';
import { withoutSharedDefaults } from './defaults.js';
import { objectKey, objectTitle, type FleetObject, type ReadController } from './fleet_object.js';
import { type CaptureGroup, type Level, Levels } from './levels.js';
import { Names } from './names.js';
import { stagesOf } from './order.js';
import { dataOf, Template, type Content, type ContentMapping } from './yaml_file.js';

export interface CaptureInput {
  readonly controllers: readonly ReadController[];
  /** The most specific last. */
  readonly groups: readonly CaptureGroup[];
  readonly table: KindTable;
  /** Keeps defaults, and objects that came with the controllers. */
  readonly all: boolean;
  /** The controllers of the playbook, if they are not all of the inventory. */
  readonly hosts: readonly string[] | undefined;
}

/** A secret that is to be filled in: controllers do not show it, or it must not be in a file. */
export interface CapturedSecret {
  readonly variable: string;
  /** `cloud "edge"` */
  readonly object: string;
  readonly path: string;
  /** How many controllers have it. */
  readonly controllers: number;
}

/** A playbook that declares the objects of a fleet, and its variables. */
export interface Capture {
  readonly playbook: readonly Content[];
  readonly levels: Pick<Levels, 'variablesOf'>;
  readonly secrets: readonly CapturedSecret[];
  /** How many objects the playbook declares, each counted once. */
  readonly objects: number;
  /** How many came with the controllers, are equal on all, and were left out. */
  readonly leftOut: number;
  /** Objects that refer to each other in a circle: they cannot be created one after the other. */
  readonly circular: readonly string[];
}

/** An object with what each controller that has it says of it. */
interface Shared {
  readonly object: FleetObject;
  readonly bodies: ReadonlyMap<string, Mapping>;
}

/** Says once what all controllers have in common, once for a group what the group has in common, and the rest for each controller. */
export function captureControllers(input: CaptureInput): Capture {
  const { controllers, groups, hosts } = input;
  const found = sharedObjects(controllers);
  const kept = found.filter((one) => input.all || !isLeftOut(one, input));
  const keys = new Set(kept.map(({ object }) => objectKey(object)));
  const { stages, circular } = stagesOf(
    controllers.flatMap(({ objects }) => objects.filter((object) => keys.has(objectKey(object)))),
  );
  const levels = new Levels(
    controllers.map(({ name }) => name),
    groups,
  );
  const writer = new Writer(levels);
  const tasks = stages.map((stage) =>
    writer.task(
      stage.kind,
      kept.filter(({ object }) => stage.objects.has(objectKey(object))).map((one) => withoutDefaultsOf(one, input)),
    ),
  );
  const play = { name: 'Captured configuration', hosts: hosts ?? 'all', tasks };
  return {
    ...{ playbook: [play], levels, secrets: writer.secrets },
    objects: kept.length,
    leftOut: found.length - kept.length,
    circular: circular.map(objectTitle),
  };
}

function sharedObjects(controllers: readonly ReadController[]): readonly Shared[] {
  const found = new Map<string, { object: FleetObject; bodies: Map<string, Mapping> }>();
  for (const { name, objects } of controllers) {
    for (const object of objects) {
      const key = objectKey(object);
      const shared = found.get(key) ?? { object, bodies: new Map<string, Mapping>() };
      found.set(key, shared);
      shared.bodies.set(name, object.fields);
    }
  }
  return [...found.values()];
}

/** What came with the controllers counts as changed if it differs anywhere. */
function isLeftOut(
  { object: { kind, builtIn, fields }, bodies }: Shared,
  { controllers, table }: CaptureInput,
): boolean {
  if (!builtIn || bodies.size < controllers.filter(({ kinds }) => kinds.has(kind)).length) return false;
  return (
    [...bodies.values()].every((body) => isEqual(body, fields)) && isAsItCame(kind, fields, table.kind(kind)?.structure)
  );
}

/** An object that exists once is never created, so its controller does not have the defaults that the table knows. */
function withoutDefaultsOf({ object, bodies }: Shared, { table, all }: CaptureInput): Shared {
  if (all || object.name === undefined) return { object, bodies };
  const kept = withoutSharedDefaults([...bodies.values()], table.kind(object.kind)?.structure);
  return { object, bodies: new Map([...bodies.keys()].map((name, at) => [name, kept[at] ?? {}])) };
}

/** Sets the variables of the tasks, and collects the secrets that are missing. */
class Writer {
  readonly #names = new Names();
  readonly #secrets = new Map<string, CapturedSecret>();

  constructor(private readonly levels: Levels) {}

  get secrets(): readonly CapturedSecret[] {
    return [...this.#secrets.values()];
  }

  /** A task that declares these objects of one kind. */
  task(kind: string, objects: readonly Shared[]): ContentMapping {
    const [single] = objects;
    return single !== undefined && single.object.name === undefined
      ? this.#singleTask(kind, single)
      : this.#listTask(kind, objects);
  }

  #singleTask(kind: string, shared: Shared): ContentMapping {
    const variable = this.#names.unique('captured', kind);
    const covering = this.levels.covering(new Set(shared.bodies.keys()));
    for (const { level, content } of this.#at(covering, shared)) this.levels.set(level, variable, content);
    const isEverywhere = covering.some(({ type }) => type === 'all');
    return {
      name: kind,
      resource_present: { kind, properties: new Template(variable) },
      ...(isEverywhere ? {} : { when: `${variable} is defined` }),
    };
  }

  /** The objects of a controller are in the lists of all, of its groups, and its own. */
  #listTask(kind: string, objects: readonly Shared[]): ContentMapping {
    const base = this.#names.unique('captured', kind, 'list');
    const lists = new Map<string, { readonly level: Level; readonly items: Content[] }>();
    for (const shared of objects) {
      for (const { level, content } of this.#at(this.levels.covering(new Set(shared.bodies.keys())), shared)) {
        const key = JSON.stringify(level);
        const list = lists.get(key) ?? { level, items: [] };
        list.items.push(content);
        lists.set(key, list);
      }
    }
    // All controllers use the same name for their own list.
    const variables = new Map<string, string>();
    for (const { level, items } of lists.values()) {
      const whose = level.type === 'all' ? '' : level.type === 'group' ? `group_${level.name}` : 'host';
      const variable = variables.get(whose) ?? (whose === '' ? base : this.#names.unique(base, whose));
      variables.set(whose, variable);
      this.levels.set(level, variable, items);
    }
    const loop = [...variables]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([whose, variable]) => (whose === '' ? variable : `${variable} | default([])`));
    return {
      name: kind,
      resource_present: { kind, name: new Template('item.name'), properties: new Template('item') },
      loop: new Template(loop.join(' + ')),
      loop_control: { label: new Template('item.name') },
    };
  }

  /** What each level says of an object: the object, or, if there are several levels, what all of them refer to. */
  #at(levels: readonly Level[], shared: Shared): readonly { readonly level: Level; readonly content: Content }[] {
    const { object } = shared;
    const content = this.#merged(object, shared.bodies, []);
    const [only] = levels;
    if (only === undefined || levels.length === 1) return levels.map((level) => ({ level, content }));
    const variable = this.#names.unique('captured', object.kind, object.name ?? 'object');
    this.levels.set({ type: 'all' }, variable, content);
    return levels.map((level) => ({ level, content: new Template(variable) }));
  }

  /** What all have in common as it is, with variables for what differs. */
  #merged(object: FleetObject, values: ReadonlyMap<string, Value | undefined>, path: readonly string[]): Content {
    const all = [...values.values()].filter((value) => value !== undefined);
    const [first = null] = all;
    const isEverywhere = all.length === values.size;
    if (isEverywhere && all.every((value) => isEqual(value, first)))
      return this.#content(object, first, path, values.size);
    if (isEverywhere && all.every(isMapping)) {
      const names = [...new Set(all.flatMap((value) => Object.keys(value)))].sort(nameFirst);
      return Object.fromEntries(
        names.map((name) => [name, this.#merged(object, columnOf(name, values), [...path, name])]),
      );
    }
    const variable = this.#names.unique('captured', object.kind, object.name ?? '', ...path);
    const contents = [...values].map(
      ([name, value]) => [name, value === undefined ? undefined : this.#content(object, value, path, 1)] as const,
    );
    this.levels.place(variable, new Map(contents));
    return new Template(isEverywhere ? variable : `${variable} | default(omit)`);
  }

  /** A value with variables in place of its secrets: without them, the fields are not declared. */
  #content(object: FleetObject, value: Value, path: readonly string[], controllers: number): Content {
    if (value === HIDDEN || (isList(value) && value.includes(HIDDEN)))
      return new Template(`${this.#secret(object, path, controllers)} | default(omit)`);
    if (isList(value)) return value.map((item, at) => this.#content(object, item, [...path, String(at)], controllers));
    if (!isMapping(value)) return dataOf(value);
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => nameFirst(a, b))
        .map(([name, item]) => [name, this.#content(object, item, [...path, name], controllers)]),
    );
  }

  #secret(object: FleetObject, path: readonly string[], controllers: number): string {
    const key = JSON.stringify([objectKey(object), path]);
    const known = this.#secrets.get(key);
    const variable = known?.variable ?? this.#names.unique('captured_secret', object.kind, object.name ?? '', ...path);
    const holders = (known?.controllers ?? 0) + controllers;
    this.#secrets.set(key, { variable, object: objectTitle(object), path: path.join('.'), controllers: holders });
    return variable;
  }
}

/** What an object is called comes before what it has. */
function nameFirst(a: string, b: string): number {
  if (a === 'name' || b === 'name') return a === b ? 0 : a === 'name' ? -1 : 1;
  return a < b ? -1 : 1;
}

function columnOf(
  name: string,
  values: ReadonlyMap<string, Value | undefined>,
): ReadonlyMap<string, Value | undefined> {
  return new Map(
    [...values].map(([controller, value]) => [
      controller,
      isMapping(value) && Object.hasOwn(value, name) ? value[name] : undefined,
    ]),
  );
}
