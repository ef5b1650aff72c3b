import { CONNECTION_VARIABLES } from '../../core/model/inventory/connection_variables.js';
import type { FieldPath, Locate } from '../../core/model/source/diagnostic.js';
import { isList, isMapping, valueAt, type Value } from '../../core/model/values/value.js';
import type { VariableLevel } from '../../core/model/values/variables.js';
import { hasTemplate } from '../../language/check.js';
import { renderText } from '../../language/render.js';
import { TemplateError } from '../../language/runtime/errors.js';
import type { Gap } from '../../language/runtime/frame.js';
import { walk } from '../../language/runtime/result.js';
import { Variables } from '../../language/scope.js';
import type { Module } from '../../module/contract.js';
import { renderKnown } from './known_after_apply.js';

/** Fields that name something, wherever they are in the arguments. */
const FIELD = /(?:^|_)(?:names?|uuids?|refs?|fqdn|hostname|url)$/;

/** Further arguments that do, of every module and of actions. */
const ARGUMENTS = words('cloud kind path tenant username');
const OF_ACTIONS = words('dest dir file groups host src');

/** Actions whose arguments are texts for people, variables of any name, or groups, which Ansible makes of any text. */
const FREE = words('assert debug fail group_by pause set_fact validate_argument_spec');

/** Connection variables that say where to. Tasks set them as facts, and `add_host` for its hosts. */
const CONNECTION: ReadonlySet<string> = new Set(
  CONNECTION_VARIABLES.filter(({ type, secret }) => type === 'text' && secret !== true).map(({ name }) => name),
);

/** The value of a connection variable. Throws a TemplateError if part of a name is missing. */
export function connectionVariable(name: string, scope: Variables): Value | undefined {
  const value = scope.get(name);
  return CONNECTION.has(name) && hasGaps(scope) ? new NamingVariables(scope).get(name) : value;
}

/** Throws a TemplateError if part of a name is missing in the arguments of a task. */
export function examineArguments(
  { name, type }: Module,
  args: { readonly rendered: Value; readonly written: Value },
  scope: Variables,
  locate: Locate,
): void {
  if (!hasGaps(scope)) return;
  const isName = (path: FieldPath): boolean => {
    const first = String(path[0]);
    if (path.length === 1 && CONNECTION.has(first)) return true;
    if (FREE.has(name)) return false;
    if (name === 'add_host') return first === 'name' || first === 'groups';
    const field = path.findLast((part) => typeof part === 'string') ?? '';
    return FIELD.test(field) || ARGUMENTS.has(first) || (type === 'action' && OF_ACTIONS.has(first));
  };
  examine(args.rendered, args.written, [], { isName, scope: new NamingVariables(scope), locate });
}

/** Throws a TemplateError if part of a name is missing in a keyword, such as `delegate_to`. */
export function examineName(rendered: Value, written: Value, scope: Variables, locate: Locate): void {
  if (hasGaps(scope)) examine(rendered, written, [], { isName: () => true, scope: new NamingVariables(scope), locate });
}

/** Whether a text had a gap so far, so that names must be examined. */
function hasGaps(scope: Variables): boolean {
  return (scope.library?.gaps.count ?? 0) > 0;
}

interface Examination {
  readonly isName: (path: FieldPath) => boolean;
  readonly scope: NamingVariables;
  readonly locate: Locate;
}

function examine(rendered: Value, written: Value | undefined, path: FieldPath, examination: Examination): void {
  const { isName, scope, locate } = examination;
  if (isList(rendered) || isMapping(rendered)) {
    for (const [key, one] of Object.entries(rendered)) {
      const inside = valueAt(written, [key]) ?? scope.library?.gaps.writtenIn(rendered, key);
      examine(one, inside, [...path, isList(rendered) ? Number(key) : key], examination);
    }
  } else if (typeof rendered === 'string' && typeof written === 'string' && hasTemplate(written) && isName(path)) {
    renderKnown(written, scope, (rest) => locate([...path, ...rest]));
  }
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Levels whose empty texts are not in a file: `-e stage=`, the output of a command. */
const UNWRITTEN = new Set<VariableLevel>(['extra vars', 'vars_prompt', 'facts', 'set_fact and registered']);

/**
 * The same variables, for a text that names something. An expression inside of a text must not give nothing: `edge-{{ stage }}` would
 * name another thing. An empty text is allowed where one is written: `suffix: ''`, `default('')`.
 */
class NamingVariables extends Variables {
  constructor(private readonly variables: Variables) {
    super([], variables);
  }

  override get(name: string): Value | undefined {
    return this.#text([name], this.variables.get(name), () => super.get(name));
  }

  override reach(path: readonly string[]): Value | undefined {
    return this.#text(path, this.variables.reach(path), () => super.reach(path));
  }

  /** Renders a text again, now without gaps. Other values name nothing, and may contain texts with gaps. */
  #text(path: readonly string[], value: Value | undefined, render: () => Value | undefined): Value | undefined {
    if (typeof value !== 'string') return value;
    const [name = ''] = path;
    const key = path.at(-1) ?? '';
    const layer = this.find(name)?.layer;
    const rendered = layer?.literal === true ? value : render();
    const around = path.length > 1 ? this.variables.reach(path.slice(0, -1)) : layer?.values;
    const written = this.library?.gaps.writtenIn(around, key);
    return typeof written === 'string' ? renderText(written, this) : rendered;
  }

  override gap({ value, written, path }: Gap): void {
    if (value === '' && path !== undefined && this.#isWrittenEmpty(path)) return;
    const what = value === null ? 'null' : 'an empty text';
    const hint = `give it a value, or write {{ ${written} | default("", true) }} if the name is right without it`;
    throw new TemplateError(`part of a name is missing: {{ ${written} }} is ${what}`, { hint });
  }

  #isWrittenEmpty([name = '', ...inside]: readonly string[]): boolean {
    const found = this.find(name);
    return found !== undefined && !UNWRITTEN.has(found.layer.level) && walk(found.value, inside) === '';
  }
}
