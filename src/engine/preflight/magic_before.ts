import { LazyMapping, type Value } from '../../core/model/values/value.js';
import { NotKnownYet } from '../../language/runtime/errors.js';
import type { Variables } from '../../language/scope.js';
import type { Magic } from '../controllers/magic.js';
import type { LaterVariables } from './later_variables.js';

/** Magic variables that are known only during the play. */
const LATER: ReadonlySet<string> = new Set([
  'ansible_play_hosts',
  'ansible_play_batch',
  'play_hosts',
  'evenkeel_run_id',
  'vars',
]);
/** Magic variables that a change of the inventory affects. */
const CHANGING: ReadonlySet<string> = new Set(['groups', 'group_names', 'hostvars', 'ansible_play_hosts_all']);

/** The magic variables as far as they are known before the run. */
export class MagicBefore extends LazyMapping {
  constructor(
    private readonly magic: Magic,
    private readonly later: LaterVariables,
  ) {
    super();
  }

  override get(name: string): Value | undefined {
    this.magic.requireKnown(name);
    if (LATER.has(name) || (CHANGING.has(name) && this.later.anything)) throw new NotKnownYet(name);
    return this.magic.get(name);
  }

  override keys(): readonly string[] {
    return this.magic.keys();
  }
}

/** `hostvars` before the run: tasks may have changed the variables of other controllers by then, so they are unknown. */
export class OtherVariables extends LazyMapping {
  constructor(private readonly variablesOf: (controller: string) => Variables | undefined) {
    super();
  }

  override get(name: string): Value | undefined {
    const variables = this.variablesOf(name);
    return variables === undefined ? undefined : new VariablesBefore(variables);
  }

  override keys(): never {
    throw new NotKnownYet('hostvars');
  }
}

/** Another controller's variables, without `hostvars` itself. */
class VariablesBefore extends LazyMapping {
  constructor(private readonly variables: Variables) {
    super();
  }

  override get(name: string): Value | undefined {
    return name === 'hostvars' ? undefined : this.variables.get(name);
  }

  override keys(): never {
    throw new NotKnownYet('hostvars');
  }
}
