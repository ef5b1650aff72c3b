import { parseProxy, PROXY_FORM, proxyKey, shownProxy, type Routes } from '../../core/model/inventory/route.js';
import { texts, wantMapping, type Cursor } from '../document/cursor.js';

/** Names appear in messages, in the journal and in searches. */
const ROUTE_NAME = /^[A-Za-z0-9][\w.-]*$/;

/** `routes` of the project file: the proxies of each, in the order in which they are tried. */
export function readRoutes(cursor: Cursor | undefined): Routes {
  const routes = new Map<string, readonly string[]>();
  if (cursor === undefined) return routes;
  wantMapping(cursor, ' of names to proxies');
  const users = new Map<string, string>();
  for (const item of cursor.entries()) {
    if (!ROUTE_NAME.test(item.name))
      item.errorAtKey(`"${item.name}" cannot name a route: use letters, digits, dots, dashes and underscores`);
    const proxies = texts(item).flatMap(({ value, source }) => {
      const problem = problemWith(value, item.name, users);
      if (problem === undefined) return [value];
      cursor.diagnostics.error(problem.message, source, problem.hint);
      return [];
    });
    if (Array.isArray(item.value) && item.value.length === 0) item.error(`the route "${item.name}" has no proxies`);
    if (proxies.length > 0) routes.set(item.name, proxies);
  }
  return routes;
}

/** @param users the route of each proxy so far */
function problemWith(
  text: string,
  route: string,
  users: Map<string, string>,
): { readonly message: string; readonly hint?: string } | undefined {
  const proxy = parseProxy(text);
  if (proxy === undefined) return { message: `a proxy of the route "${route}" ${PROXY_FORM}` };
  if (proxy.password !== '')
    return {
      message: `the route "${route}" must not contain a password`,
      hint: 'set controller_proxy_username and controller_proxy_password, encrypted, for the controllers of the route',
    };
  const other = users.get(proxyKey(text));
  users.set(proxyKey(text), route);
  if (other === undefined) return undefined;
  return {
    message: `the proxy ${shownProxy(proxy)} is in the route "${other}"${other === route ? ' twice' : ` and in "${route}"`}`,
    hint: 'a route is the way to one network, so a proxy belongs to one route',
  };
}
