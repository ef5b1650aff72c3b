import type { Source } from '../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { VariableLayer, VariableLevel } from '../../src/core/model/values/variables.js';
import { Variables } from '../../src/language/scope.js';

/** A layer with positions in `vars.yml`: the line of each path is the length of the path. */
export function layer(values: Mapping, level: VariableLevel = 'play vars', file = 'vars.yml'): VariableLayer {
  return { level, values, origin: file, locate: (path) => ({ file, line: path.length, column: 1 }) };
}

export function variables(values: Mapping): Variables {
  return new Variables([layer(values)]);
}

export const HERE: Source = { file: 'play.yml', line: 7, column: 3 };

/** The error that a function throws. */
export function failure(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
