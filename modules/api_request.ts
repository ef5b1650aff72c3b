import * as Type from 'typebox';
import { TENANT } from '../src/module/comparison/desired.js';
import { API_PATH } from '../src/module/comparison/object_arguments.js';
import { createdBy } from '../src/module/comparison/scope.js';
import {
  defineAction,
  isRead,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type RawAnswer,
  type Value,
} from '../src/module/contract.js';
import { closedObject, asTexts, textRecord } from '../src/module/schema.js';

const args = closedObject({
  path: API_PATH,
  method: Type.Enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], {
    default: 'GET',
    description: 'HTTP method.',
  }),
  query: textRecord('Query parameters, which Evenkeel encodes.'),
  body: Type.Optional(
    Type.Unsafe<Value>({
      type: ['object', 'array', 'null'],
      description: 'Sent as JSON. A string must be JSON itself (`to_json`) and is sent as that document.',
    }),
  ),
  ...TENANT,
  status_code: Type.Optional(
    Type.Union([Type.Integer(), Type.Array(Type.Integer())], {
      description:
        'Status codes of success; default: 200 to 299. With 202 among them, the task that such an answer names is not waited for.',
    }),
  ),
});

type Args = Type.Static<typeof args>;

export default defineAction({
  name: 'api_request',
  summary: 'sends one request to the controller and returns the answer',
  description:
    'Use it if no module fits. Evenkeel does not know the meaning of the request, so it cannot compare, diff or verify. GET and HEAD are `ok`; every other method is `changed`, unless `changed_when` says otherwise. After 202 to a write, it waits for the end of the task that the answer names, within `controller_patience`. The result has `status`, and `json` or `content`, and `pending`, the path of that task, if it was still running. An answer of 200 or 201 with an error in it, or with a web page, is a failure whatever `status_code` says; `failed_when` can decide otherwise.',
  args,
  examples: [
    `
- name: List the clouds
  api_request:
    path: /api/cloud/
  register: clouds

- debug:
    msg: '{{clouds.json.results | map(attribute="name") | join(", ")}}'
`,
  ],
  check: (given: Args) => isRead(given.method),
  run: async (given: Args, context: ActionContext): Promise<ActionResult> =>
    toResult(given, await context.request(toRequest(given))),
});

function toRequest({ method, path, query, body, tenant, status_code: codes }: Args) {
  return {
    method,
    path,
    accepts: codes === 202 || (Array.isArray(codes) && codes.includes(202)),
    creates: query === undefined ? createdBy(method, path, body, tenant) : undefined,
    ...(query !== undefined && { query: asTexts(query) }),
    ...(body === undefined || body === null ? {} : { body }),
  };
}

function toResult(given: Args, answer: RawAnswer): ActionResult {
  const { status, body, says = '', denied, hint, pending } = answer;
  const values: Mapping = {
    status,
    ...(typeof body === 'string' ? { content: body } : { json: body }),
    ...(pending !== undefined && { pending }),
  };
  const message = `${given.method} ${given.path} answered ${status}`;
  if (denied === true) return { status: 'failed', message: `${message} with an error: ${says}`, hint, values };
  if (!isExpected(given, status))
    return {
      status: 'failed',
      message: `${message}, ${expected(given)}${says === '' ? '' : `: ${says}`}`,
      hint,
      values,
    };
  if (isRead(given.method)) return { status: 'ok', message, values };
  const change = { kind: 'invoke', object: `${given.method} ${given.path}`, before: null, after: null } as const;
  const going =
    pending === undefined ? '' : `, and was still working on it at the end of controller_patience: ${pending}`;
  return { status: 'changed', message: message + going, values, change };
}

function isExpected({ status_code: codes }: Args, status: number): boolean {
  if (codes === undefined) return status >= 200 && status < 300;
  return typeof codes === 'number' ? codes === status : codes.includes(status);
}

function expected({ status_code: codes }: Args): string {
  if (codes === undefined) return 'not a success';
  return `not ${typeof codes === 'number' ? codes : codes.join(' or ')} as expected`;
}
