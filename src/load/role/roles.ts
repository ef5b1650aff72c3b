import type { Handler, Step } from '../../model/playbook.js';
import type { VariableLayer } from '../../model/variables.js';
import type { Cursor } from '../cursor.js';
import type { Inherited } from '../inherited.js';
import type { Site } from '../site.js';

/** What the `roles` of a play come to. */
export interface LoadedRoles {
  readonly steps: readonly Step[];
  readonly handlers: readonly Handler[];
  /** Defaults and vars, which the whole play sees. */
  readonly layers: readonly VariableLayer[];
  /** Dependencies included, each once. */
  readonly names: readonly string[];
}

export function loadRoles(cursor: Cursor | undefined, _site: Site, _inherited: Inherited): Promise<LoadedRoles> {
  cursor?.error('roles are not read yet');
  return Promise.resolve({ steps: [], handlers: [], layers: [], names: [] });
}
