import * as Type from 'typebox';
import { mistakeIn } from '../src/module/argument_spec/specification.js';
import { validateSpecified } from '../src/module/argument_spec/validate.js';
import {
  defineAction,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type Value,
} from '../src/module/contract.js';
import { closedObject } from '../src/module/schema.js';

const mapping = (description: string) => Type.Unsafe<Mapping>(Type.Object({}, { description }));
const rule = (description: string) => Type.Optional(Type.Array(Type.Unsafe<Value>({}), { description }));

const args = closedObject({
  argument_spec: mapping(
    'Names of arguments, each with `type`, `required`, `default`, `choices`, `options` and so on.',
  ),
  provided_arguments: Type.Optional(
    mapping('Values that override the variables of the same names; other names are not allowed.'),
  ),
  validate_args_context: Type.Optional(mapping('The owner of the arguments. Returned unchanged.')),
  mutually_exclusive: rule('Lists of arguments of which at most one may be set.'),
  required_together: rule('Lists of arguments that must be set together.'),
  required_one_of: rule('Lists of arguments of which at least one must be set.'),
  required_if: rule('Lists of a name, a value, and the arguments that are required if it has this value.'),
  required_by: Type.Optional(mapping('Arguments that are required if the argument of this name is set.')),
});

type GivenArguments = Type.Static<typeof args>;

export default defineAction({
  name: 'validate_argument_spec',
  summary: 'fails unless variables match an argument specification',
  description:
    'Roles with `meta/argument_specs.yml` begin with such a task. The value of an argument comes from `provided_arguments`, otherwise ' +
    'the variable of its name.',
  args,
  examples: [
    `
- validate_argument_spec:
    argument_spec:
      stage:
        required: true
        choices: [dev, stage, prod]
      mtu:
        type: int
`,
  ],
  check: true,
  run: (given: GivenArguments, context: ActionContext): Promise<ActionResult> => Promise.resolve(judge(given, context)),
});

function judge(given: GivenArguments, context: ActionContext): ActionResult {
  const { argument_spec: spec, provided_arguments: provided = {}, validate_args_context: about = {} } = given;
  const mistake = mistakeIn(spec);
  if (mistake !== undefined) return { status: 'failed', message: mistake };
  const found = validateSpecified(spec, { ...fromVariables(spec, context), ...provided }, given);
  for (const secret of found.secrets) context.hide(secret);
  for (const warning of found.warnings) context.warn(warning);
  const values = { validate_args_context: about };
  if (found.errors.length === 0) {
    const message = 'The arg spec validation passed';
    return { status: 'ok', message, values: { ...values, msg: message } };
  }
  const errors = found.errors.map(({ message }) => message);
  const message = `Validation of arguments failed:\n${errors.join('\n')}`;
  return {
    status: 'failed',
    message,
    values: { ...values, msg: message, argument_spec_data: spec, argument_errors: errors },
  };
}

/** The variables that have the name of an argument. */
function fromVariables(spec: Mapping, context: ActionContext): Mapping {
  const values: Record<string, Value> = {};
  for (const name of Object.keys(spec)) {
    const value = context.variable(name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
