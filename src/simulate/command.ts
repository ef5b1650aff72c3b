import { once } from 'node:events';
import { type CommandContext, refuse, show } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { EXIT } from '../core/model/exit_code.js';
import { NOT_SIMULATED } from '../core/model/inventory/connection_variables.js';
import { Diagnostics, errorMessage, type Diagnostic } from '../core/model/source/diagnostic.js';
import { groupBy } from '../core/model/values/groups.js';
import type { LoadKinds } from '../kinds/kind_table.js';
import { loadTarget, type LoadedTarget } from '../launch/load/target.js';
import type { RequestedTarget } from '../launch/request/run_request.js';
import { ProjectSimulator } from '../launch/simulation/project_simulator.js';
import { planSimulation, type SimulationPlan } from '../launch/simulation/simulated_controller.js';
import { hostsByAddress } from '../launch/simulation/simulation.js';
import { variableWarnings } from '../launch/start/preflight.js';
import { openProjectCatalogue } from '../launch/user_code/project_modules.js';
import { JournalError } from '../record/journal/format/run_folders.js';
import { count } from '../reporting/text/words.js';
import { behaviourParser } from '../simulator/behaviour/parse_behaviour.js';
import type { Simulator } from '../simulator/simulator.js';

const LAST_PORT = 65_535;
const USAGE = 'Pass the printed inventory after yours: evenkeel run … -i INVENTORY -i FILE';

export interface SimulateOptions extends RequestedTarget {
  /** The port of the first controller; the others follow. Absent: free ports. */
  readonly port?: number;
  /** API versions that they accept. Absent: the version of the inventory. */
  readonly apiVersion?: readonly string[];
  /** The dialect of all controllers. Absent: the inventory's. */
  readonly dialect?: string;
}

/**
 * Simulates every controller of the inventory until interrupted, and prints an inventory with their addresses, to pass
 * after the real one: `evenkeel run … -i INVENTORY -i OVERLAY`.
 */
export async function simulateCommand(options: SimulateOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const target = await loadTarget(options, loadingPorts(context), diagnostics);
  diagnostics.requireExecution();
  diagnostics.add(variableWarnings(target, context.cwd));
  const plans = planAll(target, options, diagnostics);
  const { kinds } = openProjectCatalogue(undefined, target.project, context, diagnostics);
  if (!diagnostics.failed() && plans.size === 0) diagnostics.error('the inventory has no controllers to simulate');
  checkPorts(options.port, plans.size, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  try {
    return await simulateUntilInterrupted(plans, { ...target.project, kinds }, options, context);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return refuse([{ severity: 'error', message: error.message, hint: error.hint }], context);
  }
}

/** The hosts by simulated controller: those that share one share it here, too, under the name of the first, as in a run. */
type SimulationPlans = ReadonlyMap<string, readonly SimulationPlan[]>;

function planAll(
  target: LoadedTarget,
  { apiVersion: apiVersions, dialect }: SimulateOptions,
  diagnostics: Diagnostics,
): SimulationPlans {
  const parse = behaviourParser();
  const plans = [...target.inventory.controllers.values()]
    .filter(({ name }) => target.limit === undefined || target.limit.has(name))
    .flatMap((controller) => planSimulation(controller, { ...target, apiVersions, dialect }, parse, diagnostics) ?? []);
  const sharing = plans.some(({ shared }) => shared) ? [...hostsByAddress(target).values()] : [];
  const firstAt = (name: string): string | undefined => sharing.find((hosts) => hosts.includes(name))?.[0];
  return groupBy(plans, ({ name, shared }) => (shared ? firstAt(name) : undefined) ?? name);
}

function checkPorts(first: number | undefined, controllers: number, diagnostics: Diagnostics): void {
  if (first === undefined || first + controllers - 1 <= LAST_PORT) return;
  const message = `--port ${first} leaves no room for ${count(controllers, 'controller')}: ports end at ${LAST_PORT}`;
  diagnostics.error(message);
}

async function simulateUntilInterrupted(
  plans: SimulationPlans,
  { stateDirectory, kinds }: { readonly stateDirectory: string; readonly kinds: LoadKinds },
  { port }: SimulateOptions,
  context: CommandContext,
): Promise<number> {
  context.signals.takeOver?.();
  const own = await ProjectSimulator.start(stateDirectory, {
    kinds,
    controllers: plans.keys(),
    command: 'evenkeel simulate',
  });
  try {
    const [first = ''] = plans.keys();
    const started = await startControllers(own.simulator, plans, port, await own.writeAuthority(first));
    if (started.status === 'failed') return refuse([started.diagnostic], context);
    context.stdout.reveal(started.overlay);
    const listening = `${count(plans.size, 'simulated controller')} ${plans.size === 1 ? 'is' : 'are'} listening`;
    context.stderr.write(`${listening} on 127.0.0.1; press Ctrl-C to stop.\n${USAGE}\n`);
    if (!context.signals.drain.aborted) await once(context.signals.drain, 'abort');
    return EXIT.ok;
  } finally {
    await own.close();
  }
}

type Started =
  | { readonly status: 'ok'; readonly overlay: string }
  | { readonly status: 'failed'; readonly diagnostic: Diagnostic };

async function startControllers(
  simulator: Simulator,
  plans: SimulationPlans,
  firstPort: number | undefined,
  caFile: string,
): Promise<Started> {
  const hosts: string[] = [];
  for (const [index, [name, sharing]] of [...plans].entries()) {
    const port = firstPort === undefined ? 0 : firstPort + index;
    const all = (of: 'apiVersions' | 'tenants') => sharing.flatMap(({ options }) => options[of] ?? []);
    const shared = { port, apiVersions: all('apiVersions'), tenants: all('tenants') };
    try {
      for (const plan of sharing) {
        const { url } = await simulator.startController(name, { ...plan.options, ...shared });
        hosts.push(overlay(plan.name, { url, caFile, missing: plan.missing }));
      }
    } catch (error) {
      // A port that cannot be had or a state that cannot be read: both say so themselves.
      const message = `${name} cannot be simulated: ${errorMessage(error)}`;
      return { status: 'failed', diagnostic: { severity: 'error', message } };
    }
  }
  return { status: 'ok', overlay: `all:\n${ALL_VARS}  hosts:\n${hosts.join('')}` };
}

/** Keeps a run from the controllers of other inventories, and from those that it adds. */
const ALL_VARS = `  vars:\n    controller_simulated_url: ${NOT_SIMULATED}\n`;

interface Endpoint {
  readonly url: string;
  readonly caFile: string;
  readonly missing: SimulationPlan['missing'];
}

/** JSON text is valid YAML for any name. */
function overlay(name: string, { url, caFile, missing }: Endpoint): string {
  const variables = {
    controller_url: url,
    controller_simulated_url: url,
    controller_ca_file: caFile,
    controller_verify_tls: true,
    controller_proxy: '',
    controller_route: '',
    ...missing,
  };
  const lines = Object.entries(variables).map(([key, value]) => `      ${key}: ${JSON.stringify(value)}\n`);
  return `    ${JSON.stringify(name)}:\n${lines.join('')}`;
}
