import { createdBy } from '../../src/module/comparison/scope.js';
import {
  isMapping,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type RawAnswer,
  type Value,
} from '../../src/module/contract.js';

/**
 * The connection variables that correspond to the arguments of the vendor's modules. Arguments of the task override
 * `avi_credentials`. Without a controller, the connection comes from the inventory.
 */
export function vendorConnection(args: Mapping): Mapping {
  const credentials = isMapping(args['avi_credentials']) ? args['avi_credentials'] : {};
  const given = (name: string): Value | undefined => filled(args[name]) ?? filled(credentials[name]);
  const controller = given('controller');
  const variables: Readonly<Record<string, Value | undefined>> = {
    controller_url: typeof controller === 'string' ? toUrl(controller, given('port')) : undefined,
    controller_dialect: controller === undefined ? undefined : 'avi',
    controller_auth: controller === undefined ? undefined : 'session',
    controller_username: given('username'),
    controller_password: given('password'),
    // A token of the inventory may be that of another controller, and would count before the password.
    controller_token: given('password') === undefined ? given('token') : null,
    controller_api_version: version(given('api_version')),
    controller_tenant: given('tenant'),
    controller_timeout: given('timeout'),
  };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Playbooks pass empty texts for values that are not set. */
function filled(value: Value | undefined): Value | undefined {
  return value === null || value === '' ? undefined : value;
}

/** The port follows the host, whatever else is in the text: what is not an address is refused with the connection. */
function toUrl(controller: string, port: Value | undefined): string {
  const [, scheme = 'https://', host = '', rest = ''] = /^(https?:\/\/)?([^/?#\\]*)([^]*)$/i.exec(controller) ?? [];
  const bracketed = /^[^[\]:]*:[^[\]]*:/.test(host) ? `[${host}]` : host;
  const end = port === undefined ? '' : `:${typeof port === 'string' || typeof port === 'number' ? port : ''}`;
  return `${scheme}${bracketed}${end}${rest}`;
}

/** Converts a version to text with three numbers, because YAML reads `20.1` as a number. */
function version(given: Value | undefined): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  const text = String(given);
  return /^\d+\.\d+$/.test(text) ? `${text}.0` : text;
}

/** Paths of requests may lack `/api/`, and may have a query. */
export interface RequestPath {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export async function send(
  method: 'POST' | 'PUT',
  { path, query }: RequestPath,
  body: Value,
  context: ActionContext,
): Promise<ActionResult> {
  const creates = Object.keys(query).length === 0 ? createdBy(method, path, body, undefined) : undefined;
  const answer = await context.request({ method, path, query, body, creates });
  return isSuccess(answer) ? changedResult(method, path, answer) : rejectedResult(`${method} ${path}`, answer);
}

export function changedResult(method: string, path: string, answer: RawAnswer): ActionResult {
  const change = { kind: 'invoke', object: `${method} ${path}`, before: null, after: null } as const;
  return { status: 'changed', message: said(method, path, answer), values: answerValues(answer), change };
}

export function rejectedResult(what: string, answer: RawAnswer): ActionResult {
  const { says = '', status, hint } = answer;
  const message = `${what} answered ${status}${says === '' ? '' : `: ${says}`}`;
  return { status: 'failed', message, hint, values: answerValues(answer) };
}

export function said(method: string, path: string, { status }: RawAnswer): string {
  return `${method} ${path} answered ${status}`;
}

export function answerValues({ status, body }: RawAnswer): Mapping {
  return { status, ...vendorResults(body) };
}

/**
 * What playbooks of the collection read from results. A run signs in once and keeps the session, so what they pass on to the next task
 * says only that: a token would be in registered results and journals.
 */
export function vendorResults(obj: Value, old: Value = null): Mapping {
  return { obj, old_obj: old, api_context: { session: 'kept by the run' } };
}

export function isSuccess({ status, denied }: RawAnswer): boolean {
  return denied !== true && status >= 200 && status < 300;
}

/** Whether an answer to GET shows what is there. Other successes say nothing about it: 202 means later, and 204 has no body. */
export function isShown({ status, denied }: RawAnswer): boolean {
  return denied !== true && status === 200;
}
