import { routeFor } from '../controller/route/environment.js';
import { RouteCheck, type RouteCheckResult } from '../controller/route/route_check.js';
import { settingRoute, signedInRoute } from '../controller/settings/route.js';
import { caReader, parseSettings } from '../controller/settings/settings.js';
import { settingUrl } from '../controller/settings/url.js';
import { SettingValues, type VariableLookup } from '../controller/settings/values.js';
import type { ConnectionSettings } from '../core/model/inventory/connection_variables.js';
import { parseProxy, routeLabel, shownProxy, type Route } from '../core/model/inventory/route.js';
import { type Diagnostic, Diagnostics, LoadError } from '../core/model/source/diagnostic.js';
import { groupBy } from '../core/model/values/groups.js';
import { addProxySecrets } from '../core/secrets/values.js';
import { TemplateError } from '../language/runtime/errors.js';
import { variablesInFiles } from '../launch/load/addresses_in_files.js';
import type { LoadedTarget } from '../launch/load/target.js';
import { encryptedValues } from '../project/vault/vault.js';
import { nameControllers } from '../reporting/text/words.js';

export interface ProxyReport {
  /** `host:port` */
  readonly proxy: string;
  readonly state: RouteCheckResult;
  /** A controller that was contacted through it. Absent: none was. */
  readonly controller?: { readonly name: string; readonly state: RouteCheckResult };
}

interface RouteReport {
  /** Its name, or its proxies. */
  readonly route: string;
  readonly isNamed: boolean;
  readonly controllers: readonly string[];
  readonly proxies: readonly ProxyReport[];
}

export interface RoutesReport {
  /** Those of the project, then others. */
  readonly routes: readonly RouteReport[];
  /** Controllers without a route. */
  readonly direct: readonly string[];
}

interface Options {
  /** Contact one controller through each proxy. */
  readonly check: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

interface SurveyedRoute {
  readonly route: Route;
  readonly controllers: string[];
}

const MOST_NAMES = 3;

/** The routes of the selected controllers, and of the project, with the state of their proxies. */
export async function surveyRoutes(
  target: LoadedTarget,
  options: Options,
  diagnostics: Diagnostics,
): Promise<RoutesReport> {
  const found = new Map<string, SurveyedRoute>();
  for (const [name, proxies] of target.project.routes) found.set(name, { route: { name, proxies }, controllers: [] });
  const direct: string[] = [];
  const wrong: { readonly name: string; readonly problem: Diagnostic }[] = [];
  for (const name of target.inventory.controllers.keys()) {
    if (target.limit?.has(name) === false) continue;
    const own = new Diagnostics();
    const route = await findRoute(name, target, options, own);
    for (const problem of own.list) wrong.push({ name, problem });
    const label = routeLabel(route);
    if (route === undefined || label === undefined) direct.push(name);
    else {
      const controllers = found.get(label)?.controllers ?? [];
      controllers.push(name);
      // The controllers know the credentials for the proxies of the route.
      found.set(label, { route, controllers });
    }
  }
  // A group of thousands may name a wrong route.
  for (const group of groupBy(wrong, ({ problem }) => JSON.stringify(problem)).values()) {
    const names = group.map(({ name }) => name);
    const [{ problem }] = group;
    diagnostics.error(`${problem.message} (${nameControllers(names, MOST_NAMES)})`, problem.source, problem.hint);
  }
  if (diagnostics.failed()) return { routes: [], direct };
  const check = new RouteCheck(options.signal);
  const routes = await Promise.all([...found].map(([label, one]) => reported(label, one, check, target, options)));
  return { routes, direct };
}

async function reported(
  label: string,
  { route, controllers }: SurveyedRoute,
  check: RouteCheck,
  target: LoadedTarget,
  options: Options,
): Promise<RouteReport> {
  const settings = options.check ? firstSettings(controllers, target, options) : undefined;
  const proxies = route.proxies.map(async (url): Promise<ProxyReport> => {
    const state = await check.proxy(url);
    const proxy = shownProxy(parseProxy(url) ?? { host: url, port: 0 });
    if (settings === undefined || 'failure' in state) return { proxy, state };
    const reached = await check.controller(settings, url);
    return { proxy, state, controller: { name: settings.controller, state: reached } };
  });
  return { route: label, isNamed: route.name !== undefined, controllers, proxies: await Promise.all(proxies) };
}

/** Undefined if the controller has no route, or its route is a problem. */
async function findRoute(
  name: string,
  target: LoadedTarget,
  { cwd, env }: Options,
  diagnostics: Diagnostics,
): Promise<Route | undefined> {
  try {
    const lookup = await openLookup(name, target, cwd);
    const values = new SettingValues(lookup, name);
    const route = signedInRoute(values, settingRoute(values, target.project.routes));
    for (const { message, hint } of values.problems) diagnostics.error(message, undefined, hint);
    const url = settingUrl(new SettingValues(lookup, name), true);
    const way = url === undefined ? route : routeFor(url, route, env);
    for (const proxy of way?.proxies ?? []) addProxySecrets(proxy, target.secrets);
    return way;
  } catch (error) {
    if (!(error instanceof TemplateError || error instanceof LoadError)) throw error;
    diagnostics.error(error.message, error.source, error.hint);
    return undefined;
  }
}

/** The settings of the first controller that has complete ones. */
function firstSettings(
  controllers: readonly string[],
  target: LoadedTarget,
  { cwd }: Options,
): ConnectionSettings | undefined {
  const { dialects, routes } = target.project;
  const readCa = caReader(cwd);
  for (const name of controllers) {
    const controller = target.inventory.controllers.get(name);
    if (controller === undefined) continue;
    const variables = variablesInFiles(controller, controller.layers, cwd, target);
    try {
      const about = { readCa, dialects, routes };
      const parsed = parseSettings(
        withoutCredentials((one) => variables.get(one)),
        name,
        about,
      );
      if ('settings' in parsed) return parsed.settings;
    } catch (error) {
      if (!(error instanceof TemplateError || error instanceof LoadError)) throw error;
    }
  }
  return undefined;
}

/** Placeholders: the survey does not sign in. */
function withoutCredentials(lookup: VariableLookup): VariableLookup {
  const replaced = new Map([
    ['controller_username', 'nobody'],
    ['controller_password', 'nothing'],
    ['controller_api_version', '1.0.0'],
  ]);
  return (name) => replaced.get(name) ?? lookup(name);
}

async function openLookup(name: string, target: LoadedTarget, cwd: string): Promise<VariableLookup> {
  const controller = target.inventory.controllers.get(name);
  if (controller === undefined) return () => undefined;
  if (target.vault.hasValues) await target.vault.unlock(encryptedValues(controller.layers));
  const variables = variablesInFiles(controller, controller.layers, cwd, target);
  return (one) => variables.get(one);
}
