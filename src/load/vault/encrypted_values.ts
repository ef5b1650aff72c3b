import { isList, isMapping, Vaulted, type Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';

// Layers never change, and controllers share them.
const known = new WeakMap<VariableLayer, readonly Vaulted[]>();

/** The `!vault` values in these layers, at any depth. Each layer is searched once. */
export function encryptedValues(layers: Iterable<VariableLayer>): readonly Vaulted[] {
  return [...layers].flatMap(inLayer);
}

function inLayer(layer: VariableLayer): readonly Vaulted[] {
  const before = known.get(layer);
  if (before !== undefined) return before;
  const found = within(layer.values);
  known.set(layer, found);
  return found;
}

function within(value: Value): readonly Vaulted[] {
  if (value instanceof Vaulted) return [value];
  if (isList(value)) return value.flatMap(within);
  return isMapping(value) ? Object.values(value).flatMap(within) : [];
}
