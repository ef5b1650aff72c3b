import { inPrecedence } from '../model/variables.js';
import { selectControllers } from '../model/pattern.js';
import { isSelected } from '../run/tags.js';
import { renderText } from '../template/render.js';
import { Variables } from '../template/scope.js';
import type { SelectedPlaybook } from './listing.js';
import type { LoadedRun } from './load_run.js';

/** What the plays, the limit and the tags leave to be done: for listings, for confirmation, and to refuse a run of nothing. */
export function selectPlays(
  { playbooks, target }: LoadedRun,
  {
    tags = [],
    skipTags = [],
  }: { readonly tags?: readonly string[] | undefined; readonly skipTags?: readonly string[] | undefined },
): readonly SelectedPlaybook[] {
  const { inventory, limit, extraVars } = target;
  const scope = new Variables(inPrecedence(extraVars));
  return playbooks.map(({ file, plays }) => ({
    file,
    plays: plays.map((play) => {
      const hosts = String(renderText(play.hosts.value, scope, play.hosts.source));
      const { names } = selectControllers(inventory, hosts);
      return {
        name: play.name,
        hosts,
        controllers: limit === undefined ? names : names.filter((name) => limit.has(name)),
        steps: play.steps.filter((step) => isSelected(step.tags, { tags, skipTags })),
        tags: play.tags,
      };
    }),
  }));
}

export function someController(selected: readonly SelectedPlaybook[]): boolean {
  return selected.some(({ plays }) => plays.some(({ controllers }) => controllers.length > 0));
}
