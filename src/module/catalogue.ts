import type { Module } from './contract.js';

/** The modules that a run knows. Names are known at once; a module's code is loaded when a task names it. */
export interface Catalogue {
  readonly names: readonly string[];
  /** Throws if the module's file is broken; undefined if there is no module of that name. */
  load(name: string): Promise<Module | undefined>;
}
