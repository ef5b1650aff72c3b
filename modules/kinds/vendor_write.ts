import { builtInKinds, type Structure } from '../../src/kinds/kind_table.js';
import { chooseNamesake, namedIn } from '../../src/module/comparison/object_arguments.js';
import { refersByName, withoutNames } from '../../src/module/comparison/scope.js';
import {
  encodedPart,
  isMapping,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type Plan,
  type Value,
} from '../../src/module/contract.js';
import { planUpdate, withoutServerFields } from '../../src/module/planning.js';
import {
  answerValues,
  changedResult,
  isShown,
  isSuccess,
  rejectedResult,
  send,
  type RequestPath,
} from './vendor_requests.js';

/** How often an object that others change meanwhile is read and planned, the first time included. */
const ROUNDS = 3;

/**
 * POST of an existing object becomes a PUT, and PUT of a missing object becomes a POST. Neither is sent if the object
 * is as declared.
 */
export async function writeDeclared(
  method: 'post' | 'put',
  target: RequestPath,
  data: Value,
  context: ActionContext,
): Promise<ActionResult> {
  const { path, query } = target;
  if (!isMapping(data)) return send(method === 'post' ? 'POST' : 'PUT', target, data, context);
  const { name } = data;
  const isMember = typeof name === 'string' && path.split('/').filter(Boolean).length === 2 && !SINGLE.test(path);
  if (method === 'post' && !isMember) return send('POST', target, data, context);
  // Whether a request without an answer may have made the change.
  let isUnconfirmed = false;
  for (let round = 1; ; round += 1) {
    const existing = await (isMember
      ? findNamesake({ name, data }, target, context)
      : readObject(data, target, context));
    // Of a new object, a controller may take the uuid.
    if (existing === undefined) return send('POST', target, withoutServerFields(data, ['uuid']), context);
    if ('status' in existing) return existing;
    const sent = withoutNames(existing.shown);
    const { change, keeping, warnings, refusal } = planReplacement(existing, path, data);
    if (change.kind !== 'update') {
      const answer = { status: 200, body: sent };
      if (isUnconfirmed) return changedResult('PUT', path, answer);
      return { status: 'ok', message: `${path} is as declared`, values: answerValues(answer) };
    }
    if (refusal !== undefined) return failed(refusal);
    if (round === 1) for (const warning of keeping?.warnings ?? warnings ?? []) context.warn(warning);
    const own =
      isMember && typeof sent['uuid'] === 'string' ? `${path.replace(/\/$/, '')}/${encodedPart(sent['uuid'])}` : path;
    const body = withoutNames(keeping?.after ?? change.after);
    const answer = await context.request({ method: 'PUT', path: own, query, body, looked: true, keepsSecrets: true });
    if (isSuccess(answer)) return changedResult('PUT', own, answer);
    if (answer.status !== 412 || round === ROUNDS) return rejectedResult(`PUT ${own}`, answer);
    isUnconfirmed ||= answer.uncertain === true;
  }
}

/** An existing object. If the data refer to objects by name, so does it: elements of lists are matched by their references, too. */
interface ExistingObject {
  readonly shown: Mapping;
}

function planReplacement({ shown }: ExistingObject, path: string, fields: Mapping): Plan {
  const structure = (): Structure | undefined => builtInKinds().kindAtPath(path)?.structure;
  return planUpdate({ object: path, path, fields, replace: false, secrets: 'on_create', structure } as const, shown);
}

/** Undefined if there is none. Fails if the answer does not show it, because a PUT would drop what is not shown. */
async function readObject(
  data: Mapping,
  { path, query }: RequestPath,
  context: ActionContext,
): Promise<ExistingObject | ActionResult | undefined> {
  const answer = await context.request({ method: 'GET', path, query, exact: true });
  if (answer.status === 404) return undefined;
  if (!isShown(answer)) return rejectedResult(`GET ${path}`, answer);
  const { body } = answer;
  if (!isMapping(body) || body['results'] !== undefined)
    return failed(`GET ${path} answered 200, but not with an object`);
  if (!refersByName(data)) return { shown: body };
  // Only this read shows the names of the objects that it refers to.
  const { objects } = await context.list(path, { query, paged: false, exact: true });
  return { shown: objects[0] ?? body };
}

/** `{add, replace, delete}`, each with fields of the object. */
export function toPatch(data: Value): Value {
  if (!isMapping(data)) return data;
  const operations = Object.entries(withoutServerFields(data));
  return Object.fromEntries(
    operations.map(([name, fields]) => [name, isMapping(fields) ? withoutServerFields(fields) : fields]),
  );
}

/** Kinds that exist once per controller although their object has a name. */
const SINGLE = /^\/api\/(?:cluster|systemconfiguration|useraccount)\/?$/;

/** The object that the data of a request to a collection mean. Undefined if there is none. Fails if there are several. */
async function findNamesake(
  { name, data }: { readonly name: string; readonly data: Mapping },
  { path, query: given }: RequestPath,
  context: ActionContext,
): Promise<ExistingObject | ActionResult | undefined> {
  const query = { ...given, name };
  const answer = await context.request({ method: 'GET', path, query, exact: true });
  if (!isShown(answer)) return rejectedResult(`GET ${path}`, answer);
  const { body } = answer;
  const namesakes = namedIn(body, name);
  if (namesakes === undefined) return failed(`GET ${path} answered 200, but not with a list`);
  const [first, ...others] = namesakes;
  const match = Object.fromEntries(SCOPE.flatMap((field) => (data[field] == null ? [] : [[field, data[field]]])));
  const isOnly = others.length === 0 && isMapping(body) && typeof body['next'] !== 'string';
  if (first !== undefined && isOnly && Object.keys(match).length === 0 && !refersByName(data)) return { shown: first };
  // Only this list shows the names of clouds, tenants and other objects, and only it proves that an object does not exist.
  const { objects } = await context.list(path, { query, paged: true, exact: true });
  const named = objects.filter((object) => object['name'] === name);
  const chosen = chooseNamesake(named, name, match);
  if (chosen.type === 'several')
    return failed(`${path}: ${chosen.message}; give the cloud_ref or uuid of one of them in "data"`);
  if (chosen.type === 'none')
    return data['uuid'] == null || named.length === 0
      ? undefined
      : failed(`${path}: an object named "${name}" exists, but not with the uuid in "data"; leave the uuid out`);
  return { shown: chosen.object };
}

/** Fields that distinguish objects with the same name. */
const SCOPE = ['uuid', 'cloud_ref', 'tenant_ref'];

function failed(message: string): ActionResult {
  return { status: 'failed', message };
}
