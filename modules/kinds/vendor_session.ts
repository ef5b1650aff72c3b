import type { Static } from 'typebox';
import { matches } from '../../src/module/comparison/comparison.js';
import {
  defineAction,
  isMapping,
  isRead,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type Value,
} from '../../src/module/contract.js';
import { KIND_ARGUMENTS } from './arguments.js';
import {
  answerValues,
  changedResult,
  isShown,
  isSuccess,
  rejectedResult,
  said,
  vendorConnection,
  vendorResults,
  type RequestPath,
} from './vendor_requests.js';
import { toPatch, writeDeclared } from './vendor_write.js';

type Args = Static<typeof KIND_ARGUMENTS.session>;

/** `avi_api_session`: a request like that of the vendor's module, but compared with the object where possible. */
export const apiSession = defineAction({
  name: 'avi_api_session',
  summary: "sends a request, as the vendor's collection does",
  description:
    'For playbooks of the collection `vmware.alb`: means `api_request`, with the answer in `obj`. POST and PUT of a named object write only what differs, PUT keeps undeclared fields, and PATCH is `changed` if the object differs afterwards.',
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
    const { body } = answer;
    if (!isShown(answer) || !isMapping(body)) return rejectedResult('GET /api/cluster/version', answer);
    const lower = Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
    return { status: 'ok', message: said('GET', '/api/cluster/version', answer), values: vendorResults(lower) };
  },
});

function parsePath({ path: given, params }: Args): RequestPath | undefined {
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
  const target = parsePath(given);
  if (target === undefined) return { status: 'failed', message: `"${given.path}" is not a path under /api/` };
  switch (given.http_method) {
    case 'get':
      return read(target, context);
    case 'delete':
      return remove(target, context);
    case 'patch':
      return patch(target, toPatch(given.data ?? {}), context);
    case 'post':
    case 'put':
      return writeDeclared(given.http_method, target, given.data ?? {}, context);
    default:
      return { status: 'failed', message: `http_method ${String(given.http_method)} is unknown` };
  }
}

async function read({ path, query }: RequestPath, context: ActionContext): Promise<ActionResult> {
  const answer = await context.request({ method: 'GET', path, query });
  if (!isSuccess(answer)) return rejectedResult(`GET ${path}`, answer);
  return { status: 'ok', message: said('GET', path, answer), values: answerValues(answer) };
}

async function remove({ path, query }: RequestPath, context: ActionContext): Promise<ActionResult> {
  const answer = await context.request({ method: 'DELETE', path, query });
  if (answer.status === 404)
    return { status: 'ok', message: said('DELETE', path, answer), values: answerValues({ ...answer, body: null }) };
  return isSuccess(answer) ? changedResult('DELETE', path, answer) : rejectedResult(`DELETE ${path}`, answer);
}

/** Compares the object before and after to detect a change. */
async function patch({ path, query }: RequestPath, data: Value, context: ActionContext): Promise<ActionResult> {
  const before = await context.request({ method: 'GET', path });
  const answer = await context.request({ method: 'PATCH', path, query, body: data });
  if (!isSuccess(answer)) return rejectedResult(`PATCH ${path}`, answer);
  const after = await context.request({ method: 'GET', path });
  if (!isShown(before) || !isShown(after) || !isSame(before.body, after.body))
    return changedResult('PATCH', path, answer);
  return { status: 'ok', message: said('PATCH', path, answer), values: answerValues(answer) };
}

/** Whether two versions of an object are equal, apart from the time of the last write. */
function isSame(before: Value, after: Value): boolean {
  if (!isMapping(before) || !isMapping(after)) return false;
  return matches(withoutLastModified(before), after) && matches(withoutLastModified(after), before);
}

function withoutLastModified(object: Mapping): Mapping {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== '_last_modified'));
}
