import type { TaskFinished } from '../core/model/run/event.js';
import type { Ping, PingFailure } from '../core/model/run/ping.js';
import { maskText, type Masked } from '../core/secrets/mask_text.js';
import { reportWrongTerms } from '../launch/load/limits.js';
import type { RunPorts } from '../launch/load/ports.js';
import type { RunOptions } from '../launch/request/run_request.js';
import type { NotPermitted } from '../launch/start/permission.js';
import { openReading, runReading, type ReadingContext, type ReadingEnd } from '../launch/start/reading_playbook.js';
import { openProjectCatalogue } from '../launch/user_code/project_modules.js';

export interface PingFleetOptions extends RunOptions {
  /** Absent: all controllers. */
  readonly pattern?: string | undefined;
}

/** A controller that can be used. */
export interface Reached extends Omit<Ping, 'failure'> {
  readonly controller: string;
}

export interface Unreached extends Pick<PingFailure, 'hint'> {
  readonly controller: string;
  /** `unstarted`: the command ended before. */
  readonly status: PingFailure['status'] | 'unstarted';
  /** Null: nothing was sent. */
  readonly step: PingFailure['step'] | null;
  readonly message: Masked<string>;
}

export interface PingedFleet {
  readonly reached: readonly Reached[];
  readonly unreached: readonly Unreached[];
  readonly interrupted: boolean;
}

type PingOutcome = { readonly status: 'pinged'; readonly fleet: PingedFleet } | NotPermitted;

/** Contacts all controllers of a pattern, once each, in a check run of a generated playbook. Keeps no journal. */
export async function pingFleet(options: PingFleetOptions, ports: RunPorts): Promise<PingOutcome> {
  const reading = await openReading(options, ports);
  const { target, diagnostics } = reading;
  const { pattern = 'all' } = options;
  reportWrongTerms(target.inventory, 'ping', [{ pattern, source: undefined }], diagnostics);
  const pings = new Map<string, Ping>();
  const work = {
    label: 'ping',
    pattern,
    kinds: () => openProjectCatalogue(undefined, target.project, ports, diagnostics).kinds(),
    read: async (context: ReadingContext) => {
      pings.set(context.controller, await context.ping(false));
      return {};
    },
  };
  const outcome = await runReading(reading, work, ports);
  if (outcome.status !== 'read') return outcome;
  const mask = (text: string): Masked<string> => maskText(text, target.secrets);
  return { status: 'pinged', fleet: { ...sorted(outcome, pings, mask), interrupted: outcome.interrupted } };
}

/** The parts of a fleet that can be used, and that cannot, in the order of the inventory. */
function sorted(
  { controllers, failures }: Pick<ReadingEnd, 'controllers' | 'failures'>,
  pings: ReadonlyMap<string, Ping>,
  mask: (text: string) => Masked<string>,
): Pick<PingedFleet, 'reached' | 'unreached'> {
  const reached: Reached[] = [];
  const unreached: Unreached[] = [];
  for (const controller of controllers) {
    const { failure, ...facts } = pings.get(controller) ?? { failure: null };
    if (failure === null && 'url' in facts) reached.push({ controller, ...facts });
    else unreached.push({ controller, ...reason(failure, failures.get(controller), mask) });
  }
  return { reached, unreached };
}

function reason(
  failure: PingFailure | null,
  failed: Partial<TaskFinished> = {},
  mask: (text: string) => Masked<string>,
): Omit<Unreached, 'controller'> {
  if (failure !== null)
    return { step: failure.step, message: mask(failure.message), hint: failure.hint, status: failure.status };
  const { message, hint = null, status } = failed;
  const text = mask(message ?? 'the command ended before it was contacted');
  return {
    step: null,
    message: text,
    hint,
    status: status === 'failed' || status === 'unreachable' ? status : 'unstarted',
  };
}
