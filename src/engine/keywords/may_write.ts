import type { Task } from '../../core/model/playbook/step.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { isMapping, type Value } from '../../core/model/values/value.js';
import { needsRendering } from '../../language/render.js';
import type { Variables } from '../../language/scope.js';
import { validateArguments } from '../../module/arguments/validation.js';
import type { ActionModule, Module } from '../../module/contract.js';
import { renderFlagOr } from './rendered_keywords.js';

/** Whether a task may write outside check mode, as far as that is known before it runs. @param args as written */
export function mayWrite(module: Module | undefined, args: Value): boolean {
  return module === undefined || doesWrite(module, args) !== false;
}

/**
 * Whether a task writes outside check mode, as far as its module says: otherwise by what it does in check mode, where it writes nothing.
 * Undefined if a template decides.
 *
 * @param args as written
 */
export function doesWrite(module: Module, args: Value): boolean | undefined {
  if (module.type === 'resource') return true;
  if (module.writes !== undefined) return decision(module, module.writes, args);
  const reads = runsInCheck(module, args);
  return reads === undefined ? undefined : !reads;
}

/** Whether check mode carries out an action. Undefined if a template decides. @param args as written */
export function runsInCheck(module: ActionModule, args: Value): boolean | undefined {
  return decision(module, module.check, args);
}

function decision(module: ActionModule, decide: ActionModule['check'], args: Value): boolean | undefined {
  if (typeof decide === 'boolean') return decide;
  if (!isMapping(args) || Object.keys(args).some(needsRendering)) return undefined;
  const checked = validateArguments(module, args, 'static');
  if (!('args' in checked)) return undefined;
  const templates = new Set<Value>();
  const known = new Proxy<Record<string, Value>>(
    { ...checked.args },
    {
      get: (all, name) => {
        const value = typeof name === 'string' ? all[name] : undefined;
        // No error says so, because the module may catch it.
        if (value !== undefined && needsRendering(value)) templates.add(value);
        return value;
      },
    },
  );
  const decided = orElse(undefined, () => decide(known));
  return templates.size > 0 ? undefined : decided;
}

/**
 * Whether a task compares in any run, because of its own `check_mode`. Not if that may differ in a run which is no check: results and
 * facts do not show what they come from.
 */
export function neverWrites({ checkMode }: Pick<Task, 'checkMode'>, scope: Variables): boolean {
  if (checkMode === undefined) return false;
  const used = new Set<string>();
  const traced = scope.traced((name) => used.add(name));
  const differs = (name: string): boolean => BY_RUN.has(name) || scope.find(name)?.layer.literal === true;
  return renderFlagOr(false, 'check_mode', checkMode, traced) && ![...used].some(differs);
}

const BY_RUN: ReadonlySet<string> = new Set(['ansible_check_mode', 'hostvars']);
