import { isRead } from '../core/model/run/session.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import { encodedPart } from '../core/model/values/uri.js';
import { entry } from '../core/model/values/value.js';
import type { AnswerContext } from './answers/answer_text.js';
import { listPage } from './answers/list_page.js';
import type { Answer, Call } from './exchange/call.js';
import { ControllerError } from './exchange/controller_error.js';

/** The most names that a message lists. */
const MOST_NAMES = 10;

/** A write needs one tenant. Throws if the call is a write to all of them. */
export function requireOneTenant({ method, path }: Call, { settings: { dialect, tenant } }: AnswerContext): void {
  if (tenant === undefined || tenant !== dialect.tenants?.all || isRead(method)) return;
  throw new ControllerError(`not sent: a write needs one tenant, and "${tenant}" means all of them`, {
    outcome: 'failed',
    method,
    path,
    hint: 'set controller_tenant, or tenant of the task, to a name',
  });
}

/**
 * Explains a 404 if the tenant does not exist; undefined if it exists, or if that is unknown. @param ask sends a
 * request in any tenant
 */
export async function unknownTenant(
  call: Call,
  context: AnswerContext,
  ask: (call: Call) => Promise<Answer>,
): Promise<ControllerError | undefined> {
  const { dialect, tenant } = context.settings;
  const { tenants, paging } = dialect;
  if (tenants === undefined || tenant === undefined || tenant === tenants.default || tenant === tenants.all) return;
  const collection = dialect.collectionSlash ? tenants.collection : tenants.collection.replace(/\/$/, '');
  const names = (query: string) =>
    namesIn({ ...read(`${collection}?${query}`), tenant: tenants.default }, context, ask);
  const same = await names(`name=${encodedPart(tenant)}`);
  if (same === undefined || same.includes(tenant)) return undefined;
  return missing(
    call,
    tenant,
    (await names(paging === undefined ? '' : `${paging.sizeParameter}=${paging.most}`)) ?? [],
  );
}

/** Undefined if this user is not allowed to see them. */
async function namesIn(
  call: Call,
  context: AnswerContext,
  ask: (call: Call) => Promise<Answer>,
): Promise<readonly string[] | undefined> {
  try {
    const answer = await ask(call);
    if (answer.status !== 200) return undefined;
    const names = listPage(call, answer, context).results.map((tenant) => entry(tenant, 'name'));
    return names.filter((name) => typeof name === 'string');
  } catch (error) {
    if (error instanceof ControllerError) return undefined;
    throw error;
  }
}

function missing({ method, path }: Call, tenant: string, names: readonly string[]): ControllerError {
  const all = names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(', ')}, …` : names.join(', ');
  const hint = didYouMean(tenant, names) ?? (names.length === 0 ? undefined : `tenants of this user: ${all}`);
  const what = `the controller has no tenant "${tenant}", or hides it from this user`;
  return new ControllerError(what, { outcome: 'failed', method, path, status: 404, hint });
}

function read(path: string): Call {
  return { method: 'GET', path, repeatable: true };
}
