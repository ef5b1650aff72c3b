import type { Static } from 'typebox';
import { matches } from '../../src/module/comparison/comparison.js';
import { hiddenIn } from '../../src/module/comparison/hidden_secrets.js';
import { chooseNamesake, namedIn } from '../../src/module/comparison/namesakes.js';
import { refersByName } from '../../src/module/comparison/references.js';
import {
  defineAction,
  isMapping,
  isRead,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type RawAnswer,
  type Value,
} from '../../src/module/contract.js';
import { KIND_ARGUMENTS } from './arguments.js';
import { vendorConnection } from './vendor_connection.js';

type Args = Static<typeof KIND_ARGUMENTS.session>;

/** `avi_api_session`: a request like that of the vendor's module, but compared with the object where possible. */
export const apiSession = defineAction({
  name: 'avi_api_session',
  summary: "sends a request, as the vendor's collection does",
  description:
    'For playbooks of the collection `vmware.alb`: means `api_request`, with the answer in `obj`. POST and PUT of a named object write only what differs, PUT keeps undeclared fields, and PATCH is `changed` if the object is another afterwards.',
  args: KIND_ARGUMENTS.session,
  connection: vendorConnection,
  examples: [
    `
- name: Wait for the upgrade
  avi_api_session:
    http_method: get
    path: cluster/runtime
  register: runtime
  until: runtime.obj.cluster_state.state == 'CLUSTER_UP_NO_HA'
  retries: 60
  delay: 10
`,
  ],
  fieldsIn: 'data',
  check: (given: Args) => isRead(given.http_method.toUpperCase()),
  run: (given: Args, context: ActionContext): Promise<ActionResult> => carryOut(given, context),
});

/** `avi_api_version`: the version of a controller. */
export const apiVersion = defineAction({
  name: 'avi_api_version',
  summary: "asks for the version of a controller, as the vendor's collection does",
  description: 'For playbooks of the collection `vmware.alb`. The version is in `obj.version`.',
  args: KIND_ARGUMENTS.version,
  connection: vendorConnection,
  examples: ['\n- avi_api_version:\n  register: controller\n\n- debug:\n    msg: "{{controller.obj.version}}"\n'],
  check: true,
  run: async (_given, context): Promise<ActionResult> => {
    const answer = await context.request({ method: 'GET', path: '/api/cluster/version' });
    if (!isSuccess(answer)) return refused('GET /api/cluster/version', answer);
    const found = isMapping(answer.body) ? answer.body : {};
    const lower = Object.fromEntries(Object.entries(found).map(([name, value]) => [name.toLowerCase(), value]));
    return { status: 'ok', message: said('GET', '/api/cluster/version', answer), values: { obj: lower } };
  },
});

/** The target of a request: paths may lack `/api/`, and may have a query. */
interface Target {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

function targetOf({ path: given, params }: Args): Target | undefined {
  const [path = '', query = ''] = given.replace(/^\/?(?:api\/)?/, '').split('?');
  if (!/^[\w.~%:-]+(?:\/[\w.~%:-]+)*\/?$/.test(path) || path.split('/').some((part) => /^\.+$/.test(part)))
    return undefined;
  const entries = Object.entries(params ?? {}).map(
    ([name, value]) => [name, value === null ? '' : String(value)] as const,
  );
  return {
    path: `/api/${path}`,
    query: { ...Object.fromEntries(new URLSearchParams(query)), ...Object.fromEntries(entries) },
  };
}

async function carryOut(given: Args, context: ActionContext): Promise<ActionResult> {
  const target = targetOf(given);
  if (target === undefined) return { status: 'failed', message: `"${given.path}" is not a path under /api/` };
  switch (given.http_method) {
    case 'get':
      return read(target, context);
    case 'delete':
      return remove(target, context);
    case 'patch':
      return patch(target, given.data ?? {}, context);
    case 'post':
    case 'put':
      return write(given.http_method, target, given.data ?? {}, context);
    default:
      return { status: 'failed', message: `http_method ${String(given.http_method)} is unknown` };
  }
}

async function read({ path, query }: Target, context: ActionContext): Promise<ActionResult> {
  const answer = await context.request({ method: 'GET', path, query });
  if (!isSuccess(answer)) return refused(`GET ${path}`, answer);
  return { status: 'ok', message: said('GET', path, answer), values: valuesOf(answer) };
}

async function remove({ path, query }: Target, context: ActionContext): Promise<ActionResult> {
  const answer = await context.request({ method: 'DELETE', path, query });
  if (answer.status === 404)
    return { status: 'ok', message: said('DELETE', path, answer), values: { status: 404, obj: null } };
  return isSuccess(answer) ? changed('DELETE', path, answer) : refused(`DELETE ${path}`, answer);
}

/** Compares the object before and after to detect a change. */
async function patch({ path, query }: Target, data: Value, context: ActionContext): Promise<ActionResult> {
  const before = await context.request({ method: 'GET', path });
  const answer = await context.request({ method: 'PATCH', path, query, body: data });
  if (!isSuccess(answer)) return refused(`PATCH ${path}`, answer);
  const after = await context.request({ method: 'GET', path });
  if (!isSuccess(before) || !isSuccess(after) || !isSame(before.body, after.body))
    return changed('PATCH', path, answer);
  return { status: 'ok', message: said('PATCH', path, answer), values: valuesOf(answer) };
}

/** Whether two versions of an object are equal, apart from the time of the last write. */
function isSame(before: Value, after: Value): boolean {
  return isMapping(before) && isMapping(after) && matches(untimed(before), after) && matches(untimed(after), before);
}

function untimed(object: Mapping): Mapping {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== '_last_modified'));
}

/**
 * POST of an existing object becomes a PUT, and PUT of a missing object becomes a POST. Neither is sent if the object
 * is as declared.
 */
async function write(
  method: 'post' | 'put',
  target: Target,
  data: Value,
  context: ActionContext,
): Promise<ActionResult> {
  const { path, query } = target;
  const name = isMapping(data) ? data['name'] : undefined;
  const isCollection =
    isMapping(data) && typeof name === 'string' && path.split('/').filter(Boolean).length === 2 && !SINGLE.test(path);
  if (method === 'post' && !isCollection) return send('POST', target, data, context);
  const found = await context.request({ method: 'GET', path, query: isCollection ? { ...query, name } : query });
  if (found.status === 404 && !isCollection) return send('POST', target, data, context);
  if (!isSuccess(found)) return refused(`GET ${path}`, found);
  const existing = isCollection
    ? await namesakeOf({ name, data }, target, found.body, context)
    : { sent: found.body, shown: found.body };
  if (existing === undefined) return send('POST', target, data, context);
  if (typeof existing === 'string') return { status: 'failed', message: `${path}: ${existing}` };
  const { sent, shown } = existing;
  if (!isMapping(sent) || !isMapping(data)) return send('PUT', target, data, context);
  if (matches(data, shown))
    return { status: 'ok', message: `${path} is as declared`, values: { status: 200, obj: sent } };
  const uuid = sent['uuid'];
  const own =
    isCollection && typeof uuid === 'string' ? `${path.replace(/\/$/, '')}/${encodeURIComponent(uuid)}` : path;
  const keepsSecrets = hiddenIn(data).length === 0;
  return send('PUT', { path: own, query }, { ...sent, ...data }, context, keepsSecrets);
}

/** Kinds that exist once per controller although their object has a name. */
const SINGLE = /^\/api\/(?:cluster|systemconfiguration|useraccount)\/?$/;

/** An object as it can be sent back, and as it is compared, with the names of objects that it refers to if data name some. */
interface Existing {
  readonly sent: Value;
  readonly shown: Value;
}

/**
 * The existing object that the data of a request to a collection mean. Undefined if there is none; a message if there
 * are several.
 */
async function namesakeOf(
  { name, data }: { readonly name: string; readonly data: Mapping },
  { path, query }: Target,
  body: Value,
  context: ActionContext,
): Promise<Existing | string | undefined> {
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

async function send(
  method: 'POST' | 'PUT',
  { path, query }: Target,
  body: Value,
  context: ActionContext,
  keepsSecrets = false,
): Promise<ActionResult> {
  const answer = await context.request({ method, path, query, body, keepsSecrets });
  return isSuccess(answer) ? changed(method, path, answer) : refused(`${method} ${path}`, answer);
}

function changed(method: string, path: string, answer: RawAnswer): ActionResult {
  const change = { kind: 'invoke', object: `${method} ${path}`, before: null, after: null } as const;
  return { status: 'changed', message: said(method, path, answer), values: valuesOf(answer), change };
}

function refused(what: string, answer: RawAnswer): ActionResult {
  const { says = '', status } = answer;
  const message = `${what} answered ${status}${says === '' ? '' : `: ${says}`}`;
  return { status: 'failed', message, values: valuesOf(answer) };
}

function said(method: string, path: string, { status }: RawAnswer): string {
  return `${method} ${path} answered ${status}`;
}

function valuesOf({ status, body }: RawAnswer): Mapping {
  return { status, obj: body };
}

function isSuccess({ status }: RawAnswer): boolean {
  return status >= 200 && status < 300;
}
