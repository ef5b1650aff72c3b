import type { Module } from './contract.js';

/** The modules that a run knows. Names are known at once; a module's code is loaded when a task names it. */
export interface Catalogue {
  readonly names: readonly string[];
  /** Further names that tasks may use, but that are not listed: modules of another tool's collections. */
  readonly unlisted?: readonly string[];
  /** Collections whose modules these are, too: `vendor.controller.cloud_present` is `cloud_present`. */
  readonly collections?: readonly string[];
  /** Throws if the module's file is broken; undefined if there is no module of that name. */
  load(name: string): Promise<Module | undefined>;
  /** Whether a module's code is not loaded, because nothing may be executed: its arguments cannot be checked. */
  isWithheld?(name: string): boolean;
  /** Whether it is code of the user, which may have any effect on the run. */
  isProjectModule?(name: string): boolean;
  /**
   * Adds the modules of a folder (a role's), except those whose names are taken, which are returned. A copy of a known module is
   * not returned.
   */
  add(folder: string): readonly TakenName[];
}

/** A module whose name is already taken. */
export interface TakenName {
  /** Absolute. */
  readonly file: string;
  /** The file of the other module, absolute; undefined if it is built in. */
  readonly by: string | undefined;
}
