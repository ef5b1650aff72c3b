import { isMapping } from '../../core/model/values/value.js';
import { kindOf, type Cursor } from '../document/cursor.js';
import { checkTemplatesOf } from '../document/templated.js';
import { ansibleOnlyModule } from './ansible_only.js';
import type { Modules } from './modules.js';

/** Default arguments of tasks, by module, from the nearest `module_defaults` that names it. */
export type ModuleDefaults = ReadonlyMap<string, Cursor>;

export const NO_DEFAULTS: ModuleDefaults = new Map();

/**
 * Merges the `module_defaults` of a play, block, role or task with inherited ones. They are a mapping, or a list of
 * mappings in which later ones win. For each module, the nearest defaults replace the others.
 */
export function moduleDefaultsOf(cursor: Cursor, outer: ModuleDefaults, modules: Modules): ModuleDefaults {
  const given = cursor.get('module_defaults');
  if (given === undefined) return outer;
  const found = new Map(outer);
  for (const mapping of given.items()) {
    if (!isMapping(mapping.value)) {
      mapping.error(`${mapping.title} must be a mapping of modules to arguments, not ${kindOf(mapping.value)}`);
      continue;
    }
    for (const item of mapping.entries()) if (isUsable(item, modules)) found.set(modules.plain(item.name), item);
  }
  return found;
}

function isUsable(item: Cursor, modules: Modules): boolean {
  if (item.name.startsWith('group/')) {
    checkGroup(item);
    return false;
  }
  if (!modules.has(item.name) && ansibleOnlyModule(item.name) !== undefined) {
    warnOfIdle(item);
    return false;
  }
  if (!modules.has(item.name)) {
    item.errorAtKey(`there is no module "${item.name}"`, modules.hintFor(item.name));
    return false;
  }
  if (item.value === null) return true;
  if (!isMapping(item.value)) {
    item.error(`the defaults of ${item.name} must be a mapping of arguments to values, not ${kindOf(item.value)}`);
    return false;
  }
  checkTemplatesOf(item);
  return true;
}

/** Groups of ansible-core, whose modules are for other systems. Collections define more groups, which are not read. */
const FOREIGN_GROUPS = /^group\/(?:\w+\.\w+\.)?(?:acme|aws|azure|cpm|docker|gcp|k8s|os|ovirt|vmware)$/;

function checkGroup(item: Cursor): void {
  if (FOREIGN_GROUPS.test(item.name)) warnOfIdle(item);
  else {
    const hint = 'name each module; a YAML anchor lets them share one mapping';
    item.errorAtKey(`there is no group of modules "${item.name}": modules here have no groups`, hint);
  }
}

function warnOfIdle({ name, keySource: source, diagnostics }: Cursor): void {
  const message = `defaults of ${name} have no effect: no task here can use it`;
  diagnostics.add([{ severity: 'warning', rule: 'no-effect', message, source, hint: 'remove them' }]);
}
