import { tasksIn } from '../core/model/playbook/playbook.js';
import type { Step } from '../core/model/playbook/step.js';
import type { Module } from './contract.js';

/** The modules that a run knows. Names are known at once; a module's code is loaded when a task names it. */
export interface Catalogue {
  readonly names: readonly string[];
  /** Names that tasks may use, but that listings omit: modules of another tool's collections. */
  readonly unlisted?: readonly string[];
  /** Collections that the modules also belong to: `vendor.controller.cloud_present` is `cloud_present`. */
  readonly collections?: readonly string[];
  /** Throws if the module's file is broken; undefined if there is no module of that name. */
  load(name: string): Promise<Module | undefined>;
  /** Whether `--no-exec` keeps the code of a module from loading, so that its arguments cannot be checked. */
  isWithheld?(name: string): boolean;
  /** Whether the module is code of the user, which may have any effect on the run. */
  isProjectModule?(name: string): boolean;
  /**
   * Adds the modules of a folder of a role. Returns those whose names are taken instead of adding them, except copies of known
   * modules.
   */
  add(folder: string): readonly TakenName[];
}

/** The only module of a generated playbook. */
export function catalogueWith(module: Module): Catalogue {
  const { name } = module;
  return { names: [name], load: (asked) => Promise.resolve(asked === name ? module : undefined), add: () => [] };
}

/** A module whose name is already taken. */
export interface TakenName {
  /** Absolute. */
  readonly file: string;
  /** The file of the other module, absolute; undefined if it is built in. */
  readonly by: string | undefined;
}

/** The modules that the steps of a play call, loaded before the first of them is carried out. */
export class LoadedModules {
  readonly #modules = new Map<string, Module>();

  constructor(private readonly catalogue: Catalogue) {}

  async load(steps: readonly Step[]): Promise<void> {
    for (const { module: name } of tasksIn(steps)) {
      const module = this.#modules.has(name) ? undefined : await this.catalogue.load(name);
      if (module !== undefined) this.#modules.set(name, module);
    }
  }

  get(name: string): Module {
    const module = this.#modules.get(name);
    if (module === undefined) throw new Error(`the module ${name} was not loaded`);
    return module;
  }
}
