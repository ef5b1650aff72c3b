import { display, jsonText, entry, isList, isMapping, parseFlag } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';

/** The rules about combinations of arguments, as in the specification. */
export const REQUIREMENTS = [
  'mutually_exclusive',
  'required_together',
  'required_one_of',
  'required_if',
  'required_by',
] as const;

export type Rules = Readonly<Partial<Record<(typeof REQUIREMENTS)[number], Value>>>;

/** A message for each broken rule, in Ansible's words. */
export function mutuallyExclusive({ mutually_exclusive: rule }: Rules, values: Mapping): readonly string[] {
  const broken = groups(rule).filter((names) => count(names, values) > 1);
  if (broken.length === 0) return [];
  return [`parameters are mutually exclusive: ${broken.map((names) => names.join('|')).join(', ')}`];
}

export function brokenRules(rules: Rules, values: Mapping): readonly string[] {
  const parts = groups(rules.required_together).filter((names) => {
    const given = count(names, values);
    return given > 0 && given < names.length;
  });
  const lacking = groups(rules.required_one_of).filter((names) => count(names, values) === 0);
  return [
    ...parts.map((names) => `parameters are required together: ${names.join(', ')}`),
    ...lacking.map((names) => `one of the following is required: ${names.join(', ')}`),
    ...requiredIf(rules.required_if, values),
    ...requiredBy(rules.required_by, values),
  ];
}

/** `[name, value, [others]]`, followed by `true` if one of the others is enough. */
function requiredIf(rule: Value | undefined, values: Mapping): readonly string[] {
  return toList(rule).flatMap((requirement) => {
    const [name, wanted, others, any] = toList(requirement);
    if (typeof name !== 'string' || wanted === undefined || entry(values, name) !== wanted) return [];
    const names = toTexts(others);
    const missing = names.filter((one) => entry(values, one) === undefined);
    if (missing.length === 0 || (any === true && missing.length < names.length)) return [];
    return [
      `${name} is ${display(wanted)} but ${any === true ? 'any' : 'all'} of the following are missing: ${missing.join(', ')}`,
    ];
  });
}

function requiredBy(rule: Value | undefined, values: Mapping): readonly string[] {
  return Object.entries(isMapping(rule) ? rule : {}).flatMap(([name, others]) => {
    if ((entry(values, name) ?? null) === null) return [];
    const missing = toTexts(others).filter((one) => (entry(values, one) ?? null) === null);
    return missing.length === 0 ? [] : [`missing parameter(s) required by '${name}': ${missing.join(', ')}`];
  });
}

/** A list of lists of names; one list of names is one group of them. */
function groups(rule: Value | undefined): readonly (readonly string[])[] {
  const list = toList(rule);
  return list.some(isList) ? list.map(toTexts) : list.length > 0 ? [toTexts(list)] : [];
}

function count(names: readonly string[], values: Mapping): number {
  return names.filter((name) => entry(values, name) !== undefined).length;
}

function toList(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

function toTexts(value: Value | undefined): readonly string[] {
  return (isList(value) ? value : [value]).filter((one) => typeof one === 'string');
}

/** The message for a value that is not one of the choices; undefined if it is one. Every item of a list must be one. */
export function choiceProblem(name: string, value: Value, choices: Value, hidden: boolean): string | undefined {
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

/**
 * YAML reads `yes` as a boolean, whose text is `True`. This text matches a choice such as `yes` if it is the only word
 * for true.
 */
function meansOneOf(value: Value, choices: readonly Value[]): boolean {
  if (value !== 'True' && value !== 'False') return false;
  const words = choices.filter((choice) => typeof choice !== 'string' || choice === choice.toLowerCase());
  return words.filter((word) => parseFlag(word) === (value === 'True')).length === 1;
}

/** The names and aliases of a specification, as `name (alias, alias)`. */
export function supported(spec: Mapping, aliases: ReadonlyMap<string, string>): string {
  const names = Object.keys(spec).sort().join(', ');
  const others = [...aliases.keys()].sort().join(', ');
  return others === '' ? names : `${names} (${others})`;
}

function written(value: Value): string {
  return typeof value === 'string' ? value : jsonText(value);
}
