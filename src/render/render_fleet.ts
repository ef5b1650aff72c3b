import type { Diagnostics } from '../core/model/source/diagnostic.js';
import { Diagnostics as Ignored } from '../core/model/source/diagnostic.js';
import { isMapping, type Mapping } from '../core/model/values/value.js';
import { maskTitle } from '../core/secrets/mask_text.js';
import { maskValue } from '../core/secrets/mask_value.js';
import type { Secrets } from '../core/secrets/secrets.js';
import { render, type RenderedController, type RenderProblem } from '../engine/render/render.js';
import { answersTo, type Respond } from '../launch/load/answers.js';
import { checkTags } from '../launch/load/known_tags.js';
import { selectPlays } from '../launch/load/selection.js';
import type { AskSecret } from '../launch/load/vault_passwords.js';
import { loadRequest } from '../launch/prepare/prepare_run.js';
import type { RunRequest } from '../launch/request/run_request.js';
import type { Workspace } from '../launch/request/workspace.js';
import { sharedInput } from '../launch/start/run_input.js';
import type { Module } from '../module/contract.js';
import { generalMessage } from '../reporting/text/messages.js';
import { count, someOf } from '../reporting/text/words.js';

export interface RenderPorts extends Workspace {
  readonly version: string;
  readonly secrets: Secrets;
  readonly askSecret: AskSecret;
  readonly modules?: readonly Module[] | undefined;
  readonly signals: { readonly drain: AbortSignal };
}

/** The rendered tasks of a fleet, masked. The problems are complete after the last controller. */
export interface RenderedFleet {
  readonly controllers: AsyncIterable<RenderedController>;
  readonly problems: (diagnostics: Diagnostics) => void;
}

/** Loads and renders a request. Asks only for vault passwords. Undefined after an error. */
export async function renderFleet(
  request: RunRequest,
  ports: RenderPorts,
  diagnostics: Diagnostics,
): Promise<RenderedFleet | undefined> {
  const loaded = await loadRequest(request, ports, diagnostics);
  if (loaded === undefined || diagnostics.failed()) return undefined;
  const answers = await answersTo(loaded, defaults, new Ignored());
  const selected = selectPlays(loaded, { ...request, answers }, diagnostics);
  await checkTags(loaded, request, diagnostics);
  if (diagnostics.failed()) return undefined;
  const shared = sharedInput({ request, loaded, selected, answers }, ports);
  const problems = new Problems();
  const input = { ...shared, signal: ports.signals.drain };
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
    const group = this.#groups.get(key) ?? { first: problem, controllers: new Set() };
    this.#groups.set(key, group);
    group.controllers.add(controller);
  };

  readonly addTo = (diagnostics: Diagnostics): void => {
    for (const { first, controllers } of this.#groups.values()) {
      const { message, source, hint } = first;
      const who =
        controllers.size === 1
          ? first.controller
          : `${count(controllers.size, 'controller')}: ${someOf([...controllers], MOST_NAMES)}`;
      diagnostics.error(`${message} on ${who}`, source, hint);
    }
  };
}
