import { generatedPlay, generatedTask, type Play, type Playbook } from '../core/model/playbook/playbook.js';
import type { Task } from '../core/model/playbook/step.js';
import { shownName } from '../core/model/run/reference.js';
import { getOrAdd } from '../core/model/values/groups.js';
import { jsonText, entry, isMapping, mappingsIn, type Value } from '../core/model/values/value.js';
import type { OnResult } from '../engine/input/run_input.js';
import type { KindTable } from '../kinds/kind_table.js';
import { identityInFiles } from '../launch/load/addresses_in_files.js';
import type { PreparedRun, SelectedPlay } from '../launch/load/prepared_run.js';
import { callsAhead } from '../launch/load/read_ahead.js';
import type { Catalogue } from '../module/catalogue.js';
import { isCollection } from '../module/comparison/object_arguments.js';
import { TYPED } from '../project/document/command_line.js';
import { sortNames } from '../reporting/text/words.js';

/** An object that no task manages, and the controllers that have it. */
export interface UnmanagedObject {
  readonly kind: string;
  readonly name: string;
  /** Undefined: controllers have none, or all lists are of one tenant. */
  readonly tenant: string | undefined;
  /** Undefined: it shows none, or all objects of the lists show one. */
  readonly cloud: string | undefined;
  readonly controllers: readonly string[];
}

/** Reads the kinds of objects that the playbooks manage, after their tasks. */
export interface Unmanaged {
  readonly run: PreparedRun;
  /** Known once the run has finished. */
  readonly objects: () => readonly UnmanagedObject[];
}

const TITLE = 'Objects that no task manages';
const LIST = 'resource_facts';
const LISTING = 'List ';
/** Objects that controllers have from the start, besides those that match `DEFAULT`. */
const DEFAULTS: ReadonlySet<string> = new Set(['admin', 'global', 'management']);
const DEFAULT = /^(?:System|Default)-/i;
const MODULE = /_(?:present|absent)$/;

/** Adds plays to a run that list the objects of each kind, one request a kind and page. */
export async function withUnmanaged(run: PreparedRun): Promise<Unmanaged> {
  const { loaded, selected } = run;
  const kinds = await managedKinds(selected, loaded.catalogue, await loaded.kinds());
  const plays = listingPlays(selected, [...kinds].sort());
  const addresses = new Map<string, string>();
  const seen = new SeenObjects((name) =>
    getOrAdd(addresses, name, () => {
      const controller = loaded.target.inventory.controllers.get(name);
      return (controller && identityInFiles(controller, controller.layers, '', loaded.target)) ?? name;
    }),
  );
  const playbooks = [...loaded.playbooks, ...plays.map(({ made }) => made)];
  return {
    run: {
      ...run,
      loaded: { ...loaded, playbooks },
      selected: [...selected, ...plays.map(({ listing }) => listing)],
      onResult: seen.add,
    },
    objects: () => seen.unmanaged,
  };
}

/** The kinds with collections that tasks name, also those of files that are included by a literal name. */
async function managedKinds(
  selected: readonly SelectedPlay[],
  catalogue: Catalogue,
  table: KindTable,
): Promise<ReadonlySet<string>> {
  const kinds = new Set<string>();
  for (const { steps, play } of selected)
    for await (const { call } of callsAhead([...steps, ...play.handlers])) {
      const kind = call.type === 'task' ? await managedKind(call, catalogue, table) : undefined;
      if (kind !== undefined && isCollection({ kind }, () => table)) kinds.add(kind);
    }
  return kinds;
}

async function managedKind(
  { module: name, args }: Task,
  catalogue: Catalogue,
  kinds: KindTable,
): Promise<string | undefined> {
  const module = await catalogue.load(name);
  if (module?.type !== 'resource') return undefined;
  if (module.kind !== undefined) return module.kind;
  if (kinds.kind(name.replace(MODULE, '')) !== undefined) return name.replace(MODULE, '');
  if (!isMapping(args)) return undefined;
  const [kind, path] = [entry(args, 'kind'), entry(args, 'path')];
  if (typeof kind === 'string') return kinds.kind(kind)?.name;
  return typeof path === 'string' ? kinds.kindAt(path)?.name : undefined;
}

/** Variables of a play that say where its objects are. */
const CONNECTING = ['controller_dialect', 'controller_tenant', 'controller_headers'] as const;

interface Listing {
  readonly listing: SelectedPlay;
  /** The playbook under which the play was generated. */
  readonly made: Playbook;
}

/**
 * Generates a play for the controllers of each play, with its variables, because these can contain connection settings.
 * Each controller is in one play for each tenant that plays act in.
 */
function listingPlays(selected: readonly SelectedPlay[], kinds: readonly string[]): readonly Listing[] {
  const listed = new Set<string>();
  const first = selected.length;
  return selected.flatMap(({ play, controllers, pattern }, index): Listing[] => {
    const place = jsonText(play.layers.map(({ values }) => CONNECTING.map((name) => entry(values, name) ?? null)));
    const mine = controllers.filter((name) => !listed.has(`${name} ${place}`));
    for (const name of mine) listed.add(`${name} ${place}`);
    if (mine.length === 0 || kinds.length === 0) return [];
    const own = listingPlay(play, kinds);
    const made: Playbook = { file: TYPED.file, directory: play.directory, plays: [own] };
    const rest = { number: first + index, name: TITLE, serial: undefined, gate: undefined, checks: [] };
    // A failure in one playbook stops the following ones. So these plays belong to the last one.
    const { playbook } = selected.at(-1) ?? { playbook: made };
    return [{ made, listing: { ...rest, playbook, play: own, pattern, controllers: mine, steps: own.tasks } }];
  });
}

function listingPlay(
  { layers, groupLayers, controllerLayers, directory, hosts }: Play,
  kinds: readonly string[],
): Play {
  const tasks = kinds.map((kind) =>
    generatedTask({
      name: { value: `${LISTING}${kind}`, source: TYPED },
      module: LIST,
      args: { kind, fields: ['name', 'uuid', 'tenant_ref', 'cloud_ref'] },
      tags: ['always'],
      source: TYPED,
    }),
  );
  const made = generatedPlay({ name: TITLE, source: TYPED, hosts, directory, tasks, groupLayers, controllerLayers });
  return { ...made, layers };
}

/** One object on several controllers. */
interface ListedObject extends Omit<UnmanagedObject, 'controllers'> {
  /** Its uuids by controller. */
  readonly uuids: Map<string, Set<Value | undefined>>;
}

/** The objects that tasks have read, and the objects on the controllers. */
class SeenObjects {
  /** Their uuids by the address of the controller, which several hosts may share. */
  readonly #known = new Map<string, Set<Value | undefined>>();
  readonly #listed = new Map<string, ListedObject>();
  /** Where the objects of each host were listed. */
  readonly #places = new Map<string, string>();

  /** @param addressIn the inventory: of a host */
  constructor(private readonly addressIn: (host: string) => string) {}

  readonly add: OnResult = ({ controller, target = controller, play, task, tenant, address, values }) => {
    const place = address ?? this.addressIn(target);
    if (play === TITLE) {
      this.#places.set(controller, place);
      return this.#list(controller, tenant, task.replace(LISTING, ''), values['objects'] ?? null);
    }
    const { object, change } = values;
    const known = getOrAdd(this.#known, place, () => new Set());
    // In a check, an object that would be deleted no longer counts.
    for (const one of [object, isMapping(change) ? change['before'] : undefined])
      if (isMapping(one)) known.add(entry(one, 'uuid'));
  };

  get unmanaged(): readonly UnmanagedObject[] {
    const all = [...this.#listed.values()];
    const isSeveral = (scope: 'tenant' | 'cloud'): boolean =>
      new Set(all.flatMap(({ [scope]: name }) => name ?? [])).size > 1;
    const [inTenants, inClouds] = [isSeveral('tenant'), isSeveral('cloud')];
    const found = all.map(({ kind, name, tenant, cloud, uuids }) => ({
      kind,
      name,
      tenant: inTenants ? tenant : undefined,
      cloud: inClouds ? cloud : undefined,
      controllers: sortNames([...uuids].flatMap(([one, own]) => (this.#knows(one, own) ? [] : [one]))),
    }));
    return found.filter(({ controllers }) => controllers.length > 0).sort(byKindAndName);
  }

  #knows(controller: string, uuids: ReadonlySet<Value | undefined>): boolean {
    const known = this.#known.get(this.#places.get(controller) ?? '');
    return [...uuids].every((uuid) => uuid !== undefined && known?.has(uuid) === true);
  }

  #list(controller: string, tenant: string | undefined, kind: string, objects: Value): void {
    for (const object of mappingsIn(objects)) {
      const { name, uuid, tenant_ref: owner, cloud_ref: reference } = object;
      if (typeof name !== 'string' || DEFAULT.test(name) || DEFAULTS.has(name)) continue;
      // Controllers also show a tenant objects of others, such as clouds of `admin`.
      if (tenant !== undefined && typeof owner === 'string' && (shownName(owner) ?? tenant) !== tenant) continue;
      const place = {
        tenant: typeof owner === 'string' ? tenant : undefined,
        cloud: typeof reference === 'string' ? shownName(reference) : undefined,
      };
      const key = JSON.stringify([kind, name, place]);
      const listed = getOrAdd(this.#listed, key, () => ({ kind, name, ...place, uuids: new Map() }));
      getOrAdd(listed.uuids, controller, () => new Set()).add(uuid);
    }
  }
}

function byKindAndName(a: UnmanagedObject, b: UnmanagedObject): number {
  const text = ({ kind, name, tenant = '', cloud = '' }: UnmanagedObject): string =>
    `${kind} ${name} ${tenant} ${cloud}`;
  return text(a) < text(b) ? -1 : 1;
}
