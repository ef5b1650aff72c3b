import { createdBy } from '../../src/module/comparison/scope.js';
import type { ActionContext, ActionResult, Mapping, RawAnswer, Value } from '../../src/module/contract.js';

/** The target of a request: paths may lack `/api/`, and may have a query. */
export interface RequestTarget {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export async function send(
  method: 'POST' | 'PUT',
  { path, query }: RequestTarget,
  body: Value,
  context: ActionContext,
  keepsSecrets = false,
): Promise<ActionResult> {
  const creates = Object.keys(query).length === 0 ? createdBy(method, path, body, undefined) : undefined;
  const answer = await context.request({ method, path, query, body, keepsSecrets, creates });
  return isSuccess(answer) ? changed(method, path, answer) : refused(`${method} ${path}`, answer);
}

export function changed(method: string, path: string, answer: RawAnswer): ActionResult {
  const change = { kind: 'invoke', object: `${method} ${path}`, before: null, after: null } as const;
  return { status: 'changed', message: said(method, path, answer), values: answerValues(answer), change };
}

export function refused(what: string, answer: RawAnswer): ActionResult {
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
