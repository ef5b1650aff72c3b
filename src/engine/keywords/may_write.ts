import { orElse } from '../../core/model/source/diagnostic.js';
import { isMapping, type Value } from '../../core/model/values/value.js';
import { needsRendering } from '../../language/render.js';
import type { ActionModule, Module } from '../../module/contract.js';

/**
 * Whether a task writes outside check mode, as far as its module says: otherwise by what it does in check mode, where it writes nothing.
 *
 * @param args as written: a method that a template chooses may be any
 */
export function mayWrite(module: Module | undefined, args: Value): boolean {
  if (module?.type !== 'action') return true;
  const { check, writes } = module;
  return writes === undefined ? !isCertain(check, true, args) : !isCertain(writes, false, args);
}

/** Whether an action decides so by its arguments. Those that a template chooses may be any. */
function isCertain(decide: ActionModule['check'], answer: boolean, args: Value): boolean {
  if (typeof decide !== 'function') return decide === answer;
  return isMapping(args) && !needsRendering(args) && orElse(false, () => decide({ method: 'GET', ...args }) === answer);
}
