import type { Handler, RoleRun, Step } from '../../model/playbook/step.js';
import type { Inside } from '../enter.js';
import type { Inherited } from '../steps/inherited.js';
import { readHandlers, readSteps } from '../steps/read_steps.js';
import { importCircle, type RoleSite, type Site } from '../site.js';
import { expandDependencies } from './dependencies.js';
import { partFile, type RoleFolder } from './files.js';
import { keyOf } from './key.js';
import { handedToDependencies, seenByPlay, seenBySteps, type OwnLayers, type SeenLayers } from './layers.js';
import { readMetadata, type RoleMetadata } from './metadata.js';
import { addOwnModules } from './own_modules.js';
import { roleMagic } from './magic.js';
import type { ExpandedRole, RoleRequest } from './request.js';
import { warnOfSlips } from './slips.js';
import { specificationOf } from './specification.js';
import { checkGiven, validationTask } from './validation.js';
import { ownLayers } from './variables.js';

/**
 * Reads a role and what it depends on. `around`: where it is named, and what is handed to it; `dependents`: the roles that
 * depend on it, outermost first.
 */
export async function expandRole(
  request: RoleRequest,
  around: Inside,
  dependents: readonly RoleSite[] = [],
): Promise<ExpandedRole> {
  const { role, at, named, places } = request;
  if (isTooMuch(request, around)) return { name: role.name, steps: [], handlers: [], seen: NOTHING, dependencies: [] };
  const folder: RoleFolder = { role, named, places, at, files: around.site.files };
  addOwnModules(role, at, around.site);
  const metadata = await readMetadata(folder);
  const own = await ownLayers(request, folder);
  const chain = [...dependents, role];
  const dependencies = await expandDependencies(metadata, request, handedOn(around, own, role), chain, expandRole);
  const inside = insideOf(request, own, dependencies, around);
  const { fromStep, identity } = request;
  const key = keyOf({ path: role.path, fromStep, named: request.named, ...identity });
  const run: RoleRun = {
    type: 'role',
    name: role.name,
    source: at.source,
    key,
    repeatable: request.repeatable ?? metadata.allowDuplicates,
    steps: await stepsOf(request, own, metadata, folder, inside),
  };
  const handlers = await handlersOf(key, request, folder, inside);
  return {
    name: role.name,
    steps: [...dependencies.flatMap(({ steps }) => steps), run],
    handlers: [...new Set([...dependencies.flatMap((one) => one.handlers), ...handlers])],
    seen: seenByPlay(
      own,
      dependencies.map(({ seen }) => seen),
    ),
    dependencies: dependencies.flatMap((one) => [...one.dependencies, one.name]),
  };
}

const NOTHING: SeenLayers = { defaults: [], vars: [] };

/** Roles that depend on others twice, which depend on others twice, soon fill any memory, whether they have tasks or not. */
function isTooMuch({ at }: RoleRequest, { site: { files } }: Inside): boolean {
  const taken = files.take();
  if (taken === 'too many now') {
    at.error(
      `roles and files of tasks are read more than ${files.most} times`,
      'roles that name others twice, which name others twice, multiply',
    );
  }
  return taken !== 'fine';
}

function handedOn({ site, inherited }: Inside, own: OwnLayers, role: RoleSite): Inside {
  return {
    site: { ...site, role, roleFolders: [role.path, ...site.roleFolders] },
    inherited: { ...inherited, layers: handedToDependencies(inherited.layers, own) },
  };
}

function insideOf(
  { role }: RoleRequest,
  own: OwnLayers,
  dependencies: readonly ExpandedRole[],
  { site, inherited }: Inside,
): Inside {
  const layers = seenBySteps(
    inherited.layers,
    own,
    dependencies.map(({ seen }) => seen),
  );
  return {
    site: { ...site, role, roleFolders: [role.path, ...site.roleFolders], includes: [] },
    inherited: { ...inherited, layers: [...layers, roleMagic(role)] },
  };
}

async function stepsOf(
  request: RoleRequest,
  own: OwnLayers,
  metadata: RoleMetadata,
  folder: RoleFolder,
  inside: Inside,
): Promise<readonly Step[]> {
  const spec = specificationOf(metadata.specifications, request.named.tasks ?? 'main');
  if (spec === undefined) warnOfSlips(request.params, namesIn(own), request.at);
  const given = { role: request.role, params: request.params.at(0), at: request.at };
  const first = spec !== undefined && request.validate ? [validationTask(spec, given, inside)] : [];
  if (spec !== undefined && request.validate) checkGiven(spec, given, inside, request.at);
  const file = partFile('tasks', folder);
  if (file === undefined || isCircle(file, request, inside.site)) return first;
  return [...first, ...(await readSteps({ path: file, at: request.at }, inside.site, inside.inherited)).steps];
}

/** The variables that the role itself sets. */
function namesIn({ defaults, vars }: OwnLayers): ReadonlySet<string> {
  return new Set([...defaults, ...vars].flatMap(({ values }) => Object.keys(values)));
}

function isCircle(file: string, { at }: RoleRequest, site: Site): boolean {
  const circle = importCircle(file, site);
  if (circle === undefined) return false;
  at.error(`roles go in a circle: ${circle}`, 'include_role with a condition may repeat a role');
  return true;
}

/** Of two that are alike, the play has the handlers once. */
async function handlersOf(
  key: string,
  { at, handlerLayers }: RoleRequest,
  folder: RoleFolder,
  { site, inherited }: Inside,
): Promise<readonly Handler[]> {
  const { roleHandlers } = site.play;
  const known = roleHandlers.get(key);
  const file = known === undefined ? partFile('handlers', folder) : undefined;
  if (file === undefined) return known ?? [];
  const handed: Inherited = { ...inherited, layers: [...inherited.layers, ...handlerLayers] };
  const { handlers } = await readHandlers({ path: file, at }, site, handed);
  roleHandlers.set(key, handlers);
  return handlers;
}
