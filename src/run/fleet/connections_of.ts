import type { Controller } from '../../model/inventory/inventory.js';
import { Variables } from '../../template/scope.js';
import type { PlayContext } from '../play/play_context.js';
import { ControllerConnections } from './controller_connections.js';
import { Magic } from './magic.js';

/**
 * How the tasks of a play connect to a controller.
 *
 * @param variables what it sees before any task adds to it
 */
export function connectionsOf(
  context: PlayContext,
  subject: { readonly controller: Controller },
  variables: Variables,
): ControllerConnections {
  return new ControllerConnections(context.run, subject, variables, () => plainVariables(context, subject.controller));
}

/** As the inventory was loaded: what `add_host` said is gone when the run is over. */
function plainVariables(context: PlayContext, { name, ...current }: Controller): Variables {
  const { run, variables } = context;
  const controller = run.input.inventory.controllers.get(name) ?? { name, ...current };
  const layers = [...variables.ofInventory(controller), ...run.input.extraVars];
  return new Variables(layers, undefined, new Magic(context, { controller }), run.input.library);
}
