import { type CommandContext, show } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { getOrAdd } from '../core/model/values/groups.js';
import { jsonText, isMapping, type Mapping } from '../core/model/values/value.js';
import { maskTitle } from '../core/secrets/mask_text.js';
import { maskValue } from '../core/secrets/mask_value.js';
import type { Secrets } from '../core/secrets/secrets.js';
import { render, type RenderedController, type RenderProblem } from '../engine/render/render.js';
import { answersTo, type Respond } from '../launch/load/answers.js';
import { checkTags } from '../launch/load/known_tags.js';
import type { RunPorts } from '../launch/load/ports.js';
import { selectPlays } from '../launch/load/prepared_run.js';
import type { AskSecret } from '../launch/load/vault_passwords.js';
import { loadRequest } from '../launch/prepare/prepare_run.js';
import { runRequest, type RunOptions, type RunRequest } from '../launch/request/run_request.js';
import { sharedInput } from '../launch/start/loaded_input.js';
import { generalMessage } from '../reporting/text/messages.js';
import { colourWanted, createPalette } from '../reporting/text/palette.js';
import { nameControllers } from '../reporting/text/words.js';
import { fleetDifference, FleetFields, type FleetDifference } from './difference.js';
import { differenceLines, renderedJson, renderedYaml } from './text.js';

export interface RenderOptions extends RunOptions {
  readonly playbooks: readonly string[];
  /** The environment to compare with. */
  readonly against?: string | undefined;
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel render PLAYBOOK…`, and `evenkeel render PLAYBOOK… --env A --against B`. */
export async function renderCommand(options: RenderOptions, context: CommandContext): Promise<number> {
  const { against, json } = options;
  const diagnostics = new Diagnostics();
  const finish = (code: number): number => {
    show(diagnostics.list, context, options.color);
    if (context.signals.drain.aborted) return EXIT.interrupted;
    return diagnostics.failed() ? EXIT.usage : code;
  };
  if (against !== undefined) {
    const difference = await compareRendered(options, against, context, diagnostics);
    if (difference === undefined || diagnostics.failed()) return finish(EXIT.usage);
    writeDifference(difference, options, context);
    return finish(difference.groups.length === 0 ? EXIT.ok : EXIT.changes);
  }
  const fleet = await rendered(options, options.env, context, diagnostics);
  if (fleet === undefined) return finish(EXIT.usage);
  const { stdout } = context;
  const texts = json === true ? renderedJson(fleet.controllers) : renderedYaml(fleet.controllers);
  for await (const text of texts) {
    stdout.write(text, { json });
    await stdout.keptUp();
  }
  fleet.problems(diagnostics);
  return finish(EXIT.ok);
}

function rendered(
  options: RenderOptions,
  env: string | undefined,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<RenderedFleet | undefined> {
  const request = runRequest({ type: 'run', playbooks: options.playbooks }, { ...options, env });
  return renderFleet(request, { ...context, ...loadingPorts(context) }, diagnostics, options.against !== undefined);
}

async function compareRendered(
  options: RenderOptions,
  against: string,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<FleetDifference | undefined> {
  const fields: FleetFields[] = [];
  for (const env of [against, options.env]) {
    const fleet = await rendered(options, env, context, diagnostics);
    if (fleet === undefined) return undefined;
    const found = new FleetFields();
    for await (const one of fleet.controllers) found.add(one);
    fleet.problems(diagnostics);
    fields.push(found);
  }
  const [before, after] = fields;
  return before && after && fleetDifference(before, after);
}

function writeDifference(
  difference: FleetDifference,
  { against = '', env, json, color }: RenderOptions,
  { stdout, env: variables }: CommandContext,
): void {
  const names = { before: against, after: env ?? 'the default inventory' };
  if (json === true) stdout.write(`${jsonText({ schemaVersion: 1, ...names, ...difference })}\n`, { json });
  else {
    const palette = createPalette(colourWanted(stdout, variables, color));
    stdout.write(`${differenceLines(difference, names, palette).join('\n')}\n`);
  }
}

interface RenderCommandPorts extends Pick<RunPorts, 'cwd' | 'env' | 'version' | 'secrets' | 'modules'> {
  readonly askSecret: AskSecret;
  readonly signals: { readonly drain: AbortSignal };
}

/** The rendered tasks of a fleet, masked. The problems are complete after the last controller. */
interface RenderedFleet {
  readonly controllers: AsyncIterable<RenderedController>;
  readonly problems: (diagnostics: Diagnostics) => void;
}

/** Loads and renders a request. Asks only for vault passwords. Undefined after an error. */
async function renderFleet(
  request: RunRequest,
  ports: RenderCommandPorts,
  diagnostics: Diagnostics,
  isCompared: boolean,
): Promise<RenderedFleet | undefined> {
  const loaded = await loadRequest(request, ports, diagnostics);
  // Two lists of controllers without those of inventory programs could agree by mistake.
  if (isCompared && loaded?.target.inventory.partial === true) diagnostics.requireExecution();
  if (loaded === undefined || diagnostics.failed()) return undefined;
  const answers = await answersTo(loaded, defaults, new Diagnostics());
  const selected = selectPlays(loaded, { ...request, answers }, diagnostics);
  await checkTags(loaded, request, diagnostics);
  if (diagnostics.failed()) return undefined;
  const shared = sharedInput({ request, loaded, selected, answers }, ports);
  const problems = new Problems();
  const input = { ...shared, drain: ports.signals.drain };
  return { controllers: masked(render(input, problems.add), loaded.target.secrets), problems: problems.addTo };
}

/** `vars_prompt` get their defaults, as in listings. */
const defaults: Respond = () => Promise.resolve({ type: 'unanswered' });

async function* masked(
  rendered: AsyncIterable<RenderedController>,
  secrets: Secrets,
): AsyncIterable<RenderedController> {
  const mask = (tasks: readonly Mapping[]): readonly Mapping[] =>
    tasks.flatMap((task) => {
      const shown = maskValue(task, secrets);
      return isMapping(shown) ? [shown] : [];
    });
  for await (const one of rendered) {
    const { tasks, handlers, gate } = one;
    yield {
      ...one,
      play: maskTitle(one.play, secrets),
      tasks: mask(tasks),
      ...(handlers && { handlers: mask(handlers) }),
      ...(gate && { gate: mask(gate) }),
    };
  }
}

const MOST_NAMES = 3;

/** The certain failures, each once for all controllers with the same cause. */
class Problems {
  readonly #groups = new Map<string, { readonly first: RenderProblem; readonly controllers: Set<string> }>();

  readonly add = (problem: RenderProblem): void => {
    const { controller, message, source } = problem;
    const key = JSON.stringify([generalMessage(message, controller), source]);
    getOrAdd(this.#groups, key, () => ({ first: problem, controllers: new Set<string>() })).controllers.add(controller);
  };

  readonly addTo = (diagnostics: Diagnostics): void => {
    for (const { first, controllers } of this.#groups.values()) {
      const { message, source, hint } = first;
      diagnostics.error(`${message} (on ${nameControllers([...controllers], MOST_NAMES)})`, source, hint);
    }
  };
}
