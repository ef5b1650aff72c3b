import {
  directReference,
  expectedReference,
  shownName,
  type NamedReference,
  type ReferenceLookup,
} from '../../core/model/run/reference.js';
import type { Change } from '../../core/model/run/result.js';
import type { ControllerSession } from '../../core/model/run/session.js';
import { pathText } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { encodedPart } from '../../core/model/values/uri.js';
import { hasLater, entry, isMapping, leavesIn, valueAt } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import { listsWithoutAdditions } from '../../module/comparison/list_keys.js';
import {
  declaredReferences,
  refersByName,
  targetKey,
  withNames,
  withReferencesIn,
  type DeclaredReference,
} from '../../module/comparison/scope.js';
import type { Plan } from '../../module/contract.js';
import { TaskProblem } from '../keywords/failed_result.js';
import type { Observation } from './observation.js';

/** A task whose arguments refer to objects by name. */
interface Referring {
  readonly args: unknown;
  readonly session: ControllerSession;
  readonly check: boolean;
  readonly onlyCompares?: boolean | undefined;
}

/** The resolved references of a task. */
export interface Meaning {
  /** The arguments with paths in place of names. */
  readonly args: Mapping;
  /** Names of objects that the run knows. */
  readonly nameOf: ReferenceLookup['knownName'];
}

/**
 * Looks up the objects that the arguments refer to by name. Undefined if nothing needs a lookup: nothing would be written, no
 * argument refers by name, or the dialect accepts references as they are written.
 *
 * @throws TaskProblem if a name matches no object, or several
 */
export async function resolveMeaning(
  task: Referring,
  plan: Plan,
  observation: Observation,
): Promise<Meaning | undefined> {
  if (!isMapping(task.args)) return undefined;
  // The paths of keys are not references.
  const { merge, ...args } = task.args;
  const writes = plan.change.kind === 'create' || plan.change.kind === 'update';
  // Whether an element is there is only known once its references are resolved.
  const takesAway = plan.takesAway === true;
  const sought = soughtIn(args, isMapping(merge) ? merge : {});
  if (!(writes || takesAway ? refersByName(args) : sought.some(({ list, field }) => refersByName(list, field))))
    return undefined;
  const isSought = ({ path }: DeclaredReference): boolean =>
    sought.some((one) => one.path.every((name, at) => path[at] === name));
  const lookup = await task.session.references({ asExpected: task.check, onlyCompares: task.onlyCompares });
  if (lookup === undefined) return undefined;
  const declared = declaredReferences(args);
  const cloud = declaredCloud(args, observation.last);
  const targets = new Map<string, string>();
  for (const one of declared) {
    const key = targetKey(one.field, one.text);
    const mayLack = takesAway || isSought(one);
    if (!targets.has(key) || !isSought(one))
      targets.set(key, await resolveTarget(one, { task, lookup, cloud, object: observation.path, mayLack }));
  }
  // A module without that argument would treat it as a field.
  const whole = merge === undefined ? {} : { merge };
  return { args: { ...withReferencesIn(args, targets), ...whole }, nameOf: (...object) => lookup.knownName(...object) };
}

interface Sought {
  readonly path: readonly string[];
  readonly field: string;
  readonly list: Value;
}

/** The lists whose elements are only removed or changed: an object that does not exist is in none of them. */
function soughtIn(args: Mapping, merge: Mapping): readonly Sought[] {
  const outer = isMapping(args['properties'] ?? null) ? ['properties'] : [];
  const changed = listsWithoutAdditions(merge).map((field) => [...outer, ...field.split('.')]);
  return [['without'], ...changed].flatMap((path): readonly Sought[] => {
    const list = valueAt(args, path);
    return list === undefined ? [] : [{ path, field: path.at(-1) ?? '', list }];
  });
}

/**
 * In a check, also the names of objects that the controller has in the place of the declared ones, such as those of
 * other tenants: no lookup of the task has read them.
 */
export async function withShownNames(
  task: Referring,
  change: Change,
  meaning: Meaning | undefined,
  { path, last }: Observation,
): Promise<Meaning | undefined> {
  if (!task.check || change.kind !== 'update' || change.before === null || last === null) return meaning;
  const { before, after } = change;
  const differing = Object.fromEntries(Object.entries(before).filter(([field, value]) => after[field] !== value));
  const known = (...object: readonly [string, string]): string | undefined => meaning?.nameOf(...object);
  const unnamed: string[] = [];
  withNames(differing, (...object) => {
    if (known(...object) === undefined) unnamed.push(object.join(''));
    return undefined;
  });
  if (unnamed.length === 0 || !isMapping(task.args) || (await task.session.references()) === undefined) return meaning;
  const name = last['name'];
  const query = typeof name === 'string' && path.endsWith('/') ? { query: { name } } : {};
  const { objects } = await task.session.list(path, { ...query, paged: false });
  const names = new Map<string, string>();
  for (const [ref] of leavesIn(objects)) {
    const direct = typeof ref === 'string' ? directReference(ref) : undefined;
    const shown = typeof ref === 'string' ? shownName(ref) : undefined;
    if (direct !== undefined && shown !== undefined) names.set(direct.collection + direct.uuid, shown);
  }
  return { args: meaning?.args ?? task.args, nameOf: (...object) => known(...object) ?? names.get(object.join('')) };
}

/** The change for users: references with the names of their objects. */
export function withReadableNames(change: Change, meaning: Meaning | undefined): Change {
  if (meaning === undefined) return change;
  if (change.kind === 'none' || change.kind === 'delete' || change.kind === 'invoke') return change;
  const after = withNames(change.after, meaning.nameOf);
  if (change.kind === 'create') return { ...change, after };
  return { ...change, before: change.before && withNames(change.before, meaning.nameOf), after };
}

interface Looking {
  readonly task: Referring;
  readonly lookup: ReferenceLookup;
  /** The cloud of the object, as declared or shown. */
  readonly cloud: string | undefined;
  /** The path of the object, or of its collection. */
  readonly object: string;
  /** Whether the object need not exist. */
  readonly mayLack: boolean;
}

async function resolveTarget(
  { text, field, path, named: given }: DeclaredReference,
  { task, lookup, cloud, object, mayLack }: Looking,
): Promise<string> {
  if (hasLater(text)) return text;
  const named: NamedReference = given ?? { collection: await lookup.findCollection(field, object), name: text };
  const { collection, name } = named;
  const resolved = await lookup.resolve({ ...named, cloud: named.cloud ?? cloud });
  const refuse = (what: string, hint: string | undefined): never => {
    throw new TaskProblem(`${pathText(path)} ${what}; nothing was written`, undefined, hint);
  };
  const said = `refers to the ${collection.split('/').at(-2) ?? ''} "${name}", and the controller has`;
  switch (resolved.type) {
    case 'found':
      return resolved.path;
    case 'expected':
      return task.check ? expectedReference(named) : refuse(said + noneIn(named), undefined);
    case 'missing':
      return mayLack ? text : refuse(said + noneIn(named), didYouMean(name, resolved.known));
    case 'no cloud': {
      const { count, known } = resolved;
      const { cloud: wanted = '' } = named;
      return refuse(
        `names the cloud "${wanted}", and the controller has ${count === 0 ? 'none' : count} of that name`,
        count === 0 ? didYouMean(wanted, known) : 'name the cloud by its path: cloud=/api/cloud/UUID',
      );
    }
    case 'ambiguous':
      return refuse(
        `${said} ${resolved.count} of that name: ${resolved.objects}`,
        `name the cloud: ${collection.slice(0, -1)}?name=${encodedPart(name)}&cloud=…, or declare the cloud_ref of the object`,
      );
  }
}

function noneIn({ cloud, isCloudNamed }: NamedReference): string {
  return ` none of that name${isCloudNamed === true && cloud !== undefined ? ` in the cloud "${cloud}"` : ''}`;
}

/** The declared cloud, beside the other fields or in `properties`; else the one that the controller shows, or that a new object gets. */
function declaredCloud(args: Mapping, object: Mapping | null): string | undefined {
  for (const place of [args, entry(args, 'properties'), object, entry(args, 'match')]) {
    const cloud = place != null && isMapping(place) ? entry(place, 'cloud_ref') : undefined;
    if (typeof cloud !== 'string' || cloud === '') continue;
    const query = cloud.slice(cloud.indexOf('?') + 1).split('#', 1)[0];
    return /[?&]name=([^&#]*)/.exec(cloud) === null ? cloud : (new URLSearchParams(query).get('name') ?? cloud);
  }
  return undefined;
}
