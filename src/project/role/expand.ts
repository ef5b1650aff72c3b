import path from 'node:path';
import { namesIn } from '../../core/files/paths.js';
import type { Handler, RoleRun, Step } from '../../core/model/playbook/step.js';
import type { Cursor } from '../document/cursor.js';
import { isForeignModule } from '../keywords/modules.js';
import {
  importCircle,
  readSteps,
  searchedCollections,
  type InnerContext,
  type ReadContext,
  type RoleContext,
} from '../task/read_context.js';
import { requestedRole, warnOfMistypedKeywords } from './entry.js';
import { partFile, type RoleFolder } from './files.js';
import {
  fixedNames,
  layersForDependencies,
  ownLayers,
  roleMagic,
  seenByPlay,
  seenBySteps,
  type OwnLayers,
  type SeenLayers,
} from './layers.js';
import { readMetadata, type RoleMetadata } from './metadata.js';
import { mappingKey, type ExpandedRole, type RoleRequest } from './request.js';

/**
 * Reads a role and its dependencies. `around`: the context of its name, and what it inherits; `dependents`: the roles
 * that depend on it, outermost first.
 */
export async function expandRole(
  request: RoleRequest,
  around: InnerContext,
  dependents: readonly RoleContext[] = [],
): Promise<ExpandedRole> {
  const { role, at, named, positions } = request;
  if (isTooMuch(request, around)) return { name: role.name, steps: [], handlers: [], seen: NOTHING, dependencies: [] };
  const folder: RoleFolder = { role, named, positions, at, files: around.context.reader.files };
  addOwnModules(role, at, around.context);
  await around.context.reader.library?.table.plugins?.addFolder(role.path);
  const metadata = await readMetadata(folder);
  const own = await ownLayers(request, folder);
  const chain = [...dependents, role];
  const dependencies = await expandDependencies(metadata, request, contextInside(around, own, role), chain);
  const inside = innerRoleContext(request, own, dependencies, metadata, around);
  const { fromStep, identity } = request;
  // As Ansible's, which compares sets.
  const key = mappingKey({ path: role.path, fromStep, named: request.named, ...identity }, true);
  const run: RoleRun = {
    type: 'role',
    name: role.name,
    source: at.source,
    key,
    repeatable: request.repeatable ?? metadata.allowDuplicates,
    steps: await readRoleSteps(request, own, metadata, folder, inside),
  };
  const handlers = await readRoleHandlers(key, request, folder, inside);
  const seen = dependencies.map((one) => one.seen);
  return {
    name: role.name,
    steps: [...dependencies.flatMap(({ steps }) => steps), run],
    handlers: [...new Set([...dependencies.flatMap((one) => one.handlers), ...handlers])],
    seen: seenByPlay(own, seen),
    dependencies: dependencies.flatMap((one) => [...one.dependencies, one.name]),
  };
}

const NOTHING: SeenLayers = { defaults: [], vars: [] };

/**
 * Limits the number of roles. If each role depends on the next one twice, the number doubles at each level and soon
 * exhausts the memory, even without tasks.
 */
function isTooMuch(
  { at }: RoleRequest,
  {
    context: {
      reader: { files },
    },
  }: InnerContext,
): boolean {
  const taken = files.take();
  if (taken === 'too many now') {
    const message = `roles and task files are read more than ${files.most} times`;
    at.error(message, 'each role that names another twice doubles the number');
  }
  return taken !== 'fine';
}

/** As in Ansible, dependencies are searched in the role's own collection, but not in those of its metadata. */
function contextInside({ context, inherited }: InnerContext, own: OwnLayers, role: RoleContext): InnerContext {
  const collections = searchedCollections(undefined, role.path);
  return {
    context: { ...context, role, collections, roleFolders: [role.path, ...context.roleFolders] },
    inherited: { ...inherited, layers: layersForDependencies(inherited.layers, own) },
  };
}

function innerRoleContext(
  { role }: RoleRequest,
  own: OwnLayers,
  dependencies: readonly ExpandedRole[],
  { collections }: RoleMetadata,
  { context, inherited }: InnerContext,
): InnerContext {
  const seen = dependencies.map((one) => one.seen);
  const layers = seenBySteps(inherited.layers, own, seen);
  return {
    context: {
      ...context,
      role,
      collections,
      roleFolders: [role.path, ...context.roleFolders],
      file: { ...context.file, includes: [] },
    },
    inherited: { ...inherited, layers: [...layers, roleMagic(role)] },
  };
}

async function readRoleSteps(
  request: RoleRequest,
  own: OwnLayers,
  metadata: RoleMetadata,
  folder: RoleFolder,
  inside: InnerContext,
): Promise<readonly Step[]> {
  const first = await readValidation(request, own, metadata, inside);
  const file = partFile('tasks', folder);
  if (file === undefined || isCircle(file, request, inside.context)) return first;
  return [...first, ...(await readSteps('tasks', { path: file, at: request.at }, inside))];
}

/** The task that checks the parameters; none if the role does not specify them. */
async function readValidation(
  { at, role, named, params: all, validate }: RoleRequest,
  own: OwnLayers,
  { specifications }: RoleMetadata,
  inside: InnerContext,
): Promise<readonly Step[]> {
  const code = specifications === undefined ? undefined : await import('./validation.js');
  const spec = code?.readSpecification(specifications, named.tasks ?? 'main');
  if (code === undefined || spec === undefined) {
    warnOfMistypedKeywords(all, variableNamesIn(own), at);
    return [];
  }
  const params = all.at(0);
  const given = { role, params, fixed: params === undefined ? [] : fixedNames(params), at };
  code.hideGiven(spec, given, inside);
  if (!validate) return [];
  code.checkGiven(spec, given, inside);
  return [code.validationTask(spec, given, inside)];
}

/** The variables that the role itself sets. */
function variableNamesIn({ defaults, vars }: OwnLayers): ReadonlySet<string> {
  return new Set([...defaults, ...vars].flatMap(({ values }) => Object.keys(values)));
}

function isCircle(file: string, { at }: RoleRequest, context: ReadContext): boolean {
  const circle = importCircle(file, context);
  if (circle === undefined) return false;
  at.error(`role cycle: ${circle}`, 'include_role with a condition may repeat a role');
  return true;
}

/** The handlers of a role. The play gets them only once for equal uses of the role, among the same variables of blocks. */
async function readRoleHandlers(
  role: string,
  { at, fromStep }: RoleRequest,
  folder: RoleFolder,
  inside: InnerContext,
): Promise<readonly Handler[]> {
  const { context, inherited } = inside;
  const { roleHandlers } = context.parts;
  const around = fromStep ? inherited.layers.filter(({ level }) => level === 'block vars') : [];
  const key = mappingKey({ role, around: around.map(({ values }) => values) });
  const known = roleHandlers.get(key);
  const file = known === undefined ? partFile('handlers', folder) : undefined;
  if (file === undefined) return known ?? [];
  const handlers = await readSteps('handlers', { path: file, at }, inside);
  roleHandlers.set(key, handlers);
  return handlers;
}

/**
 * The steps of a role's dependencies. `inside`: the context that they inherit from the role. `chain`: the roles that
 * depend on them, outermost first, with this role last.
 */
async function expandDependencies(
  { dependencies }: RoleMetadata,
  dependent: RoleRequest,
  inside: InnerContext,
  chain: readonly RoleContext[],
): Promise<readonly ExpandedRole[]> {
  const expanded: ExpandedRole[] = [];
  for (const cursor of dependencies) {
    const advice = 'write the name without a template';
    const found = requestedRole(cursor, inside, dependent.role.parents, advice);
    if (found === undefined) continue;
    const circle = circleWith(found.request.role, chain);
    if (circle !== undefined) {
      found.request.at.error(`dependency cycle: ${circle.join(' → ')}`, 'remove one of the dependencies');
      continue;
    }
    expanded.push(await expandRole(found.request, found.inside, chain));
  }
  return expanded;
}

function circleWith(role: RoleContext, chain: readonly RoleContext[]): readonly string[] | undefined {
  const start = chain.findIndex(({ path }) => path === role.path);
  return start < 0 ? undefined : [...chain.slice(start), role].map(({ name }) => name);
}

/** Adds the modules of a role. Its own tasks and all tasks that are loaded later can use them, as in Ansible. */
function addOwnModules(role: RoleContext, at: Cursor, { reader: { modules, files } }: ReadContext): void {
  const folder = path.join(role.path, 'modules');
  for (const { file, by } of files.sources.fileTypeAt(folder) === 'folder' ? modules.add(folder) : []) {
    const other = by === undefined ? 'a built-in module' : files.show(by);
    at.error(`${files.show(file)} has the name of ${other}`, 'give it another name');
  }
  const library = path.join(role.path, 'library');
  if (!namesIn(library).some(isForeignModule)) return;
  const message = `${files.show(library)} holds modules for Ansible, which are not read`;
  at.diagnostics.warn(message, at.source, `modules in TypeScript go into ${files.show(folder)}`);
}
