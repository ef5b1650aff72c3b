import { settingIdentity } from '../../controller/settings/identity.js';
import { SettingValues, type Lookup } from '../../controller/settings/values.js';
import type { Routes } from '../../core/model/inventory/route.js';
import { LoadError } from '../../core/model/source/diagnostic.js';
import type { Source } from '../../core/model/source/source.js';
import { isOfControllers } from '../../core/model/values/variables.js';
import { NotKnownYet, TemplateError } from '../../language/runtime/errors.js';
import type { Variables } from '../../language/scope.js';

/** A name for the controller at an address. */
interface Named {
  readonly name: string;
  /** Where the address is written; undefined if that is not in a file. */
  readonly locate: () => Source | undefined;
  readonly isSelected: boolean;
  /** `controller_shared` */
  readonly isShared: boolean;
}

/** Several names of controllers that lead to one address, which their variables do not allow. */
export interface EqualAddresses {
  /** The URL, and the route if there is one. */
  readonly address: string;
  readonly names: readonly Named[];
}

/** Any of these makes a host with an `ansible_host` a controller. */
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
  readonly #known = new Map<string, Map<string, Named>>();

  /** @param routes those of the project file */
  constructor(private readonly routes: Routes) {}

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /**
   * Skips an address that is known only during the run.
   * @param isSelected absent: the controller is not part of the run, so variables of the run do not move it
   */
  add(name: string, scope: Variables, isSelected = false): void {
    this.#names.add(name);
    try {
      this.#add(name, scope, isSelected);
    } catch (error) {
      if (![NotKnownYet, TemplateError, LoadError].some((type) => error instanceof type)) throw error;
    }
  }

  #add(name: string, scope: Variables, isSelected: boolean): void {
    const lookup: Lookup = (variable) => scope.get(variable);
    const values = new SettingValues(lookup, name);
    const variable = ['controller_url', 'ansible_host'].find((one) => values.isSet(one));
    const layer = variable === undefined ? undefined : scope.find(variable)?.layer;
    const isController = variable === 'controller_url' || OF_CONTROLLERS.some((one) => scope.find(one) !== undefined);
    if (!isController || (!isSelected && layer !== undefined && !isOfControllers(layer.level))) return;
    const address = settingIdentity(lookup, name, this.routes);
    if (address === undefined) return;
    const names = this.#known.get(address) ?? new Map<string, Named>();
    this.#known.set(address, names);
    const isShared = values.flag('controller_shared') ?? false;
    const locate = (): Source | undefined => (variable === undefined ? undefined : layer?.locate?.([variable]));
    names.set(name, { name, locate, isSelected, isShared });
  }

  /** Of selected controllers. */
  get equal(): readonly EqualAddresses[] {
    return [...this.#known]
      .map(([address, names]) => ({ address, names: [...names.values()] }))
      .filter(
        ({ names }) =>
          names.length > 1 && names.some(({ isSelected }) => isSelected) && !names.every(({ isShared }) => isShared),
      );
  }
}
