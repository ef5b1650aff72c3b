import { describeDistinctions, shownName, withoutNames } from '../core/model/run/reference.js';
import type { FindOptions, Listed, ListOptions } from '../core/model/run/session.js';
import { withDigits } from '../core/model/values/json.js';
import { encodedPart, pathWithQuery } from '../core/model/values/uri.js';
import { entry, isMapping, type Mapping, type Value } from '../core/model/values/value.js';
import { jsonObject, requireExact } from './answers/json_object.js';
import { listPage, nextPath, type ListPage } from './answers/list_page.js';
import type { Client } from './client.js';
import { ControllerError, get, type ApiCall } from './exchange/call.js';

/**
 * The only object with exactly this name in a collection; undefined if it certainly does not exist. The filter of the
 * API (section 4) may match exactly, by substring or ignoring case, so the names on all pages are compared here.
 */
export async function findByName(
  client: Client,
  collection: string,
  name: string,
  { pages, select, names, by, ...search }: Search,
): Promise<Mapping | undefined> {
  const ownOnly = search.ownOnly === true || names === true;
  const plain = `${collection}?${by ?? 'name'}=${encodedPart(name)}`;
  const first = get(ownOnly ? withQuery(plain, showingNames(client)) : plain);
  const found = await gather(client, first, pages, (object) => entry(object, by ?? 'name') === name);
  const inScope = select === undefined ? found.matches : await select(found.matches);
  const readable = inScope.length > 1 && !ownOnly ? await withReadableScopes(client, first, inScope) : inScope;
  const meant = ofTenant(readable, client, ownOnly);
  if (meant.length > 1)
    throw new ControllerError(first, `${meant.length} objects are named "${name}": ${describeDistinctions(meant)}`, {
      hint: 'declare what only one of them has: its cloud_ref, or fields such as uuid under "match"',
    });
  const [only] = inScope.filter((match) => meant.some((one) => entry(one, 'uuid') === entry(match, 'uuid')));
  const why = only === undefined ? whyIncomplete(found) : undefined;
  if (why !== undefined)
    throw new ControllerError(first, `${why}, so it is unknown whether this object is among the missing ones`);
  if (only !== undefined && !isUuid(entry(only, 'uuid')))
    throw new ControllerError(first, `the object named "${name}" has no uuid`);
  if (only === undefined) return undefined;
  return requireExact(first, ownOnly && names !== true ? withoutNames(only) : only);
}

export interface Search extends FindOptions {
  /** Never an object that shows another tenant than that of the request. */
  readonly ownOnly?: boolean;
  /** How many pages a list may have. */
  readonly pages: number;
  /** Selects among the objects with this name. Absent: all. */
  readonly select?: ((objects: readonly Mapping[]) => Promise<readonly Mapping[]>) | undefined;
}

/** Identifiers need not be uuids, but the end of an update's path must identify an object. */
function isUuid(uuid: Value | undefined): boolean {
  return typeof uuid === 'string' && !['', '.', '..'].includes(uuid);
}

interface FoundMatches {
  readonly matches: readonly Mapping[];
  readonly seen: number;
  readonly count: number | undefined;
  /** The path of a page that the one before named, and that was gone when it was read. */
  readonly gone: string | undefined;
}

/** All objects of a collection. Throws if `count` exceeds the number of objects sent. */
export async function listObjects(
  client: Client,
  collection: string,
  pages: number,
  tenant?: string,
): Promise<readonly Mapping[]> {
  const page = get(withQuery(collection, largestPages(client)));
  const first = tenant === undefined ? page : { ...page, tenant };
  return requireComplete(first, await gather(client, first, pages, () => true));
}

/** All objects of a collection, or the object at a path. */
export async function readObjects(
  client: Client,
  path: string,
  pages: number,
  { query = {}, paged, exact = false }: ListOptions,
): Promise<Listed> {
  const first = get(withQuery(path, { ...(paged && largestPages(client)), ...showingNames(client), ...query }));
  const answer = await client.read(first);
  const object = jsonObject(first, answer, client);
  const shown = (one: Mapping): Mapping => (exact ? requireExact(first, one) : readable(one));
  if (entry(object, 'results') === undefined) return { objects: [shown(object)] };
  const found = await gather(client, first, pages, () => true, listPage(first, answer, client));
  return { objects: requireComplete(first, found).map(shown) };
}

function largestPages({ settings: { dialect } }: Client): Readonly<Record<string, string>> {
  const { paging } = dialect;
  return paging === undefined ? {} : { [paging.sizeParameter]: String(paging.most) };
}

function showingNames({ settings: { dialect } }: Client): Readonly<Record<string, string>> {
  const names = dialect.references?.nameParameter;
  return names === undefined ? {} : { [names]: '' };
}

/** A parameter with an empty value has no `=`: `?include_name`. */
function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  return pathWithQuery(path, new URLSearchParams(query).toString().replaceAll(/=(?=&|$)/g, ''));
}

function requireComplete(first: ApiCall, found: FoundMatches): readonly Mapping[] {
  const why = whyIncomplete(found);
  if (why === undefined) return found.matches;
  throw new ControllerError(first, `${why}, so the list is incomplete`);
}

/** Why the list is incomplete; undefined if it is whole. */
function whyIncomplete({ count, seen, gone }: FoundMatches): string | undefined {
  if (gone !== undefined) return `the next page, ${gone}, is gone`;
  if (count === undefined || count <= seen) return undefined;
  return `the controller counts ${count === 1 ? '1 object' : `${count} objects`} but sent ${seen}`;
}

function readable(object: Mapping): Mapping {
  const shown = withDigits(object);
  return isMapping(shown) ? shown : object;
}

/** Reads again, once, what is incomplete because objects were deleted meanwhile: others moved to a page that was read before. */
async function gather(
  client: Client,
  first: ApiCall,
  pages: number,
  isWanted: (object: Mapping) => boolean,
  begun?: ListPage,
): Promise<FoundMatches> {
  const found = await gatherOnce(client, first, pages, isWanted, begun);
  return found.isPaged && whyIncomplete(found) !== undefined ? gatherOnce(client, first, pages, isWanted) : found;
}

async function gatherOnce(
  client: Client,
  first: ApiCall,
  pages: number,
  isWanted: (object: Mapping) => boolean,
  begun?: ListPage,
): Promise<FoundMatches & { readonly isPaged: boolean }> {
  const matches: Mapping[] = [];
  const visited = new Set<string>();
  let seen = 0;
  let count: number | undefined;
  for (let call: ApiCall | undefined = first; call !== undefined;) {
    if (visited.has(call.path)) throw new ControllerError(first, 'the pages of the list form a loop');
    if (visited.size === pages) throw new ControllerError(first, `the list has more than ${pages} pages`);
    visited.add(call.path);
    const page: ListPage | undefined =
      call === first ? (begun ?? (await readPage(client, call))) : await readNext(client, call);
    if (page === undefined) return { matches: distinct(matches), seen, count, gone: call.path, isPaged: true };
    for (const object of page.results) if (isWanted(object)) matches.push(object);
    seen += page.results.length;
    count ??= page.count;
    call = page.next === undefined ? undefined : { ...call, path: nextPath(call, page.next, client) };
  }
  return { matches: distinct(matches), seen, count, gone: undefined, isPaged: visited.size > 1 };
}

/** Undefined: the page is gone, since the one before named it. */
async function readNext(client: Client, call: ApiCall): Promise<ListPage | undefined> {
  try {
    return await readPage(client, call);
  } catch (error) {
    if (error instanceof ControllerError && error.status === 404) return undefined;
    throw error;
  }
}

/** An object that moves to the next page between two reads occurs twice. */
function distinct(matches: readonly Mapping[]): readonly Mapping[] {
  const first = new Map(matches.map((match) => [entry(match, 'uuid') ?? match, match]));
  return [...first.values()];
}

async function readPage(client: Client, call: ApiCall): Promise<ListPage> {
  return listPage(call, await client.read(call), client);
}

/**
 * The objects that can be meant in the tenant of the request, which also sees objects of others, such as clouds of
 * `admin`: of several, its own.
 */
function ofTenant(matches: readonly Mapping[], { settings }: Client, ownOnly: boolean): readonly Mapping[] {
  const { tenant, dialect } = settings;
  if (tenant === undefined || tenant === dialect.tenants?.all) return matches;
  const ownerName = (match: Mapping): string | undefined => {
    const owner = entry(match, 'tenant_ref');
    return typeof owner === 'string' ? shownName(owner) : undefined;
  };
  if (ownOnly) return matches.filter((match) => (ownerName(match) ?? tenant) === tenant);
  const own = matches.length < 2 ? [] : matches.filter((match) => ownerName(match) === tenant);
  return own.length === 0 ? matches : own;
}

/** The same objects, with the names of their clouds and tenants if the dialect shows them on request. */
async function withReadableScopes(
  client: Client,
  first: ApiCall,
  matches: readonly Mapping[],
): Promise<readonly Mapping[]> {
  const names = showingNames(client);
  if (Object.keys(names).length === 0) return matches;
  const uuids = new Set(matches.map((match) => entry(match, 'uuid')));
  const call = get(withQuery(first.path, names));
  const { results } = await readPage(client, call).catch(() => ({ results: [] }));
  const readable = results.filter((object) => uuids.has(entry(object, 'uuid')));
  return readable.length === matches.length ? readable : matches;
}
