import { isList, type Mapping, type Value } from '../../model/values/value.js';

/** The message for a value that is not one of the choices; undefined if it is one. Every item of a list must be one. */
export function wrongChoice(name: string, value: Value, choices: Value, hidden: boolean): string | undefined {
  if (!isList(choices)) return `the choices for argument '${name}' are not a list`;
  const listed = choices.map(written).join(', ');
  if (isList(value)) {
    const strangers = value.filter((item) => !choices.includes(item)).map(written);
    if (strangers.length === 0) return undefined;
    return `value of ${name} must be one or more of: ${listed}${hidden ? '' : `. Got no match for: ${strangers.join(', ')}`}`;
  }
  if (choices.includes(value) || meansOneOf(value, choices)) return undefined;
  return `value of ${name} must be one of: ${listed}${hidden ? '' : `, got: ${written(value)}`}`;
}

const WORDS: Readonly<Record<string, readonly Value[]>> = {
  True: ['y', 'yes', 'on', '1', 'true', 't', 1, true],
  False: ['n', 'no', 'off', '0', 'false', 'f', 0, false],
};

/**
 * YAML reads `yes` as a boolean, whose text is `True`. This text matches a choice such as `yes` if it is the only word
 * for true.
 */
function meansOneOf(value: Value, choices: readonly Value[]): boolean {
  const words = typeof value === 'string' && Object.hasOwn(WORDS, value) ? (WORDS[value] ?? []) : [];
  return choices.filter((choice) => words.includes(choice)).length === 1;
}

/** The names and aliases of a specification, as `name (alias, alias)`. */
export function supported(spec: Mapping, aliases: ReadonlyMap<string, string>): string {
  const names = Object.keys(spec).sort().join(', ');
  const others = [...aliases.keys()].sort().join(', ');
  return others === '' ? names : `${names} (${others})`;
}

function written(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
