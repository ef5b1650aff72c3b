import * as Type from 'typebox';
import type { Step } from '../../core/model/playbook/step.js';
import { ROLE_ARGUMENTS } from '../../module/arguments/role_arguments.js';
import { defineAction } from '../../module/contract.js';
import type { Cursor } from '../document/cursor.js';
import type { Inherited } from '../keywords/inherited.js';
import { IMPORT_ROLE } from '../keywords/keywords.js';
import { argumentsOf } from '../task/arguments.js';
import type { Call } from '../task/call.js';
import { knownText } from '../task/known_text.js';
import { innerContextOf, type ReadContext } from '../task/read_context.js';
import { checkStepKeys } from '../task/step_call.js';
import { varsOf } from '../variables/vars.js';
import { mappingOf, optionsOf, roleCall, withTexts } from './call.js';
import { expandRole } from './expand.js';
import { findRole } from './find.js';
import type { ExpandedRole } from './request.js';

/** Only checks the arguments; nothing runs. */
const IMPORT = defineAction({
  name: 'import_role',
  summary: 'a role whose tasks are inserted here',
  args: Type.Object(ROLE_ARGUMENTS, { additionalProperties: false }),
  examples: [],
  check: true,
  run: () => Promise.resolve({ status: 'ok' }),
});

/** The steps of the role of an `import_role`; adds its handlers and variables for the whole play to `context.parts`. */
export async function importRole(
  cursor: Cursor,
  call: Call,
  outer: ReadContext,
  inherited: Inherited,
): Promise<readonly Step[]> {
  checkStepKeys(cursor, call, IMPORT_ROLE, outer.reader.modules);
  const inside = innerContextOf(cursor, outer, inherited, 'block vars', 'import_role');
  const before = cursor.diagnostics.list.length;
  const args = mappingOf(argumentsOf(cursor, call, IMPORT));
  if (Object.keys(args).length === 0 && cursor.diagnostics.list.length > before) return [];
  const { context } = inside;
  const written = roleCall(cursor, 'import_role', args);
  const advice = 'use include_role, whose role is chosen during the run';
  const found = written && withTexts(written, (text) => knownText(text, written.at, inside, advice));
  const role = found && findRole(found.name, found.at, context, parentsIn(context));
  if (found === undefined || role === undefined) return [];
  const vars = varsOf(cursor.get('vars'), 'role vars', `vars of role ${found.name}`);
  const { when = null, tags = null, vars: given = null } = mappingOf(cursor.value);
  const options = optionsOf(args);
  const expanded = await expandRole(
    {
      role,
      at: found.at,
      named: found.named,
      places: found.places,
      vars,
      params: [],
      identity: { when, tags, vars: given },
      repeatable: options.repeatable,
      validate: options.validate,
      fromStep: true,
      handlerLayers: [],
    },
    inside,
  );
  join(expanded, context);
  return expanded.steps;
}

/** The roles whose tasks contain the step, nearest first. */
export function parentsIn({ role }: ReadContext): NonNullable<ReadContext['role']>['parents'] {
  return role === undefined ? [] : [role, ...role.parents];
}

function join({ name, handlers, seen, dependencies }: ExpandedRole, { parts }: ReadContext): void {
  parts.handlers.push(...handlers);
  parts.layers.push(...seen.defaults, ...seen.vars);
  parts.roles.push(name);
  parts.dependencies.push(...dependencies);
}
