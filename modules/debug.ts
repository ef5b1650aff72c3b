import * as Type from 'typebox';
import {
  defineAction,
  display,
  displayNamed,
  type ActionContext,
  type ActionResult,
  type Value,
} from '../src/module/contract.js';

const args = Type.Object(
  {
    msg: Type.Optional(
      Type.Unsafe<Value>({
        prose: true,
        description: 'What to show: text, or any value. Without it and `var`: `Hello world!`.',
      }),
    ),
    var: Type.Optional(
      Type.String({ expression: true, description: 'A variable or expression to show, without braces.' }),
    ),
    verbosity: Type.Integer({ default: 0, minimum: 0, description: 'Show it only with at least this many `-v`.' }),
  },
  { additionalProperties: false, exclusive: [['msg', 'var']] },
);

export default defineAction({
  name: 'debug',
  summary: 'shows a message or a variable',
  args,
  examples: [
    `
- debug:
    msg: '{{inventory_hostname}} belongs to {{group_names}}'
`,
    `
- debug:
    var: group_names
`,
  ],
  check: true,
  run: (given, context): Promise<ActionResult> => Promise.resolve(show(given, context)),
});

function show(given: Type.Static<typeof args>, context: ActionContext): ActionResult {
  if (context.verbosity < given.verbosity)
    return { status: 'skipped', message: 'verbosity threshold not met', values: {} };
  const { msg = 'Hello world!' } = given;
  if (given.var === undefined) return { status: 'ok', spoken: true, message: display(msg), values: { msg } };
  const value = evaluateOrExplain(given.var, context);
  return { status: 'ok', spoken: true, message: displayNamed(given.var, value), values: { [given.var]: value } };
}

/** As in Ansible, an undefined variable is not a failure: users look for it with `debug`. */
function evaluateOrExplain(expression: string, context: ActionContext): Value {
  try {
    return context.evaluate(expression);
  } catch (error) {
    if (error instanceof Error && 'undefinedName' in error && error.undefinedName !== undefined)
      return 'VARIABLE IS NOT DEFINED!';
    throw error;
  }
}
