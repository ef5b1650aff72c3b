import {
  credentialsHint,
  NO_PROXY,
  parseProxy,
  PROXY_FORM,
  proxyKey,
  type Route,
  type Routes,
} from '../../core/model/inventory/route.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { encodedPart } from '../../core/model/values/uri.js';
import { isList } from '../../core/model/values/value.js';
import type { SettingValues } from './values.js';

const VARIABLES = ['controller_proxy', 'controller_route'] as const;

/**
 * The way to the controller: `controller_route`, else `controller_proxy`, which is one URL or a list. Undefined: as
 * environment variables say, unless Ansible's name for that refuses it.
 *
 * @param routes those of the project file
 */
export function settingRoute(values: SettingValues, routes: Routes): Route | undefined {
  const isDirect = values.isEmpty('controller_proxy');
  const found = isDirect ? undefined : values.first(['controller_proxy']);
  // Beside a proxy, empty text means no route. Alone, it would lead to another controller at the same address.
  const isUnnamed = (isDirect || found !== undefined) && values.isEmpty('controller_route');
  const name = isUnnamed ? undefined : values.text('controller_route');
  if (name !== undefined && found !== undefined) {
    const hint = 'set one of them, and the other to an empty text';
    values.problem('controller_route and controller_proxy are both set', VARIABLES, { hint });
    return undefined;
  }
  if (name !== undefined) return namedRoute(name, routes, values);
  if (found === undefined) return isDirect || values.flag('ansible_httpapi_use_proxy') === false ? NO_PROXY : undefined;
  const texts = isList(found.value) ? found.value : [found.value];
  if (texts.length > 0 && texts.every((text) => typeof text === 'string' && parseProxy(text) !== undefined)) {
    const proxies = texts.map(String);
    return { name: routeWith(proxies, routes), proxies };
  }
  const [hint] = texts.flatMap((text) => (typeof text === 'string' ? (credentialsHint(text) ?? []) : []));
  values.problem(`controller_proxy ${PROXY_FORM}, or a list of them`, ['controller_proxy'], { hint });
  return undefined;
}

function namedRoute(name: string, routes: Routes, values: SettingValues): Route | undefined {
  const proxies = routes.get(name);
  if (proxies !== undefined) return { name, proxies };
  const names = [...routes.keys()];
  const known =
    names.length === 0 ? 'define it under "routes" in evenkeel.yml' : `routes of evenkeel.yml: ${names.join(', ')}`;
  const hint = didYouMean(name, names) ?? known;
  values.problem(`controller_route: there is no route "${name}"`, ['controller_route'], { hint });
  return undefined;
}

/** A proxy of a route of the project leads to the network of that route. */
function routeWith(proxies: readonly string[], routes: Routes): string | undefined {
  const own = new Set(proxies.map(proxyKey));
  return [...routes].find(([, others]) => others.some((other) => own.has(proxyKey(other))))?.[0];
}

/** The route with the credentials of the variables for its proxies, unless their URLs have their own. */
export function signedInRoute(values: SettingValues, route: Route | undefined): Route | undefined {
  if (route === undefined || route.proxies.length === 0) return route;
  const username = values.text('controller_proxy_username');
  const password = values.text('controller_proxy_password');
  if (username === undefined && password === undefined) return route;
  const proxies = route.proxies.map((text) => {
    const url = new URL(text);
    if (url.password !== '' || (url.username !== '' && username !== undefined)) return text;
    if (username !== undefined) url.username = encodedPart(username);
    url.password = encodedPart(password ?? '');
    return url.href;
  });
  return { ...route, proxies };
}
