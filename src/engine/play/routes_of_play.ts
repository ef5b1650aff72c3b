import { settingRoute } from '../../controller/settings/route.js';
import { SettingValues } from '../../controller/settings/values.js';
import { routeLabel, type Routes } from '../../core/model/inventory/route.js';
import type { PlayStarted } from '../../core/model/run/event.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { appendTo, getOrAdd } from '../../core/model/values/groups.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Variables } from '../../language/scope.js';
import { HostVariables, variablesWith, type HostContext } from '../controllers/magic.js';
import type { PlayView } from '../controllers/play_variables.js';

/** The route of each controller, as far as variables from before the play say it. A task's variables may set another. */
export function routesOfPlay(
  run: HostContext['run'],
  play: Omit<PlayView, 'batch' | 'hostvars'>,
  controllers: readonly string[],
  routes: Routes | undefined,
): Pick<PlayStarted, 'routes'> {
  const hostvars = new HostVariables(() => context);
  const context: HostContext = { run, play: { ...play, batch: controllers, hostvars } };
  const isOnExtra = run.input.sources.extraVars.some(namesRoute);
  const found = new Map<string, number[]>();
  for (const [place, name] of controllers.entries()) {
    const controller = run.fleet.inventory.controllers.get(name);
    if (controller === undefined) continue;
    const layers = play.variables.ofPlay(controller);
    if (!isOnExtra && !layers.some(namesRoute)) continue;
    const label = labelIn(name, variablesWith(layers, context, { controller }), routes);
    if (label !== undefined) appendTo(found, label, place);
  }
  return found.size === 0 ? {} : { routes: Object.fromEntries(found) };
}

function labelIn(
  controller: string,
  variables: Variables,
  routes: Routes = new Map<string, never>(),
): string | undefined {
  // If it fails, the first task that needs it says why.
  return orElse(undefined, () =>
    routeLabel(settingRoute(new SettingValues((name) => variables.get(name), controller), routes)),
  );
}

// Thousands of controllers share the layers of their groups.
const known = new WeakMap<VariableLayer, boolean>();

function namesRoute(layer: VariableLayer): boolean {
  return getOrAdd(known, layer, () =>
    ['controller_route', 'controller_proxy'].some((name) => Object.hasOwn(layer.values, name)),
  );
}
