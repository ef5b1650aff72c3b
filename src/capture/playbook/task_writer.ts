import { getOrAdd } from '../../core/model/values/groups.js';
import { HIDDEN, jsonText, entry, isEqual, type Mapping } from '../../core/model/values/value.js';
import type { KindTable } from '../../kinds/kind_table.js';
import { fieldProblems } from '../../module/arguments/advice.js';
import { structureSchema } from '../../module/arguments/kind_schema.js';
import type { FleetObject } from './fleet_object.js';
import type { CaptureLevel, Levels } from './levels.js';
import { SharedContent, CapturedNames, type CapturedSecret, type ContentSubject } from './shared_content.js';
import { TemplateText, toContent, type Content, type ContentMapping } from './yaml_file.js';

/** An object, and its content on each controller that has it. */
export interface SharedObject {
  readonly object: FleetObject;
  readonly bodies: ReadonlyMap<string, Mapping>;
}

/** Writes tasks, sets their variables, and collects the secrets that are missing. */
export class CapturedTaskWriter {
  readonly #names: CapturedNames;
  readonly #content: SharedContent;

  constructor(
    private readonly levels: Levels,
    private readonly table: KindTable,
    objects: readonly FleetObject[],
  ) {
    this.#names = new CapturedNames(objects);
    this.#content = new SharedContent(levels, table, this.#names);
  }

  get secrets(): readonly CapturedSecret[] {
    return this.#content.secrets;
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
      this.levels.place(
        variable,
        new Map([...values].map(([controller, value]) => [controller, toContent(value)])),
        null,
      );
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
    const [only] = covering;
    const content = this.#content.merged(this.#subject(shared), shared.bodies);
    const isEverywhere = only?.type === 'all';
    if (covering.length === 1 && only !== undefined) this.levels.set(only, variable, content);
    else {
      const base = new TemplateText(this.#names.unique('captured', kind, 'object'));
      this.levels.set({ type: 'all' }, base.expression, content);
      this.levels.place(
        variable,
        this.#forEach((name) => (shared.bodies.has(name) ? base : undefined)),
        null,
      );
    }
    return {
      name: kind,
      resource_present: { ...this.#target(kind, [shared]), properties: new TemplateText(variable) },
      ...(isEverywhere ? {} : { when: `${variable} | default(none) is mapping` }),
    };
  }

  /**
   * A controller's objects are in the list of all controllers, in those of its groups, and in its own. The list of all also has the
   * objects that most controllers have; the others name what they lack.
   */
  #listTask(kind: string, objects: readonly SharedObject[]): ContentMapping {
    const base = this.#names.unique('captured', kind, 'list');
    const lists = new Map<string, { readonly level: CaptureLevel; readonly items: Content[] }>();
    const mostly = objects.filter((one) => this.#isMostly(one, objects));
    for (const shared of objects) {
      for (const { level, content } of this.#at(shared, mostly.includes(shared)))
        getOrAdd(lists, jsonText(level), () => ({ level, items: [] })).items.push(content);
    }
    // All controllers use the same name for their own list.
    const variables = new Map<string, string>();
    for (const { level, items } of lists.values()) {
      const whose = level.type === 'all' ? '' : level.type === 'group' ? `group_${level.name}` : 'host';
      const variable = getOrAdd(variables, whose, () => (whose === '' ? base : this.#names.unique(base, whose)));
      this.levels.set(level, variable, items);
    }
    const ofAll = this.#withoutAbsent(base, kind, mostly);
    const loop = [...variables]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([whose, variable]) => (whose === '' ? ofAll : `${variable} | default([])`));
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

  /** Whether most controllers have the object, but not all, and its name says which one it is. */
  #isMostly({ object, bodies }: SharedObject, among: readonly SharedObject[]): boolean {
    if (bodies.size === this.levels.controllers.length || !this.levels.isMajority(new Set(bodies.keys()))) return false;
    return among.filter((one) => one.object.name === object.name).length === 1;
  }

  /** The list of all controllers without what a controller lacks. */
  #withoutAbsent(list: string, kind: string, mostly: readonly SharedObject[]): string {
    if (mostly.length === 0) return list;
    const variable = this.#names.unique('captured', kind, 'absent');
    const absent = (name: string): readonly Content[] =>
      mostly.flatMap(({ object, bodies }) => (bodies.has(name) ? [] : [object.name ?? '']));
    this.levels.place(variable, this.#forEach(absent), []);
    return `${list} | rejectattr("name", "in", ${variable})`;
  }

  #forEach(content: (controller: string) => Content | undefined): ReadonlyMap<string, Content | undefined> {
    return new Map(this.levels.controllers.map((name) => [name, content(name)]));
  }

  #subject({ object, bodies }: SharedObject): ContentSubject {
    return { object, isEverywhere: bodies.size === this.levels.controllers.length };
  }

  /** The object itself if one level holds it; with several levels, a variable that all of them refer to. */
  #at(
    shared: SharedObject,
    inListOfAll: boolean,
  ): readonly { readonly level: CaptureLevel; readonly content: Content }[] {
    const { object, bodies } = shared;
    const levels: readonly CaptureLevel[] = inListOfAll
      ? [{ type: 'all' }]
      : this.levels.covering(new Set(bodies.keys()));
    const content = this.#content.merged(this.#subject(shared), bodies);
    if (levels.length === 1) return levels.map((level) => ({ level, content }));
    const variable = this.#names.unique('captured', object.kind, this.#names.object(object) || 'object');
    this.levels.set({ type: 'all' }, variable, content);
    return levels.map((level) => ({ level, content: new TemplateText(variable) }));
  }
}
