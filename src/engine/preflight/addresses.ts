import { settingIdentity, isHttpapi } from '../../controller/settings/url.js';
import { SettingValues, type VariableLookup } from '../../controller/settings/values.js';
import type { Routes } from '../../core/model/inventory/route.js';
import type { Source } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { isOfControllers, type VariableLayer } from '../../core/model/values/variables.js';
import type { Library } from '../../language/library.js';
import { NotKnownYet } from '../../language/runtime/errors.js';
import { Variables } from '../../language/scope.js';
import { isExpected } from './findings.js';
import { readingLibrary } from './preview_library.js';

/** A name for the controller at an address. */
interface Named {
  readonly name: string;
  /** Where the address is written; undefined if that is not in a file. */
  readonly locate: () => Source | undefined;
  readonly isSelected: boolean;
  /** Whether only variables of a task lead there. */
  readonly isOfTask: boolean;
  /** `controller_shared` */
  readonly isShared: boolean;
}

/** Several names of controllers that lead to one address, which their variables do not allow. */
export interface EqualAddresses {
  /** The URL, and the route if there is one. */
  readonly address: string;
  readonly names: readonly Named[];
}

/** The controllers of a run at each address that their variables lead to. */
export type Owners = ReadonlyMap<string, readonly Owner[]>;

/** Kept for the whole run, so it refers to nothing else. */
export type Owner = Pick<Named, 'name' | 'isShared'>;

interface LocatedAddress {
  readonly address: string;
  readonly named: Named;
}

/** Any of these makes a host with an `ansible_host` a controller, whatever its `ansible_connection` says. */
const OF_CONTROLLERS = [
  'controller_password',
  'ansible_password',
  'ansible_httpapi_pass',
  'ansible_httpapi_password',
  'ansible_httpapi_use_ssl',
];

/**
 * The addresses of controllers as their variables write them. Two names with one address are a mistake, such as a
 * copied line: the run would write to one controller what is meant for two.
 */
export class Addresses {
  readonly #names = new Set<string>();
  readonly #placed = new Set<string>();
  readonly #known = new Map<string, Map<string, Named>>();
  /** Reads the files that contain addresses. */
  readonly #library: Library;

  /** @param routes those of the project file */
  constructor(
    private readonly routes: Routes,
    library: Library,
  ) {
    this.#library = readingLibrary(library);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Whether an address of the controller is known. */
  isLocated(name: string): boolean {
    return this.#placed.has(name);
  }

  /**
   * Skips an address that is known only during the run.
   * @param isSelected absent: the controller is not part of the run, so variables of the run do not move it
   */
  add(name: string, scope: Variables, isSelected = false): void {
    this.#names.add(name);
    this.#keep(this.#tried(scope, (seen) => this.#located(name, seen, { isSelected, isContacted: false })));
  }

  /**
   * Adds the address at which a task certainly contacts a controller that has one of its own.
   *
   * @param own its variables without those of the task
   * @param isGiven whether the task's arguments name the address: hosts that are no controllers may have such tasks, so it
   *   counts only if it is that of the controller itself
   */
  addContacted(name: string, own: Variables, seen: Variables, isGiven: boolean): void {
    const home = this.#identity(name, own);
    if (home === undefined || (isGiven && this.#identity(name, seen) !== home)) return;
    const scope = isGiven ? own : seen;
    this.#keep(this.#tried(scope, (one) => this.#located(name, one, { isSelected: true, isContacted: true })));
  }

  #identity(name: string, scope: Variables): string | undefined {
    return this.#tried(scope, (one) => settingIdentity((variable) => one.get(variable), name, this.routes));
  }

  /**
   * Undefined if the variables are known only during the run, even if files are read, or wrong, which is reported
   * separately.
   */
  #tried<T>(scope: Variables, read: (scope: Variables) => T | undefined, readsFiles = false): T | undefined {
    try {
      return read(scope);
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (readsFiles || !(error instanceof NotKnownYet)) return undefined;
      return this.#tried(new Variables([], scope, undefined, this.#library), read, true);
    }
  }

  #keep(located: LocatedAddress | undefined): void {
    if (located === undefined) return;
    const { address, named } = located;
    const names = getOrAdd(this.#known, address, () => new Map<string, Named>());
    if (!named.isOfTask || !names.has(named.name)) names.set(named.name, named);
    this.#placed.add(named.name);
  }

  #located(
    name: string,
    scope: Variables,
    { isSelected, isContacted }: { readonly isSelected: boolean; readonly isContacted: boolean },
  ): LocatedAddress | undefined {
    const lookup: VariableLookup = (variable) => scope.get(variable);
    const values = new SettingValues(lookup, name);
    const variable = ['controller_url', 'ansible_host'].find((one) => values.isSet(one));
    const layer = variable === undefined ? undefined : scope.find(variable)?.layer;
    const isController = isContacted || variable === 'controller_url' || looksLikeController(values, scope);
    if (!isController || (!isSelected && layer !== undefined && !isOfControllers(layer.level))) return undefined;
    const address = settingIdentity(lookup, name, this.routes);
    if (address === undefined) return undefined;
    const isShared = values.flag('controller_shared') ?? false;
    return { address, named: { name, locate: locator(layer, variable), isSelected, isShared, isOfTask: isContacted } };
  }

  /** Of selected controllers. A task may lead to a controller that is not part of the run. */
  get equal(): readonly EqualAddresses[] {
    return [...this.#known]
      .map(([address, known]) => {
        const names = [...known.values()];
        const isOwn = names.some(({ isSelected, isOfTask }) => isSelected && !isOfTask);
        return { address, names: isOwn ? names : names.filter(({ isSelected }) => isSelected) };
      })
      .filter(({ names }) => names.length > 1 && !names.every(({ isShared }) => isShared));
  }

  /** Only the controllers of the run. */
  get owners(): Owners {
    const owners = new Map<string, readonly Owner[]>();
    for (const [address, names] of this.#known) {
      const selected = [...names.values()].filter(({ isSelected }) => isSelected);
      const kept = selected.map(({ name, isShared }) => ({ name, isShared }));
      if (kept.length > 0) owners.set(address, kept);
    }
    return owners;
  }
}

/** Keeps the layer alone: a function that is made where the variables of the controller are in view keeps them all. */
function locator(layer: VariableLayer | undefined, variable: string | undefined): () => Source | undefined {
  return () => (variable === undefined ? undefined : layer?.locate?.([variable]));
}

/** Ansible reaches a host with another `ansible_connection` without its API: it may be no controller. */
function looksLikeController(values: SettingValues, scope: Variables): boolean {
  const connection = values.text('ansible_connection');
  return (
    connection === undefined || isHttpapi(connection) || OF_CONTROLLERS.some((one) => scope.find(one) !== undefined)
  );
}
