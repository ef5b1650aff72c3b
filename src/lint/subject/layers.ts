import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Subject } from './subject.js';

/** Every mapping of variables that was read from a file, each once. */
export function layersOf({ plays, inventories, extraVars }: Subject): ReadonlySet<VariableLayer> {
  const found = new Set<VariableLayer>(extraVars);
  const add = (layers: Iterable<VariableLayer>): void => {
    for (const layer of layers) if (layer.literal !== true) found.add(layer);
  };
  for (const { play, steps, handlers } of plays) {
    add(play.layers);
    for (const layers of [...play.groupLayers.values(), ...play.controllerLayers.values()]) add(layers);
    for (const { step } of [...steps, ...handlers]) if (step.type !== 'role') add(step.layers);
  }
  for (const { groups, controllers } of inventories) {
    for (const { layers } of [...groups.values(), ...controllers.values()]) add(layers);
  }
  return found;
}
