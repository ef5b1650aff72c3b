import { generatedTask } from '../../core/model/playbook/playbook.js';
import type { Located, Task } from '../../core/model/playbook/step.js';
import type { Locate } from '../../core/model/source/diagnostic.js';
import { mapValues, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { isSecretName } from '../../core/secrets/names.js';
import { hasTemplate } from '../../language/check.js';
import { REQUIREMENTS, type Rules } from '../../module/argument_spec/requirements.js';
import { checkRules, checkSpecification, type SpecificationProblem } from '../../module/argument_spec/specification.js';
import { validateSpecified } from '../../module/argument_spec/validate.js';
import { describeKind, wantMapping, type Cursor } from '../document/cursor.js';
import { searchPathLayer, type InnerContext, type RoleContext } from '../task/read_context.js';

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
export function readSpecification(all: Cursor | undefined, entryPoint: string): RoleSpecification | undefined {
  for (const entry of all?.entries() ?? []) checkEntry(entry);
  const entry = all?.get(entryPoint);
  if (entry === undefined || !isMapping(entry.value)) return undefined;
  const { value } = entry;
  if (Object.keys(value).length === 0) return undefined;
  const { short_description: summary, options = {} } = value;
  const rules = Object.fromEntries(
    REQUIREMENTS.flatMap((rule) => (value[rule] === undefined ? [] : [[rule, value[rule]]])),
  );
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
  if (!isMapping(entry.value))
    return entry.error(
      `the argument specification "${entry.name}" must be a mapping, not ${describeKind(entry.value)}`,
    );
  const options = entry.get('options');
  if (options !== undefined) wantMapping(options, ' of names to what each must be');
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
  return mapValues(options, (option) => withoutText(option));
}

function withoutText(option: Value): Value {
  if (!isMapping(option)) return option;
  const rest = Object.fromEntries(Object.entries(option).filter(([key]) => key !== 'description'));
  return isMapping(rest['options']) ? { ...rest, options: withoutTexts(rest['options']) } : rest;
}

const MODULE = 'validate_argument_spec';

interface GivenSpecification {
  readonly role: RoleContext;
  readonly params: VariableLayer | undefined;
  /** The parameters without templates. */
  readonly fixed: readonly string[];
  readonly at: Cursor;
}

/** The first task of a role with a specification. As in Ansible, tags never exclude it. */
export function validationTask(
  spec: RoleSpecification,
  given: GivenSpecification,
  { context, inherited }: InnerContext,
): Task {
  const args: Mapping = {
    argument_spec: spec.options,
    provided_arguments: given.params?.values ?? {},
    validate_args_context: {
      type: 'role',
      name: given.role.name,
      argument_spec_name: spec.entryPoint,
      path: given.role.path,
    },
    ...spec.rules,
  };
  return generatedTask({
    ...inherited,
    name: validationTitle(spec),
    role: given.role.name,
    module: MODULE,
    args,
    argsPath: [MODULE],
    source: given.at.source,
    locate: locateIn(spec, given),
    layers: [...inherited.layers, searchPathLayer(context)],
    tags: [...new Set([...inherited.tags, 'always'])],
  });
}

function validationTitle({ entryPoint, summary, at }: RoleSpecification): Located<string> {
  const title = `Validating arguments against arg spec '${entryPoint}'`;
  return { value: summary === undefined ? title : `${title} - ${summary}`, source: at.source };
}

/** Locates parameters where the role is used, and everything else in the role's `meta`. */
function locateIn({ at }: RoleSpecification, given: GivenSpecification): Locate {
  return ([, argument, ...path]) => {
    if (argument === 'provided_arguments') return given.params?.locate?.(path) ?? given.at.source;
    return argument === 'argument_spec' ? at.locate(path) : at.source;
  };
}

/**
 * Compares parameters without templates with the specification before the run. Parameters are stronger than any
 * variable, so they cannot change during the run. Skips roles with conditions, which may never run. Skips secrets,
 * because messages show the line.
 */
export function checkGiven(
  { options }: RoleSpecification,
  { params, fixed, at }: GivenSpecification,
  { inherited }: InnerContext,
): void {
  if (params === undefined || inherited.when.length > 0) return;
  const hidden = hiddenNames(options);
  const shown = Object.entries(params.values).filter(
    ([name]) => fixed.includes(name) && !hidden.has(name) && !isSecretName(name),
  );
  const spec = mapValues(options, (option) => (isMapping(option) ? { ...option, required: false } : option));
  for (const { path, message } of validateSpecified(spec, Object.fromEntries(shown)).errors)
    at.diagnostics.error(message, params.locate?.(path) ?? at.source);
}

/** Has no message show what the specification hides. The role hides it when it starts; a message can be about a line beside it before. */
export function hideGiven(
  { options }: RoleSpecification,
  { params, at: { services } }: GivenSpecification,
  { inherited, context }: InnerContext,
): void {
  const names = hiddenNames(options);
  if (names.size === 0) return;
  const given = [...(params === undefined ? [] : [params]), ...inherited.layers, ...context.known];
  services.vault?.hidden.push((ofControllers) =>
    [...given, ...ofControllers].flatMap(({ values }) => {
      const hidden = Object.entries(values).filter(([name]) => names.has(name));
      if (hidden.length === 0) return [];
      const { secrets } = validateSpecified(options, Object.fromEntries(hidden));
      return [...secrets].filter((text) => !hasTemplate(text));
    }),
  );
}

/** The options that are secrets, by the specification or their names, or have such options inside. */
function hiddenNames(options: Mapping): ReadonlySet<Value> {
  const names = Object.entries(options).flatMap(([name, option]) => {
    const { aliases = [], no_log: noLog = null, options: inside = null } = isMapping(option) ? option : {};
    const isHidden = noLog === true || isSecretName(name) || (isMapping(inside) && hiddenNames(inside).size > 0);
    return isHidden ? [name, ...(isList(aliases) ? aliases : [])] : [];
  });
  return new Set(names);
}
