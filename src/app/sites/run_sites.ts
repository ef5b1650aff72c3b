import { LoadError } from '../../model/source/diagnostic.js';
import type { Play } from '../../model/playbook/playbook.js';
import { stepsOf, tasksIn } from '../../model/playbook/steps.js';
import type { VariableLayer } from '../../model/values/variables.js';
import { LockedFile } from '../../load/vault/vault.js';
import { PlayVariables } from '../../run/controllers/play_variables.js';
import { TemplateError } from '../../template/runtime/errors.js';
import type { Variables } from '../../template/scope.js';
import type { PreparedRun } from '../load/prepared_run.js';
import { variablesBefore } from '../inventory/variables_before.js';
import { SITE, siteIn } from './controller_site.js';
import { SiteProblem } from '../prepare/execute_ports.js';

const READABLE = `or set ${SITE} where this machine can read it`;
const NAMED = `or give it a site: set ${SITE} where this machine can read it`;
const PASSWORDS = ['controller_password', 'ansible_password', 'ansible_httpapi_pass', 'ansible_httpapi_password'];

/** What is known before the run about the controllers of a site. */
export interface RunSite {
  /** The plays with controllers of the site. */
  readonly plays: Set<Play>;
  readonly controllers: Set<string>;
  /**
   * Variables of the inventory, `group_vars` and `host_vars`, including those of controllers that tasks are delegated
   * to.
   */
  readonly layers: Set<VariableLayer>;
  /** Whether a controller has no password in its variables. */
  needsPassword: boolean;
}

/**
 * The sites of a run, by name.
 *
 * @throws SiteProblem if the coordinator needs a value but does not have its password
 */
export function sitesOf({ loaded: { target }, selected, answers }: PreparedRun): ReadonlyMap<string, RunSite> {
  const sites = new Map<string, RunSite>();
  for (const { play, controllers } of selected) {
    const own = new PlayVariables(play, answers?.get(play));
    const layersOf = (name: string): readonly VariableLayer[] => {
      const controller = target.inventory.controllers.get(name);
      return controller === undefined ? [] : own.ofInventory(controller);
    };
    const delegates = delegatesOf(play).flatMap(layersOf);
    for (const name of controllers) {
      const controller = target.inventory.controllers.get(name);
      if (controller === undefined) continue;
      const layers = layersOf(name);
      const variables = variablesBefore(controller, layers, play.directory, target);
      const site = siteBefore(name, variables);
      if (site === undefined) requireOpen(name, layers);
      else {
        const known: RunSite = sites.get(site) ?? {
          plays: new Set(),
          controllers: new Set(),
          layers: new Set(),
          needsPassword: false,
        };
        sites.set(site, known);
        known.plays.add(play);
        known.controllers.add(name);
        for (const layer of [...layers, ...delegates]) known.layers.add(layer);
        known.needsPassword ||= !hasPassword(
          variablesBefore(controller, own.ofPlay(controller), play.directory, target),
        );
      }
    }
  }
  return sites;
}

/** Also undefined if the site is not known; the run then reports the reason. */
function siteBefore(controller: string, variables: Variables): string | undefined {
  try {
    return siteIn(variables);
  } catch (error) {
    const reason = lockedBy(error);
    if (reason !== undefined) throw problem(`cannot find out the site of ${controller}`, reason, READABLE);
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

function problem(what: string, { message, source, hint }: LoadError, otherwise: string): SiteProblem {
  return new SiteProblem([
    { message: `${what}: ${message}`, source, hint: [hint, otherwise].filter(Boolean).join(', ') },
  ]);
}

function lockedBy(error: unknown): LoadError | undefined {
  if (error instanceof LockedFile) return error.reason;
  return error instanceof LoadError ? error : undefined;
}

/** Throws if the variables of a controller without a site are encrypted: this process runs its tasks, and needs them. */
function requireOpen(controller: string, layers: readonly VariableLayer[]): void {
  for (const { locked, values } of layers)
    if (locked === true)
      try {
        Object.hasOwn(values, SITE);
      } catch (error) {
        const reason = lockedBy(error);
        if (reason !== undefined)
          throw problem(`${controller} has no site, so this machine needs its variables`, reason, NAMED);
      }
}

/** Controllers that tasks are delegated to by a literal name. */
function delegatesOf(play: Play): readonly string[] {
  const steps = tasksIn([...stepsOf(play), ...play.handlers]);
  return [
    ...new Set(steps.flatMap(({ delegateTo }) => (typeof delegateTo?.value === 'string' ? [delegateTo.value] : []))),
  ];
}

function hasPassword(variables: Variables): boolean {
  try {
    return PASSWORDS.some((name) => variables.find(name) !== undefined);
  } catch (error) {
    if (lockedBy(error) === undefined) throw error;
    return false;
  }
}
