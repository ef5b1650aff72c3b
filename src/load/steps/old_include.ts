import { isList, isMapping, type Mapping, type Value } from '../../model/values/value.js';
import { hasTemplate } from '../../template/check.js';
import type { Call } from '../task/call.js';
import type { Cursor } from '../document/cursor.js';
import type { ReadContext } from '../task/read_context.js';
import { givenTo } from '../task/step_call.js';
import { warnOfOldForm } from '../document/texts.js';

/**
 * Ansible's older `include` as the word that took its place: `import_tasks`, unless the file's name is a template, the step loops, or
 * another file is being included around it. Its other arguments become variables of the included tasks.
 */
export function modernInclude(step: Cursor, call: Call, context: ReadContext): Cursor | undefined {
  const given = givenTo(step, call);
  if (given === undefined) return undefined;
  const { file = null, ...parameters }: Record<string, Value> = given;
  const word = isDynamic(step, file, context) ? 'include_tasks' : 'import_tasks';
  const written = call.cursor.name;
  warnOfOldForm(
    call.cursor,
    '"include"',
    'write import_tasks; include_tasks if it loops, or a template names the file',
  );
  const rest = Object.entries(isMapping(step.value) ? step.value : {}).filter(
    ([key]) => key !== written && key !== 'args',
  );
  const vars = withParameters(step.get('vars')?.value, parameters);
  const places = new Map([[word, written], ...(step.get('vars') === undefined ? [['vars', written] as const] : [])]);
  return step.rewritten({ ...Object.fromEntries(rest), [word]: file, ...(vars !== undefined && { vars }) }, places);
}

function isDynamic(step: Cursor, file: Value, { file: { isIncluded } }: ReadContext): boolean {
  const loops = step.entries().some(({ name }) => name === 'loop' || name.startsWith('with_'));
  return loops || isIncluded || (typeof file === 'string' && hasTemplate(file));
}

/** The parameters are stronger. */
function withParameters(vars: Value | undefined, parameters: Mapping): Value | undefined {
  if (Object.keys(parameters).length === 0) return vars;
  if (vars === undefined) return parameters;
  return isMapping(vars) ? { ...vars, ...parameters } : [...(isList(vars) ? vars : [vars]), parameters];
}
