import type { Include, Included, Task } from '../model/playbook.js';
import type { Mapping } from '../model/value.js';
import type { VariableLayer } from '../model/variables.js';
import type { IncludedRun } from './include_order.js';

/** What an include brought, with the variables that its steps see beside their own: the include's `vars`, and its loop's. */
export function includedRun(task: Task | Include, included: Included, loopVariables?: Mapping): IncludedRun {
  const looped: readonly VariableLayer[] =
    loopVariables === undefined
      ? []
      : [{ level: 'include params', origin: 'loop', values: loopVariables, literal: true }];
  return { included, layers: [...includeParameters(task), ...looped] };
}

/** The include's own `vars`, which are stronger there than facts, as in Ansible. */
function includeParameters({ layers }: Task | Include): readonly VariableLayer[] {
  return layers.flatMap((layer): VariableLayer[] =>
    layer.level === 'task vars' ? [{ ...layer, level: 'include params' }] : [],
  );
}
