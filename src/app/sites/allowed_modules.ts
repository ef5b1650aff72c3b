import * as Type from 'typebox';
import type { Catalogue } from '../../module/catalogue.js';
import type { Module } from '../../module/contract.js';
import { TaskProblem } from '../../run/keywords/failed_result.js';

/**
 * Actions that send nothing to a controller, or only read. Support for check mode is no proof of this: `file_upload`
 * supports it, too.
 */
const HARMLESS: ReadonlySet<string> = new Set(
  'add_host assert debug fail group_by include_role include_tasks include_vars pause resource_facts set_fact validate_argument_spec wait_for'.split(
    ' ',
  ),
);

/** @param allowed modules of `--allow-module`; empty: all */
export function isAllowed({ name }: Pick<Module, 'name'>, allowed: readonly string[]): boolean {
  return allowed.length === 0 || HARMLESS.has(name) || allowed.includes(name);
}

/** The catalogue of a worker. A task with a module that the worker does not allow fails. */
export function allowedModules(catalogue: Catalogue, allowed: readonly string[]): Catalogue {
  if (allowed.length === 0) return catalogue;
  return {
    names: catalogue.names,
    ...(catalogue.unlisted !== undefined && { unlisted: catalogue.unlisted }),
    ...(catalogue.collections !== undefined && { collections: catalogue.collections }),
    isWithheld: (name) => catalogue.isWithheld?.(name) ?? false,
    add: (folder) => catalogue.add(folder),
    load: async (name) => {
      const module = await catalogue.load(name);
      return module === undefined || isAllowed(module, allowed) ? module : refusedModule(name, allowed);
    },
  };
}

function refusedModule(name: string, allowed: readonly string[]): Module {
  const run = (): never => {
    throw new TaskProblem(`this worker does not carry out ${name}: --allow-module names ${allowed.join(', ')}`);
  };
  const args = Type.Object({}, { additionalProperties: true });
  const summary = 'a module that the worker does not allow';
  return { type: 'action', name, summary, args, examples: [], check: true, freeForm: 'arguments', run };
}
