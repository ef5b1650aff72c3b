import type { Include, Included, Loop, Step } from '../../core/model/playbook/step.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { Mapping } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/check.js';
import { ROLE_ARGUMENTS } from '../../module/arguments/validation.js';
import { defineAction } from '../../module/contract.js';
import { closedObject } from '../../module/schema.js';
import type { Cursor } from '../document/cursor.js';
import { keywordsAt } from '../keywords/keywords.js';
import { knownText, readArguments, withRolePaths } from '../task/arguments.js';
import type { ModuleCall } from '../task/call.js';
import {
  inInclude,
  openInnerContext,
  type InnerContext,
  type PlayParts,
  type ReadContext,
  type RoleContext,
} from '../task/read_context.js';
import { applied, beginReading, checkStepKeys, findAhead, loadError } from '../task/step_call.js';
import { loadCall } from '../task/task.js';
import { readVars } from '../variables/variables_file.js';
import { asMapping, readRoleOptions, roleCall, callTexts, mapTexts, type RoleCall, type RoleOptions } from './call.js';
import { expandRole } from './expand.js';
import { findRole, partFile } from './files.js';
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
  const roles = new IncludedRoles(cursor, inside);
  const call = roleCall(cursor, 'include_role', args);
  if (call === undefined) return undefined;
  const settled = mapTexts(call, (text) => withRolePaths(text, context)) ?? call;
  if (callTexts(settled).some(hasTemplate)) context.parts.mayAddHandlers = true;
  else await roles.readAhead(settled, readRoleOptions(args), task.loop);
  // Its title does not start with a role, as in Ansible.
  return { ...task, role: undefined, type: 'include', args, read: (rendered) => roles.read(rendered) };
}

/** The roles that one include reads during a run, each once. */
class IncludedRoles {
  readonly #known = new Map<string, Promise<Included>>();

  constructor(
    private readonly cursor: Cursor,
    private readonly inside: InnerContext,
  ) {}

  /** Reports mistakes to the diagnostics of the include. A role that includes itself is read during the run. */
  async readAhead(call: RoleCall, options: RoleOptions, loop: Loop | undefined): Promise<void> {
    const { context } = this.inside;
    const role = findAhead(call.at, loop, (at) => findRole(call.name, at, context, parentsIn(context)));
    if (role === undefined || this.#isAround(role, call) || context.reader.files.isSpent()) return;
    const parts = context.parts.ofInclude();
    const included = await this.#load(role, call, options, parts);
    this.#known.set(includeIdentity(call, options), Promise.resolve(included));
    parts.handlers.push(...included.handlers);
    context.parts.expectFrom(parts);
  }

  async read(args: Mapping): Promise<Included> {
    const diagnostics = new Diagnostics();
    const call = roleCall(this.cursor.reportingTo(diagnostics), 'include_role', args);
    if (call === undefined) throw loadError(diagnostics);
    const options = readRoleOptions(args);
    const key = includeIdentity(call, options);
    return getOrAdd(this.#known, key, () => this.#readNow(call, options));
  }

  async #readNow(call: RoleCall, options: RoleOptions): Promise<Included> {
    const { context } = this.inside;
    const { diagnostics } = call.at;
    beginReading(context, call.at);
    const role = findRole(call.name, call.at, context, parentsIn(context));
    if (role === undefined) throw loadError(diagnostics);
    const included = await this.#load(role, call, options, context.parts.ofInclude());
    if (diagnostics.failed()) throw loadError(diagnostics);
    return included;
  }

  /**
   * Whether the role already surrounds the include: a dependency may include it before its files are read. Follows such
   * a cycle once.
   */
  #isAround(role: RoleContext, { named, at }: RoleCall): boolean {
    const {
      file: { chain },
      reader: { files },
      roleFolders,
    } = this.inside.context;
    if (roleFolders.filter((folder) => folder === role.path).length > 1) return true;
    const file = partFile('tasks', { role, named, at: at.reportingTo(new Diagnostics()), files });
    return file !== undefined && chain.includes(file);
  }

  async #load(role: RoleContext, call: RoleCall, options: RoleOptions, parts: PlayParts): Promise<Included> {
    const { context, inherited } = this.inside;
    const step = this.cursor.reportingTo(new Diagnostics());
    const request = stepRequest(role, call, options, step);
    const expanded = await expandRole(request, { context: inInclude(context, parts), inherited });
    const seen = options.public ? [...expanded.seen.defaults, ...expanded.seen.vars] : [];
    return {
      title: `role ${role.name}`,
      steps: expanded.steps,
      handlers: [...expanded.handlers, ...parts.handlers],
      layers: [...seen, ...parts.layers],
    };
  }
}

function includeIdentity({ name, named }: RoleCall, options: RoleOptions): string {
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
  const role = found && findRole(found.name, found.at, context, parentsIn(context));
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

/** The roles whose tasks contain the step, nearest first. */
function parentsIn({ role }: ReadContext): NonNullable<ReadContext['role']>['parents'] {
  return role === undefined ? [] : [role, ...role.parents];
}

function join({ name, handlers, seen, dependencies }: ExpandedRole, { parts }: ReadContext): void {
  parts.handlers.push(...handlers);
  parts.layers.push(...seen.defaults, ...seen.vars);
  parts.roles.push(name);
  parts.dependencies.push(...dependencies);
}
