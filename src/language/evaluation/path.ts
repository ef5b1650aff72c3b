import { orElse } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { Value } from '../../core/model/values/value.js';
import { TemplateError } from '../runtime/errors.js';
import type { Evaluate, EvaluationScope, NamesOfBlock, TemplateFrame, ValueBlock } from '../runtime/frame.js';
import { describe, listKeys, OMIT, step, Undefined, walk, type Result } from '../runtime/result.js';
import type { PathExpression } from '../syntax/expressions/nodes.js';

/**
 * The value at a path; `otherwise` is evaluated if no variable has the plain name.
 *
 * @param isFilter whether a filter has the name, too: `length ["a"]` is an index of a variable
 */
export function evaluatePath(path: PathExpression, otherwise: Evaluate | undefined, isFilter: boolean): Evaluate {
  const fallback = path.parts.length === 1 && !path.own && !path.data ? otherwise : undefined;
  return (frame) => {
    const value = find(path, frame);
    if (value !== undefined) return value;
    if (path.original === 'omit') return OMIT.use();
    // As in Ansible. Applies only to templates: a connection must not use a name as an address.
    if (path.original === 'ansible_host') return frame.scope.get('inventory_hostname') ?? missing(path, frame);
    return fallback ? fallback(frame) : missing(path, frame, isFilter);
  };
}

/** A variable is undefined, too, if its template uses an undefined variable: as in Ansible, `default` then applies. */
function find(path: PathExpression, frame: TemplateFrame): Result | undefined {
  try {
    return frame.block === undefined ? fromScope(path, frame.scope) : fromBlock(path, frame);
  } catch (error) {
    if (error instanceof TemplateError && error.undefinedName !== undefined) return new Undefined(() => error);
    throw error;
  }
}

function fromScope(path: PathExpression, scope: EvaluationScope): Value | undefined {
  const { parts } = path;
  if (path.data) return parts[0] === 'root' && parts.length > 1 ? reach(scope, parts.slice(1)) : undefined;
  return parts.length === 0 ? undefined : reach(scope, parts);
}

/** Walks into a variable, rendering only what the path touches if the scope can do that. */
function reach(scope: EvaluationScope, parts: readonly string[]): Value | undefined {
  const [name, ...inside] = parts;
  if (name === undefined) return undefined;
  if (inside.length === 0) return scope.get(name);
  if (scope.reach) return scope.reach(parts);
  const start = scope.get(name);
  return start === undefined ? undefined : walk(start, inside);
}

function fromBlock(path: PathExpression, { scope, block }: TemplateFrame): Result | undefined {
  if (path.data) return path.parts[0] === 'root' ? fromScope(path, scope) : fromData(path, block);
  if (path.depth === 0 && !path.own) {
    const found = fromParams(path.parts, block);
    if (found !== undefined) return found;
  }
  const target = outward(block, path.depth);
  return target === undefined ? fromScope(path, scope) : walk(target.value, path.parts);
}

/** The block whose value contains the names, `depth` blocks further out. */
function outward(block: NamesOfBlock | undefined, depth: number): ValueBlock | undefined {
  let target = nearestValue(block);
  for (let level = 0; level < depth; level += 1) target = nearestValue(target?.outer);
  return target;
}

function nearestValue(block: NamesOfBlock | undefined): ValueBlock | undefined {
  let one = block;
  while (one?.type === 'names') one = one.outer;
  return one;
}

function fromParams(parts: readonly string[], block: NamesOfBlock | undefined): Result | undefined {
  const [name = '', ...inside] = parts;
  for (let one = block; one !== undefined; one = one.outer) {
    const value = one.type === 'names' ? one.names.get(name) : one.params.get(name);
    if (value instanceof Undefined) return value;
    if (value !== undefined) return walk(value, inside);
  }
  return undefined;
}

/** `@index` of the nearest loop, `@../index` of the one around it. */
function fromData(path: PathExpression, block: NamesOfBlock | undefined): Value | undefined {
  const [name = '', ...inside] = path.parts;
  let skip = path.depth;
  for (let one = block; one !== undefined; one = one.outer) {
    const value = one.type === 'value' ? one.data.get(name) : undefined;
    if (value === undefined) continue;
    if (skip === 0) return walk(value, inside);
    skip -= 1;
  }
  return undefined;
}

function missing(path: PathExpression, frame: TemplateFrame, isFilter = false): Result {
  return new Undefined(() => explain(path, frame, isFilter));
}

function explain(path: PathExpression, frame: TemplateFrame, isFilter: boolean): TemplateError {
  const undefinedName = path.original;
  if (path.data) {
    const hint = '@index, @key, @first and @last belong inside {{#each}}';
    return new TemplateError(`"${path.original}" has no value here`, { undefinedName, hint });
  }
  if (path.parts.length === 0) {
    const hint = '"this" belongs inside {{#each}} or {{#with}}';
    return new TemplateError(`"${path.original}" has no value here`, { undefinedName, hint });
  }
  const [name = '', ...inside] = path.parts;
  const start = path.depth === 0 && !path.own ? fromParams([name], frame.block) : undefined;
  if (start !== undefined && !(start instanceof Undefined)) return explainStep(name, start, inside, path.original);
  const inBlock = outward(frame.block, path.depth) !== undefined;
  return inBlock ? explainInBlock(path, frame) : explainInScope(path, frame, isFilter);
}

/** Variables that Ansible sets, but a run does not, or not everywhere. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ansible_collection_name: 'roles belong to no collection: role_name is the name of the role',
    ansible_date_time: 'now() is the time: {{ now(fmt="%Y-%m-%d") }}',
    ansible_env: 'lookup("env", "NAME") reads a variable of the environment',
    ansible_failed_result: 'only a task after a failure that a "rescue" handled has it',
    ansible_failed_task: 'only a task after a failure that a "rescue" handled has it',
    ansible_loop: 'only a task with "loop_control: { extended: true }" has it',
    ansible_parent_role_names: 'only a role that another role includes has it',
    ansible_parent_role_paths: 'only a role that another role includes has it',
    ansible_role_name: 'only the tasks of a role have it',
    role_name: 'only the tasks of a role have it',
    role_path: 'only the tasks of a role have it',
  }),
);

/** Other names of Ansible's are facts, but for what the inventory sets. */
function isFact(name: string): boolean {
  return /^ansible_(?!become|connection|host$|httpapi|network|password|port|ssh|timeout|user$)/.test(name);
}

const NO_FACTS = 'a run gathers no facts: ask the controller with api_request or resource_facts, and "register"';

/** Names the first piece that is missing, and what exists there instead. */
function explainInScope(path: PathExpression, { scope, block }: TemplateFrame, isFilter: boolean): TemplateError {
  const { parts, original } = path;
  const [name = ''] = parts;
  // A variable that cannot be rendered must not hide the message about another.
  const start = orElse(undefined, () => scope.get(name));
  if (start === undefined) {
    const asFunction = isFilter ? `for the function, write its arguments in parentheses: ${name}(…)` : undefined;
    const known = [...namesIn(block), ...scope.names()];
    const hint = ELSEWHERE.get(name) ?? didYouMean(name, known) ?? (isFact(name) ? NO_FACTS : asFunction);
    return new TemplateError(`variable "${name}" is not defined`, { undefinedName: original, hint });
  }
  return explainStep(name, start, parts.slice(1), original);
}

/** The names that statements have bound. */
function namesIn(block: NamesOfBlock | undefined): readonly string[] {
  if (block === undefined) return [];
  return [...(block.type === 'names' ? block.names.keys() : []), ...namesIn(block.outer)];
}

function explainInBlock({ parts, original, depth }: PathExpression, { scope, block }: TemplateFrame): TemplateError {
  const [name = ''] = parts;
  const value = outward(block, depth)?.value ?? null;
  const first = step(value, name);
  if (first !== undefined) return explainStep(name, first, parts.slice(1), original);
  const outside = orElse(undefined, () => scope.get(name)) !== undefined;
  const hint = outside
    ? `inside a block names are looked up in its value: write @root.${original} for the variable`
    : didYouMean(name, listKeys(value));
  const problem = `"${original}" is not defined in this block's value, which is ${describe(value)}`;
  return new TemplateError(problem, { undefinedName: original, hint });
}

function explainStep(start: string, value: Value, parts: readonly string[], original: string): TemplateError {
  let current = value;
  let walked = start;
  for (const part of parts) {
    const next = step(current, part);
    if (next === undefined) {
      const fact = walked === 'ansible_facts' ? (ELSEWHERE.get(`ansible_${part}`) ?? NO_FACTS) : undefined;
      const hint = didYouMean(part, listKeys(current)) ?? fact;
      const problem = `"${walked}" has no "${part}": it is ${describeKeys(current)}`;
      return new TemplateError(problem, { undefinedName: original, hint });
    }
    current = next;
    walked += `.${part}`;
  }
  return new TemplateError(`"${original}" is not defined`, { undefinedName: original });
}

function describeKeys(value: Value): string {
  const keys = listKeys(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (keys.length === 0) return describe(value);
  return `a mapping with ${keys.slice(0, 8).join(', ')}${keys.length > 8 ? ', …' : ''}`;
}
