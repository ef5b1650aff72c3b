import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { jsonText, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { REQUIREMENTS } from './requirements.js';
import { isTypeName, TYPES } from './types.js';

/** A problem of a specification itself. */
export interface SpecificationProblem {
  readonly severity: 'error' | 'warning';
  /** Inside the mapping of names to options. */
  readonly path: FieldPath;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The keys of an option, and the types of their values. */
export const OPTION_KEYS: Readonly<Record<string, 'flag' | 'type' | 'list' | 'mapping' | 'anything'>> = {
  type: 'type',
  elements: 'type',
  required: 'flag',
  no_log: 'flag',
  apply_defaults: 'flag',
  default: 'anything',
  choices: 'list',
  aliases: 'list',
  options: 'mapping',
  description: 'anything',
  version_added: 'anything',
  removed_in_version: 'anything',
  removed_at_date: 'anything',
  removed_from_collection: 'anything',
  deprecated_aliases: 'list',
  mutually_exclusive: 'list',
  required_together: 'list',
  required_one_of: 'list',
  required_if: 'list',
  required_by: 'mapping',
};

/** All problems of a mapping of argument names to options. */
export function checkSpecification(spec: Mapping, path: FieldPath = []): readonly SpecificationProblem[] {
  return Object.entries(spec).flatMap(([name, option]) => checkOption(name, option, [...path, name]));
}

/** The first mistake, for a task that got the specification as an argument; undefined if there is none. */
export function mistakeIn(spec: Mapping): string | undefined {
  const found = checkSpecification(spec).find(({ severity }) => severity === 'error');
  return found && `argument_spec.${pathText(found.path)}: ${found.message}`;
}

/** The rules beside `options`: each a list, but for `required_by`. */
export function checkRules(entry: Mapping): readonly SpecificationProblem[] {
  return REQUIREMENTS.flatMap((rule) => checkKey(rule, entry[rule] ?? null, [rule]));
}

function checkOption(name: string, option: Value, path: FieldPath): readonly SpecificationProblem[] {
  if (!isMapping(option))
    return [{ severity: 'error', path, message: `the option "${name}" must be a mapping, such as "type: str"` }];
  const keys = Object.entries(option).flatMap(([key, value]) => checkKey(key, value, [...path, key]));
  const inside = isMapping(option['options']) ? checkSpecification(option['options'], [...path, 'options']) : [];
  return [...keys, ...checkTogether(name, option, path), ...inside];
}

function checkKey(key: string, value: Value, path: FieldPath): readonly SpecificationProblem[] {
  const wants = Object.hasOwn(OPTION_KEYS, key) ? OPTION_KEYS[key] : undefined;
  if (wants === undefined) {
    const hint = didYouMean(key, Object.keys(OPTION_KEYS));
    return [{ severity: 'warning', path, message: `"${key}" is not a key of an argument specification`, hint }];
  }
  if (value === null) return [];
  const wrong = wants === 'type' ? wrongType(value) : wrongKind(key, value, wants);
  return wrong === undefined ? [] : [{ severity: 'error', path, ...wrong }];
}

type Wrong = Pick<SpecificationProblem, 'message' | 'hint'>;

function wrongType(value: Value): Wrong | undefined {
  if (isTypeName(value)) return undefined;
  const name = typeof value === 'string' ? value : jsonText(value);
  return {
    message: `there is no type "${name}"`,
    hint: didYouMean(name, TYPES) ?? `the types are ${TYPES.join(', ')}`,
  };
}

function wrongKind(key: string, value: Value, wants: 'flag' | 'list' | 'mapping' | 'anything'): Wrong | undefined {
  switch (wants) {
    case 'flag':
      return typeof value === 'boolean' ? undefined : { message: `"${key}" must be true or false` };
    case 'list':
      return isList(value) ? undefined : { message: `"${key}" must be a list` };
    case 'mapping':
      return isMapping(value) ? undefined : { message: `"${key}" must be a mapping` };
    case 'anything':
      return undefined;
  }
}

/** Arguments that exclude each other. */
function checkTogether(name: string, option: Mapping, path: FieldPath): readonly SpecificationProblem[] {
  const { type, elements, options } = option;
  const found: SpecificationProblem[] = [];
  if (option['required'] === true && (option['default'] ?? null) !== null) {
    const message = `"${name}" cannot be required and have a default`;
    found.push({ severity: 'error', path: [...path, 'default'], message, hint: 'remove one of them' });
  }
  if ((elements ?? null) !== null && type !== 'list') {
    found.push({ severity: 'error', path: [...path, 'elements'], message: '"elements" is for "type: list" only' });
  }
  if ((options ?? null) !== null && type !== 'dict' && !(type === 'list' && elements === 'dict')) {
    const message = '"options" has an effect only with "type: dict", or "type: list" and "elements: dict"';
    found.push({ severity: 'warning', path: [...path, 'options'], message });
  }
  return found;
}
