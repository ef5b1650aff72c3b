import type { Value } from '../../model/values/value.js';
import type { ArgumentDescription, ModuleDescription } from '../../module/description.js';

/** What there is to know about an argument beside its description: `integer, required`, `string, default "on_create"`. */
export function factsOf(argument: ArgumentDescription): string {
  const { minimum, maximum, special = [] } = argument;
  const facts = [
    argument.type,
    argument.required ? 'required' : undefined,
    argument.choices === undefined ? undefined : `one of ${argument.choices.map((choice) => text(choice)).join(', ')}`,
    minimum === undefined
      ? undefined
      : maximum === undefined
        ? `at least ${minimum}`
        : `from ${minimum} to ${[maximum, ...special].join(' or ')}`,
    argument.default === undefined ? undefined : `default ${JSON.stringify(argument.default)}`,
    argument.secret === true ? 'secret: masked in every output' : undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(', ');
}

function text(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the types of the fields beyond the arguments mean. */
export function aboutFields({ structure }: ModuleDescription): string {
  return structure === undefined
    ? 'Fields known beyond the API document (values are converted to these types or refused; bounds and choices are not enforced; the controller sets the defaults)'
    : `Fields of ${structure} (values are converted to these types or refused; bounds and choices are those of one release, so others pass with a warning; "required": to create it)`;
}

/** How a module behaves under `--check`, as a sentence. */
export function checkModeOf({ checkMode }: ModuleDescription): string {
  switch (checkMode) {
    case 'full':
      return 'Supports check mode, diff and verification.';
    case 'runs':
      return 'Runs in check mode too.';
    case 'skipped':
      return 'Is skipped in check mode.';
    case 'depends on the arguments':
      return 'Runs in check mode if the arguments say that nothing is changed; else it is skipped there.';
  }
}

/** What becomes of arguments that a module that takes any does not declare. */
export function othersOf({ type }: ModuleDescription): string {
  return type === 'resource'
    ? 'Any other argument is a field of the object and passed on as it is.'
    : 'Any other name may be given.';
}
