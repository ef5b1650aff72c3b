import { isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { RULES, type Rules } from '../../module/argument_spec/requirements.js';
import { checkRules, checkSpecification, type SpecificationProblem } from '../../module/argument_spec/specification.js';
import { kindOf, type Cursor } from '../document/cursor.js';

/** The parameters that a role expects, for one of its task files. */
export interface RoleSpecification {
  /** `main`, or the `tasks_from`. */
  readonly entryPoint: string;
  readonly summary: string | undefined;
  readonly options: Mapping;
  readonly rules: Rules;
  /** The position of `options`. */
  readonly at: Cursor;
}

/** Every specification of a role, checked; the one of the entry point, if there is one. */
export function specificationOf(all: Cursor | undefined, entryPoint: string): RoleSpecification | undefined {
  for (const entry of all?.entries() ?? []) checkEntry(entry);
  const entry = all?.get(entryPoint);
  if (entry === undefined || !isMapping(entry.value)) return undefined;
  const { value } = entry;
  if (Object.keys(value).length === 0) return undefined;
  const { short_description: summary, options = {} } = value;
  const rules = Object.fromEntries(RULES.flatMap((rule) => (value[rule] === undefined ? [] : [[rule, value[rule]]])));
  return {
    entryPoint,
    summary: typeof summary === 'string' ? summary : undefined,
    options: isMapping(options) ? withoutTexts(options) : {},
    rules,
    at: entry.get('options') ?? entry,
  };
}

function checkEntry(entry: Cursor): void {
  if (entry.value === null) return;
  if (!isMapping(entry.value)) {
    entry.error(`the argument specification "${entry.name}" must be a mapping, not ${kindOf(entry.value)}`);
    return;
  }
  const options = entry.get('options');
  if (options !== undefined && !isMapping(options.value)) {
    options.error(`"options" must be a mapping of names to what each must be, not ${kindOf(options.value)}`);
  }
  if (options !== undefined && isMapping(options.value)) tell(checkSpecification(options.value), options);
  tell(checkRules(entry.value), entry);
}

function tell(problems: readonly SpecificationProblem[], cursor: Cursor): void {
  for (const { severity, path, message, hint } of problems) {
    const source = severity === 'warning' ? cursor.locateKey(path) : cursor.locate(path);
    cursor.diagnostics.add([{ severity, message, source, hint }]);
  }
}

/** Descriptions are for people: they contain no templates, even if they look like it. */
function withoutTexts(options: Mapping): Mapping {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, withoutText(option)]));
}

function withoutText(option: Value): Value {
  if (!isMapping(option)) return option;
  const rest = Object.fromEntries(Object.entries(option).filter(([key]) => key !== 'description'));
  return isMapping(rest['options']) ? { ...rest, options: withoutTexts(rest['options']) } : rest;
}
