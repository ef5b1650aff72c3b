import type { VariableLayer } from '../../model/values/variables.js';
import type { ControllerState } from './controller_state.js';
import type { PlayContext } from '../play/play_context.js';

/**
 * What came to a controller's variables since its walk through the play began, weaker first within a level: facts, results,
 * `include_vars`, and the groups that `group_by` and `add_host` put it into.
 */
export function layersSince(
  { variables }: Pick<PlayContext, 'variables'>,
  state: ControllerState,
): readonly VariableLayer[] {
  return state.isRegrouped ? [...variables.ofInventory(state.controller), ...state.layers] : state.layers;
}
