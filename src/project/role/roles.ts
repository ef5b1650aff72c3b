import type { Handler, Step } from '../../core/model/playbook/step.js';
import { isList } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { describeKind, type Cursor } from '../document/cursor.js';
import type { Inherited } from '../keywords/inherited.js';
import { knownText } from '../task/arguments.js';
import type { ReadContext } from '../task/read_context.js';
import { roleEntry } from './entry.js';
import { expandRole } from './expand.js';
import { findRole } from './files.js';
import type { ExpandedRole } from './request.js';

/** The steps of a play's `roles`. */
interface LoadedRoles {
  readonly steps: readonly Step[];
  readonly handlers: readonly Handler[];
  /** Defaults and vars, which the whole play sees. */
  readonly layers: readonly VariableLayer[];
}

/** The `roles` of a play, each after its dependencies; adds their names to `context.parts`. */
export async function loadRoles(
  cursor: Cursor | undefined,
  context: ReadContext,
  inherited: Inherited,
): Promise<LoadedRoles> {
  const expanded: ExpandedRole[] = [];
  for (const item of roleEntries(cursor)) expanded.push(...(await loadRole(item, context, inherited)));
  context.parts.roles.push(...expanded.map(({ name }) => name));
  context.parts.dependencies.push(...expanded.flatMap(({ dependencies }) => dependencies));
  return {
    steps: expanded.flatMap(({ steps }) => steps),
    // Each entry repeats its handlers: if several have the same name, the last one is notified.
    handlers: expanded.flatMap(({ handlers }) => handlers),
    layers: expanded.flatMap(({ seen }) => [...seen.defaults, ...seen.vars]),
  };
}

function roleEntries(cursor: Cursor | undefined): readonly Cursor[] {
  if (cursor === undefined || isList(cursor.value)) return cursor?.items() ?? [];
  cursor.error(`"roles" must be a list, not ${describeKind(cursor.value)}`, 'begin each with "- "');
  return [];
}

async function loadRole(cursor: Cursor, context: ReadContext, inherited: Inherited): Promise<readonly ExpandedRole[]> {
  const entry = roleEntry(cursor, context, inherited);
  const advice = 'include_role in "tasks" can choose a role during the run';
  const name = entry && knownText(entry.name, entry.at, { context, inherited }, advice);
  const role = entry && name !== undefined ? findRole(name, entry.at, context, []) : undefined;
  if (entry === undefined || role === undefined) return [];
  const { at, inside, vars, params, identity } = entry;
  return [
    await expandRole(
      {
        role,
        at,
        vars,
        params,
        identity,
        named: {},
        repeatable: undefined,
        validate: true,
        fromStep: false,
        handlerLayers: [],
      },
      inside,
    ),
  ];
}
