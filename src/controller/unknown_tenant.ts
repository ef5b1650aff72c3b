import { didYouMean } from '../core/model/source/suggestion.js';
import { encodedPart } from '../core/model/values/uri.js';
import { entry } from '../core/model/values/value.js';
import type { AnswerContext } from './answers/answer_text.js';
import { listPage } from './answers/list_page.js';
import { ControllerError, get, type ApiAnswer, type ApiCall } from './exchange/call.js';

/** The most names that a message lists. */
const MOST_NAMES = 10;

/**
 * Explains a 404 if the tenant does not exist; undefined if it exists, or if that is unknown. @param ask sends a
 * request in any tenant
 */
export async function unknownTenant(
  call: ApiCall,
  context: AnswerContext,
  ask: (call: ApiCall) => Promise<ApiAnswer>,
): Promise<ControllerError | undefined> {
  const { dialect, tenant } = context.settings;
  const { tenants, paging } = dialect;
  if (tenants === undefined || tenant === undefined || tenant === tenants.default || tenant === tenants.all) return;
  const collection = dialect.collectionSlash ? tenants.collection : tenants.collection.replace(/\/$/, '');
  const names = (query: string) => namesIn({ ...get(`${collection}?${query}`), tenant: tenants.default }, context, ask);
  const same = await names(`name=${encodedPart(tenant)}`);
  if (same === undefined || same.includes(tenant)) return undefined;
  const all = await names(paging === undefined ? '' : `${paging.sizeParameter}=${paging.most}`);
  return missing(call, tenant, all ?? []);
}

/** Undefined if this user is not allowed to see them. */
async function namesIn(
  call: ApiCall,
  context: AnswerContext,
  ask: (call: ApiCall) => Promise<ApiAnswer>,
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

function missing(call: ApiCall, tenant: string, names: readonly string[]): ControllerError {
  const all = names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(', ')}, …` : names.join(', ');
  const hint = didYouMean(tenant, names) ?? (names.length === 0 ? undefined : `tenants of this user: ${all}`);
  const what = `the controller has no tenant "${tenant}", or hides it from this user`;
  return new ControllerError(call, what, { status: 404, hint });
}
