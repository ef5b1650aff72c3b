import type { Include, Included, Step } from '../../core/model/playbook/step.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { type Mapping, isMapping } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/check.js';
import { convert } from '../../module/argument_spec/types.js';
import { ROLE_ARGUMENTS } from '../../module/arguments/validation.js';
import { defineAction } from '../../module/contract.js';
import { closedObject } from '../../module/schema.js';
import { type Cursor, describeKind } from '../document/cursor.js';
import { keywordsAt } from '../keywords/keywords.js';
import { knownText, readArguments, withRolePaths } from '../task/arguments.js';
import type { ModuleCall } from '../task/call.js';
import { openInnerContext, type InnerContext, type ReadContext, type RoleContext } from '../task/read_context.js';
import { applied, checkStepKeys, findAhead, IncludeReader, loadError, argument, wordIn } from '../task/step_call.js';
import { loadCall } from '../task/task.js';
import { readVars } from '../variables/written_variables.js';
import { expandRole } from './expand.js';
import { findRole, partFile, type FilePositions, type FilesNamed } from './files.js';
import { mappingKey, type ExpandedRole, type RoleRequest } from './request.js';

/**
 * An `include_role`: a task whose role is read when a controller reaches it. A role whose name has no templates is read
 * at once, so that its mistakes are known before the run.
 */
export async function includeRole(cursor: Cursor, around: InnerContext): Promise<Include | undefined> {
  const { context } = around;
  const before = cursor.diagnostics.list.length;
  const task = await loadCall(cursor, around, keywordsAt('include_role'));
  const inside = applied(cursor, 'include_role', around);
  if (task === undefined) return undefined;
  const args = Object.fromEntries(Object.entries(asMapping(task.args)).filter(([name]) => name !== 'apply'));
  if (Object.keys(args).length === 0 && cursor.diagnostics.list.length > before) return undefined;
  const call = roleCall(cursor, 'include_role', args);
  if (call === undefined) return undefined;
  const reader = new IncludeReader<IncludedRole>(inside.context, (named, inner) => {
    return readRole(named, cursor.reportingTo(new Diagnostics()), { ...inside, context: inner });
  });
  const read = async (given: Mapping): Promise<Included> => {
    const diagnostics = new Diagnostics();
    const called = roleCall(cursor.reportingTo(diagnostics), 'include_role', given);
    if (called === undefined) throw loadError(diagnostics);
    const options = readRoleOptions(given);
    return reader.read(includeIdentity({ call: called, options }), called.at, () => {
      const role = findRole(called.name, called.at, inside.context);
      return role && { role, call: called, options };
    });
  };
  const settled = mapTexts(call, (text) => withRolePaths(text, context)) ?? call;
  if (callTexts(settled).some(hasTemplate)) context.parts.mayAddHandlers = true;
  else {
    const { name, at } = settled;
    const role = findAhead(at, task.loop, (place) => findRole(name, place, inside.context));
    const named = role && { role, call: settled, options: readRoleOptions(args) };
    if (named !== undefined && !isAround(named, inside.context)) await reader.readAhead(includeIdentity(named), named);
  }
  // Its title does not start with a role, as in Ansible.
  return { ...task, role: undefined, type: 'include', args, read };
}

interface IncludedRole {
  readonly role: RoleContext;
  readonly call: RoleCall;
  readonly options: RoleOptions;
}

/**
 * Whether the role already surrounds the include: a dependency may include it before its files are read. Follows such
 * a cycle once.
 */
function isAround({ role, call: { named, at } }: IncludedRole, context: ReadContext): boolean {
  const { file, reader, roleFolders } = context;
  if (roleFolders.filter((folder) => folder === role.path).length > 1) return true;
  const tasks = partFile('tasks', { role, named, at: at.reportingTo(new Diagnostics()), files: reader.files });
  return tasks !== undefined && file.chain.includes(tasks);
}

async function readRole(
  { role, call, options }: IncludedRole,
  step: Cursor,
  { context, inherited }: InnerContext,
): Promise<Omit<Included, 'key'>> {
  const expanded = await expandRole(stepRequest(role, call, options, step), { context, inherited });
  const seen = options.public ? [...expanded.seen.defaults, ...expanded.seen.vars] : [];
  return {
    title: `role ${role.name}`,
    steps: expanded.steps,
    handlers: [...expanded.handlers, ...context.parts.handlers],
    layers: [...seen, ...context.parts.layers],
  };
}

function includeIdentity({ call: { name, named }, options }: Pick<IncludedRole, 'call' | 'options'>): string {
  return mappingKey({ name, named, ...options });
}

/** Only checks the arguments; nothing runs. */
const IMPORT = defineAction({
  name: 'import_role',
  summary: 'a role whose tasks are inserted here',
  args: closedObject(ROLE_ARGUMENTS),
  examples: [],
  check: true,
  run: () => Promise.resolve({ status: 'ok' }),
});

/** The steps of the role of an `import_role`; adds its handlers and variables for the whole play to `context.parts`. */
export async function importRole(cursor: Cursor, call: ModuleCall, around: InnerContext): Promise<readonly Step[]> {
  checkStepKeys(cursor, call, keywordsAt('import_role'), around.context.reader.modules);
  const inside = openInnerContext(cursor, around, 'import_role');
  const { context } = inside;
  const before = cursor.diagnostics.list.length;
  const args = asMapping(readArguments(cursor, call, IMPORT));
  if (Object.keys(args).length === 0 && cursor.diagnostics.list.length > before) return [];
  const written = roleCall(cursor, 'import_role', args);
  const advice = 'use include_role, whose role is chosen during the run';
  const found = written && mapTexts(written, (text) => knownText(text, written.at, inside, advice));
  const role = found && findRole(found.name, found.at, context);
  if (found === undefined || role === undefined) return [];
  const expanded = await expandRole(stepRequest(role, found, readRoleOptions(args), cursor), inside);
  join(expanded, context);
  return expanded.steps;
}

/** The use of a role by an include or import. */
function stepRequest(
  role: RoleContext,
  { at, name, named, positions }: RoleCall,
  { repeatable, validate }: RoleOptions,
  step: Cursor,
): RoleRequest {
  const { vars = null } = asMapping(step.value);
  const layers = readVars(step.get('vars'), 'role vars', `vars of role ${name}`);
  const given = { vars: layers, params: [], identity: { vars } };
  return { role, at, named, positions, ...given, repeatable, validate, fromStep: true };
}

function join({ name, handlers, seen, dependencies }: ExpandedRole, { parts }: ReadContext): void {
  parts.handlers.push(...handlers);
  parts.layers.push(...seen.defaults, ...seen.vars);
  parts.roles.push(name);
  parts.dependencies.push(...dependencies);
}

type RoleKeyword = 'include_role' | 'import_role';

/** The arguments of an include or import that name files of the role. */
const NAMING = {
  tasks: 'tasks_from',
  vars: 'vars_from',
  defaults: 'defaults_from',
  handlers: 'handlers_from',
} as const;

/** The role of an include or import, and its options; texts may contain templates unless they were rendered. */
export interface RoleCall {
  readonly name: string;
  readonly named: FilesNamed;
  readonly positions: FilePositions;
  /** The value with the name. */
  readonly at: Cursor;
}

/** Reports arguments without a role, and returns undefined. */
function roleCall(cursor: Cursor, word: RoleKeyword, args: Mapping): RoleCall | undefined {
  const at = argument(cursor, word, 'name') ?? argument(cursor, word, 'role') ?? wordIn(cursor, word);
  const name = args['name'] ?? args['role'] ?? null;
  if (typeof name === 'string' && name.trim() !== '')
    return { name: name.trim(), named: namedIn(args), positions: positionsIn(cursor, word), at };
  if (name === null) at.errorAtKey(`${word} needs "name": the role`);
  else if (typeof name === 'string') at.error('the name of a role is empty');
  else at.error(`the name of a role must be text, not ${describeKind(name)}`);
  return undefined;
}

function namedIn(args: Mapping): FilesNamed {
  const found = Object.entries(NAMING).flatMap(([part, key]) => {
    const file = args[key];
    return typeof file === 'string' ? [[part, file] as const] : [];
  });
  return Object.fromEntries(found);
}

function positionsIn(cursor: Cursor, word: RoleKeyword): FilePositions {
  const found = Object.entries(NAMING).flatMap(([part, key]) => {
    const at = argument(cursor, word, key);
    return at === undefined ? [] : [[part, at] as const];
  });
  return Object.fromEntries(found);
}

/** The options of an include or import of a role. */
export interface RoleOptions {
  readonly repeatable: boolean;
  readonly validate: boolean;
  readonly public: boolean;
}

export function readRoleOptions(args: Mapping): RoleOptions {
  const is = (name: string, otherwise: boolean): boolean =>
    (convert('bool', args[name] ?? otherwise) ?? otherwise) === true;
  return {
    repeatable: is('allow_duplicates', true),
    validate: is('rolespec_validate', true),
    public: is('public', false),
  };
}

/** Every text that determines which files are read. */
export function callTexts({ name, named }: RoleCall): readonly string[] {
  return [name, ...Object.values(named)];
}

/** A copy with each of these texts changed; undefined if one cannot be. */
export function mapTexts(call: RoleCall, change: (text: string) => string | undefined): RoleCall | undefined {
  const name = change(call.name);
  const named = Object.entries(call.named).map(([part, file]) => [part, change(file)] as const);
  if (name === undefined || named.some(([, file]) => file === undefined)) return undefined;
  return { ...call, name, named: Object.fromEntries(named) };
}

export function asMapping(args: unknown): Mapping {
  return isMapping(args) ? args : {};
}
