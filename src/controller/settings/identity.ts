import { controllerIdentity, type Routes } from '../../core/model/inventory/route.js';
import { settingRoute } from './route.js';
import { settingUrl } from './url.js';
import { SettingValues, type VariableLookup } from './values.js';

/**
 * The identity of a controller, from its rendered variables, even if the rest of its settings is missing or wrong.
 * Undefined if its address or its route is.
 *
 * @param routes those of the project file; absent: none
 */
export function settingIdentity(
  variables: VariableLookup,
  controller: string,
  routes: Routes = new Map<string, never>(),
): string | undefined {
  const values = new SettingValues(variables, controller);
  const url = settingUrl(values, true);
  const route = settingRoute(values, routes);
  return url === undefined || values.problems.length > 0 ? undefined : controllerIdentity({ url, route });
}
