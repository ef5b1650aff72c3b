import { HIDDEN } from '../../core/model/values/display.js';
import { jsonText } from '../../core/model/values/json.js';
import { entry, isEqual, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { KindTable } from '../../kinds/kind_table.js';
import { fieldProblems } from '../../module/arguments/advice.js';
import { structureSchema } from '../../module/arguments/kind_schema.js';
import { objectKey, objectTitle, type FleetObject } from './fleet_object.js';
import type { CaptureLevel, Levels } from './levels.js';
import { TemplateText, toContent, type Content, type ContentMapping } from './yaml_file.js';

/** An object, and its content on each controller that has it. */
export interface SharedObject {
  readonly object: FleetObject;
  readonly bodies: ReadonlyMap<string, Mapping>;
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

/** Writes tasks, sets their variables, and collects the secrets that are missing. */
export class CapturedTaskWriter {
  readonly #names = new Names();
  readonly #secrets = new Map<string, CapturedSecret>();

  constructor(
    private readonly levels: Levels,
    private readonly table: KindTable,
  ) {}

  get secrets(): readonly CapturedSecret[] {
    return [...this.#secrets.values()];
  }

  /**
   * Variables of the play, which override those of the inventory. Left out: what no controller sets, and what holds a
   * secret on any of them.
   */
  placeVariables(places: ReadonlyMap<string, Mapping>): ContentMapping {
    const names = new Set([...places.values()].flatMap((place) => Object.keys(place)));
    const entries = [...names].flatMap((name): readonly (readonly [string, Content])[] => {
      const values = new Map([...places].map(([controller, place]) => [controller, entry(place, name) ?? null]));
      const all = [...values.values()];
      const [first = null] = all;
      if (all.includes(HIDDEN) || all.every((value) => value === null)) return [];
      if (all.every((value) => isEqual(value, first))) return [[name, toContent(first)]];
      const variable = this.#names.unique('captured', name);
      this.levels.place(variable, new Map([...values].map(([controller, value]) => [controller, toContent(value)])));
      return [[name, new TemplateText(variable)]];
    });
    return Object.fromEntries(entries);
  }

  /** A task that declares these objects of one kind. */
  task(kind: string, objects: readonly SharedObject[]): ContentMapping {
    const [single] = objects;
    return single !== undefined && single.object.name === undefined
      ? this.#singleTask(kind, single)
      : this.#listTask(kind, objects);
  }

  /** By kind, so that fields are checked and masked; by path if the table would refuse fields of another release as typos. */
  #target(name: string, objects: readonly SharedObject[]): ContentMapping {
    const kind = this.table.kind(name);
    const schemas = kind === undefined ? [] : [structureSchema(kind.structure)];
    const isKnown = objects.every(({ bodies }) =>
      [...bodies.values()].every((body) => fieldProblems(schemas, body).length === 0),
    );
    return kind === undefined || isKnown ? { kind: name } : { path: kind.path };
  }

  #singleTask(kind: string, shared: SharedObject): ContentMapping {
    const variable = this.#names.unique('captured', kind);
    const covering = this.levels.covering(new Set(shared.bodies.keys()));
    for (const { level, content } of this.#at(covering, shared)) this.levels.set(level, variable, content);
    const isEverywhere = covering.some(({ type }) => type === 'all');
    return {
      name: kind,
      resource_present: { ...this.#target(kind, [shared]), properties: new TemplateText(variable) },
      ...(isEverywhere ? {} : { when: `${variable} is defined` }),
    };
  }

  /** A controller's objects are in the list of all controllers, in those of its groups, and in its own. */
  #listTask(kind: string, objects: readonly SharedObject[]): ContentMapping {
    const base = this.#names.unique('captured', kind, 'list');
    const lists = new Map<string, { readonly level: CaptureLevel; readonly items: Content[] }>();
    for (const shared of objects) {
      for (const { level, content } of this.#at(this.levels.covering(new Set(shared.bodies.keys())), shared)) {
        const key = jsonText(level);
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
      resource_present: {
        ...this.#target(kind, objects),
        name: new TemplateText('item.name'),
        properties: new TemplateText('item'),
      },
      loop: new TemplateText(loop.join(' + ')),
      loop_control: { label: new TemplateText('item.name') },
    };
  }

  /** The object itself if one level holds it; with several levels, a variable that all of them refer to. */
  #at(
    levels: readonly CaptureLevel[],
    shared: SharedObject,
  ): readonly { readonly level: CaptureLevel; readonly content: Content }[] {
    const { object } = shared;
    const content = this.#merged(object, shared.bodies, []);
    const [only] = levels;
    if (only === undefined || levels.length === 1) return levels.map((level) => ({ level, content }));
    const variable = this.#names.unique('captured', object.kind, object.name ?? 'object');
    this.levels.set({ type: 'all' }, variable, content);
    return levels.map((level) => ({ level, content: new TemplateText(variable) }));
  }

  /** The common content, with variables for what differs. */
  #merged(object: FleetObject, values: ReadonlyMap<string, Value | undefined>, path: readonly string[]): Content {
    const all = [...values.values()].filter((value) => value !== undefined);
    const [first = null] = all;
    const isEverywhere = all.length === values.size;
    if (isEverywhere && all.every((value) => isEqual(value, first)))
      return this.#content(object, first, path, values.size);
    if (isEverywhere && all.every(isMapping)) {
      const names = [...new Set(all.flatMap((value) => Object.keys(value)))].sort(nameFirst);
      return Object.fromEntries(
        names.map((name) => [name, this.#merged(object, valuesInField(name, values), [...path, name])]),
      );
    }
    const variable = this.#names.unique('captured', object.kind, object.name ?? '', ...path);
    const contents = [...values].map(
      ([name, value]) => [name, value === undefined ? undefined : this.#content(object, value, path, 1)] as const,
    );
    this.levels.place(variable, new Map(contents));
    return new TemplateText(isEverywhere ? variable : `${variable} | default(omit)`);
  }

  /** A value with variables in place of its secrets. Without these variables, the fields are not declared. */
  #content(object: FleetObject, value: Value, path: readonly string[], controllers: number): Content {
    if (value === HIDDEN || (isList(value) && value.includes(HIDDEN)))
      return new TemplateText(`${this.#secret(object, path, controllers)} | default(omit)`);
    if (isList(value)) return value.map((item, at) => this.#content(object, item, [...path, String(at)], controllers));
    if (!isMapping(value)) return toContent(value);
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => nameFirst(a, b))
        .map(([name, item]) => [name, this.#content(object, item, [...path, name], controllers)]),
    );
  }

  #secret(object: FleetObject, path: readonly string[], controllers: number): string {
    const key = jsonText([objectKey(object), path]);
    const known = this.#secrets.get(key);
    // Its name makes the variable's value a secret, so it is masked.
    const variable =
      known?.variable ?? this.#names.unique('captured', object.kind, object.name ?? '', ...path, 'secret');
    const holders = (known?.controllers ?? 0) + controllers;
    this.#secrets.set(key, { variable, object: objectTitle(object), path: path.join('.'), controllers: holders });
    return variable;
  }
}

/** The name comes first. */
function nameFirst(a: string, b: string): number {
  if (a === 'name' || b === 'name') return a === b ? 0 : a === 'name' ? -1 : 1;
  return a < b ? -1 : 1;
}

function valuesInField(
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

const MOST_NAME_CHARACTERS = 120;

/** Names of variables, each given once. */
class Names {
  readonly #taken = new Set<string>();

  /** A name of these words: `captured_cloud_edge_1_mtu`. */
  unique(...words: readonly string[]): string {
    const name = words.map(variablePart).filter(Boolean).join('_').slice(0, MOST_NAME_CHARACTERS);
    let free = name;
    for (let number = 2; this.#taken.has(free); number++) free = `${name}_${number}`;
    this.#taken.add(free);
    return free;
  }
}

function variablePart(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}
