import type { KeptRun } from '../../journal/read/read_run.js';
import type { Controller } from '../../model/inventory/inventory.js';
import type { Diagnostic } from '../../model/source/diagnostic.js';
import { PlayVariables } from '../../run/controllers/play_variables.js';
import { urlOf } from '../lock/lock_places.js';
import type { LoadedRun } from '../load/load_run.js';

/**
 * Controllers that the run contacted and that are at another address now: the run changed another machine. A simulation has no addresses,
 * and an address that only the run sets is not known here.
 */
export function movedControllers(
  { header, urls }: Pick<KeptRun, 'header' | 'urls'>,
  loaded: LoadedRun,
): readonly Diagnostic[] {
  if (header.simulated) return [];
  return [...urls].flatMap(([name, then]) => {
    const controller = loaded.target.inventory.controllers.get(name);
    const now = controller === undefined ? new Set<string>() : urlsOf(controller, loaded);
    if (now.size === 0 || now.has(then)) return [];
    const message = `${name} was at ${then} and is now at ${[...now].join(' and ')}: what was done there would count as done here`;
    const hint = 'restore its address, or give the new controller another name';
    return [{ severity: 'error', message, hint } as const];
  });
}

/** A play may set the address in its variables. */
function urlsOf(controller: Controller, { playbooks, target }: LoadedRun): ReadonlySet<string> {
  const plays = playbooks.flatMap((playbook) => playbook.plays);
  const urls = plays.map((play) =>
    urlOf(controller, new PlayVariables(play, undefined).ofPlay(controller), play.directory, target),
  );
  return new Set(urls.filter((url) => url !== undefined));
}
