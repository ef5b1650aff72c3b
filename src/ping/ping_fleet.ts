import type { TaskFinished } from '../core/model/run/event.js';
import type { Ping, PingFailure } from '../core/model/run/ping.js';
import { maskText, type Masked } from '../core/secrets/mask_text.js';
import type { RunPorts } from '../launch/load/ports.js';
import type { RunOptions } from '../launch/request/run_request.js';
import type { NotPermitted } from '../launch/start/permission.js';
import { openReading, runReading, type ReadingContext } from '../launch/start/reading_playbook.js';
import { openProjectCatalogue } from '../launch/user_code/project_modules.js';
import type { Reporter } from '../reporting/reporter.js';

export interface PingFleetOptions extends RunOptions {
  /** Absent: all controllers. */
  readonly pattern?: string | undefined;
}

/** A controller that can be used. */
export interface Reached extends Omit<Ping, 'failure'> {
  readonly controller: string;
}

export interface Unreached extends Pick<PingFailure, 'status' | 'hint'> {
  readonly controller: string;
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
  const pings = new PingCollector((text) => maskText(text, target.secrets));
  const work = {
    ...{ label: 'ping', pattern: options.pattern ?? 'all' },
    kinds: () => openProjectCatalogue(undefined, target.project, ports, diagnostics).kinds(),
    read: async (context: ReadingContext) => {
      pings.add(context.controller, await context.ping(false));
      return {};
    },
    observing: (shown: Reporter) => pings.observing(shown),
  };
  const outcome = await runReading(reading, work, ports);
  if (outcome.status !== 'read') return outcome;
  return { status: 'pinged', fleet: { ...pings.result(outcome.controllers), interrupted: outcome.interrupted } };
}

class PingCollector {
  readonly #pings = new Map<string, Ping>();
  /** Tasks that failed before they sent anything, for example without a password. */
  readonly #failed = new Map<string, TaskFinished>();

  constructor(private readonly mask: (text: string) => Masked<string>) {}

  add(controller: string, ping: Ping): void {
    this.#pings.set(controller, ping);
  }

  /** Forwards events to the caller's reporter, and notes failures. */
  observing(shown: Reporter): Reporter {
    return {
      handle: (event) => {
        if (event.type === 'task-finished' && (event.status === 'failed' || event.status === 'unreachable'))
          this.#failed.set(event.controller, event);
        shown.handle(event);
      },
      close: () => shown.close(),
    };
  }

  /** @param selected in the order of the inventory */
  result(selected: readonly string[]): Pick<PingedFleet, 'reached' | 'unreached'> {
    const reached: Reached[] = [];
    const unreached: Unreached[] = [];
    for (const controller of selected) {
      const { failure, ...facts } = this.#pings.get(controller) ?? { failure: null };
      if (failure === null && 'url' in facts) reached.push({ controller, ...facts });
      else unreached.push({ controller, ...this.#reason(controller, failure) });
    }
    return { reached, unreached };
  }

  #reason(controller: string, failure: PingFailure | null): Omit<Unreached, 'controller'> {
    if (failure !== null) {
      const { step, message, hint, status } = failure;
      return { step, message: this.mask(message), hint, status };
    }
    const { message, hint = null, status } = this.#failed.get(controller) ?? {};
    const text = this.mask(message ?? 'the command ended before it was contacted');
    return { step: null, message: text, hint, status: status === 'failed' ? 'failed' : 'unreachable' };
  }
}
