import { builtInKinds, type Structure } from '../../src/kinds/kind_table.js';
import { hiddenIn, matches, withNullsAsShown } from '../../src/module/comparison/comparison.js';
import { refersByName } from '../../src/module/comparison/scope.js';
import { chooseNamesake, namedIn } from '../../src/module/comparison/target.js';
import {
  encodedPart,
  isMapping,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type Value,
} from '../../src/module/contract.js';
import { withoutServerFields } from '../../src/module/planning.js';
import { answerValues, isSuccess, rejectedResult, send, type RequestTarget } from './vendor_requests.js';

/**
 * POST of an existing object becomes a PUT, and PUT of a missing object becomes a POST. Neither is sent if the object
 * is as declared.
 */
export async function writeDeclared(
  method: 'post' | 'put',
  target: RequestTarget,
  data: Value,
  context: ActionContext,
): Promise<ActionResult> {
  const { path, query } = target;
  const name = isMapping(data) ? data['name'] : undefined;
  const isCollection =
    isMapping(data) && typeof name === 'string' && path.split('/').filter(Boolean).length === 2 && !SINGLE.test(path);
  if (method === 'post' && !isCollection) return send('POST', target, data, context);
  // Of a new object, a controller may take the uuid.
  const created = isMapping(data) ? withoutServerFields(data, ['uuid']) : data;
  const found = await context.request({ method: 'GET', path, query: isCollection ? { ...query, name } : query });
  if (found.status === 404 && !isCollection) return send('POST', target, created, context);
  if (!isSuccess(found)) return rejectedResult(`GET ${path}`, found);
  const existing = isCollection
    ? await findNamesake({ name, data }, target, found.body, context)
    : { sent: found.body, shown: found.body };
  if (existing === undefined) return send('POST', target, created, context);
  if (typeof existing === 'string') return { status: 'failed', message: `${path}: ${existing}` };
  const { sent, shown } = existing;
  if (!isMapping(sent) || !isMapping(shown) || !isMapping(data)) return send('PUT', target, data, context);
  const structure = (): Structure | undefined => builtInKinds().kindAtPath(path)?.structure;
  const declared = withNullsAsShown(withoutServerFields(data), shown, structure);
  if (matches(declared, shown))
    return { status: 'ok', message: `${path} is as declared`, values: answerValues({ status: 200, body: sent }) };
  const uuid = sent['uuid'];
  const own = isCollection && typeof uuid === 'string' ? `${path.replace(/\/$/, '')}/${encodedPart(uuid)}` : path;
  const keepsSecrets = hiddenIn(data).length === 0;
  return send('PUT', { path: own, query }, { ...sent, ...declared }, context, keepsSecrets);
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

/**
 * The existing object that the data of a request to a collection mean: as it can be sent back, and as it is compared, with the names of
 * objects that it refers to if data name some. Undefined if there is none; a message if there are several.
 */
async function findNamesake(
  { name, data }: { readonly name: string; readonly data: Mapping },
  { path, query }: RequestTarget,
  body: Value,
  context: ActionContext,
) {
  const namesakes = namedIn(body, name) ?? [];
  const [first, ...others] = namesakes;
  const match = Object.fromEntries(SCOPE.flatMap((field) => (data[field] == null ? [] : [[field, data[field]]])));
  if (first === undefined) return undefined;
  if (others.length === 0 && Object.keys(match).length === 0 && !refersByName(data))
    return { sent: first, shown: first };
  // Only this list shows the names of clouds, tenants and other objects.
  const { objects } = await context.list(path, { query: { ...query, name }, paged: true });
  const chosen = chooseNamesake(
    objects.filter((object) => object['name'] === name),
    name,
    match,
  );
  if (chosen.type === 'several') return `${chosen.message}; give the cloud_ref or uuid of one of them in "data"`;
  if (chosen.type === 'none')
    return data['uuid'] == null
      ? undefined
      : `an object named "${name}" exists, but not with the uuid in "data"; leave the uuid out`;
  const { object: shown } = chosen;
  return { sent: namesakes.find((object) => object['uuid'] === shown['uuid']) ?? shown, shown };
}

/** Fields that distinguish objects with the same name. */
const SCOPE = ['uuid', 'cloud_ref', 'tenant_ref'];
