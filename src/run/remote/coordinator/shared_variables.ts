import type { Value } from '../../../model/values/value.js';
import { isList, isMapping, LazyMapping } from '../../../model/values/value.js';
import type { VariableLayer } from '../../../model/values/variables.js';
import { stepsOf, tasksIn } from '../../../model/playbook/steps.js';
import { hasTemplate } from '../../../template/language/template.js';
import type { RunSources } from '../../input/run_input.js';

const OTHERS = 'hostvars';

/**
 * The controllers whose variables the tasks of other controllers may read: those in `delegate_to`, or all if templates
 * use `hostvars`. Cannot see into includes, or into encrypted files without a password.
 */
export function sharedVariables({
  playbooks,
  inventory,
  extraVars,
}: Pick<RunSources, 'playbooks' | 'inventory' | 'extraVars'>): ReadonlySet<string> | 'all' {
  const plays = playbooks.flatMap((playbook) => playbook.plays);
  const steps = plays.flatMap((play) => tasksIn([...stepsOf(play), ...play.handlers]));
  const layers: readonly VariableLayer[] = [
    ...extraVars,
    ...[...inventory.groups.values(), ...inventory.controllers.values()].flatMap((one) => one.layers),
    ...plays.flatMap((play) => [
      ...play.layers,
      ...[...play.groupLayers.values(), ...play.controllerLayers.values()].flat(),
    ]),
  ];
  const delegates = steps.flatMap(({ delegateTo }) => (delegateTo === undefined ? [] : [delegateTo.value]));
  const isAny =
    delegates.some((one) => typeof one !== 'string' || hasTemplate(one)) ||
    steps.some((step) => step.type === 'include' || mentions(step, OTHERS)) ||
    [...new Set(layers)].some(({ values, locked }) => locked === true || mentions(values, OTHERS));
  return isAny ? 'all' : new Set(delegates.map(String));
}

/** Whether a text in the value contains the word. */
export function mentions(value: unknown, word: string, depth = 0): boolean {
  if (typeof value === 'string') return value.includes(word);
  if (typeof value !== 'object' || value === null || value instanceof LazyMapping || depth > 50) return false;
  if (isList(value)) return value.some((one: Value) => mentions(one, word, depth + 1));
  return isMapping(value) && Object.values(value).some((one) => mentions(one, word, depth + 1));
}
