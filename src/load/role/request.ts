import type { Handler, RoleRun } from '../../model/playbook/step.js';
import { isList, isMapping, type Mapping, type Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Cursor } from '../document/cursor.js';
import type { RoleContext } from '../task/read_context.js';
import type { FilePlaces, FilesNamed } from './files.js';
import type { SeenLayers } from './layers.js';

/** A role that something asks for, and how. */
export interface RoleRequest {
  readonly role: RoleContext;
  /** What names it. */
  readonly at: Cursor;
  readonly named: FilesNamed;
  readonly places?: FilePlaces | undefined;
  readonly vars: readonly VariableLayer[];
  readonly params: readonly VariableLayer[];
  /** Identifies this use of the role: uses with the same key run once. */
  readonly identity: Mapping;
  /** Over its own `allow_duplicates`. */
  readonly repeatable: boolean | undefined;
  /** Whether its arguments are compared with its specification. */
  readonly validate: boolean;
  /** Asked for by an include or import, which do not count as what `roles` and dependencies ask for. */
  readonly fromStep: boolean;
  /** More layers for its handlers: the `vars` of the include. */
  readonly handlerLayers: readonly VariableLayer[];
}

/** A role with its dependencies, as steps and handlers. */
export interface ExpandedRole {
  readonly name: string;
  /** Its dependencies, theirs first, and itself. */
  readonly steps: readonly RoleRun[];
  readonly handlers: readonly Handler[];
  /** What the whole play sees of it, if it is a part of the play. */
  readonly seen: SeenLayers;
  /** Names of its dependencies, theirs included. */
  readonly dependencies: readonly string[];
}

/** Equal values give the same text, whatever the order of their keys. */
export function keyOf(value: Mapping): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: Value): unknown {
  if (isList(value)) return value.map(sorted);
  if (!isMapping(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}
