import type { Step } from '../../core/model/playbook/step.js';
import { tasksIn } from '../../core/model/playbook/steps.js';
import type { Catalogue } from '../../module/catalogue.js';
import type { Module } from '../../module/contract.js';

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
