import { asText } from '../../template/runtime/text.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { PreparedRun } from '../load/prepared_run.js';
import { PlayVariables } from '../../run/controllers/play_variables.js';
import type { Variables } from '../../template/scope.js';

/** The variable that names the site of a controller. */
export const SITE = 'evenkeel_site';

/** The site that a controller's variables name, which may be a template. Undefined: none. */
export function siteIn(variables: Variables): string | undefined {
  const site = variables.get(SITE) ?? null;
  return site === null || site === '' ? undefined : asText(site);
}

/** True also if the site is not known before the run. */
export function mayHaveSite(variables: Variables): boolean {
  try {
    return siteIn(variables) !== undefined;
  } catch {
    return true;
  }
}

/**
 * How many controllers of the run have a site. A value that is not known before the run counts, too; what is encrypted as a whole does
 * not.
 */
export function countOfSites({ selected, loaded: { target } }: Pick<PreparedRun, 'selected' | 'loaded'>): number {
  const named = selected.flatMap(({ play, controllers }) => {
    const own = new PlayVariables(play, undefined);
    const beside = [...play.groupLayers.values(), ...play.controllerLayers.values(), target.extraVars].flat();
    const isBeside = beside.some(namesSite);
    return controllers.filter((name) => {
      const controller = target.inventory.controllers.get(name);
      // To sort the layers of 10,000 controllers would take 60 ms.
      if (controller === undefined || !(isBeside || controller.layers.some(namesSite))) return false;
      const site = [...own.ofInventory(controller), ...target.extraVars].findLast(namesSite)?.values[SITE];
      return site !== undefined && site !== null && site !== '';
    });
  });
  return new Set(named).size;
}

function namesSite({ locked, values }: VariableLayer): boolean {
  return locked !== true && Object.hasOwn(values, SITE);
}
