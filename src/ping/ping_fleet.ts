import path from 'node:path';
import { EXIT } from '../core/model/exit_code.js';
import type { TaskFinished } from '../core/model/run/event.js';
import type { Ping, PingFailure } from '../core/model/run/ping.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { NO_EXEC } from '../core/programs/programs.js';
import { maskText, type Masked } from '../core/secrets/mask_text.js';
import type { RunPorts } from '../launch/load/ports.js';
import { selectedControllers, selectPlays } from '../launch/load/selection.js';
import { loadTarget } from '../launch/load/target.js';
import { runRequest, type RunOptions } from '../launch/request/run_request.js';
import type { NotPermitted } from '../launch/start/permission.js';
import { readingPlaybook } from '../launch/start/reading_playbook.js';
import { startPrepared } from '../launch/start/start_run.js';
import { readBeside } from '../launch/undo/variables_beside.js';
import { openProjectCatalogue } from '../launch/user_code/project_modules.js';
import { ProjectSources } from '../project/document/project_sources.js';
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
  const diagnostics = new Diagnostics();
  const request = runRequest({ type: 'run', playbooks: [] }, { ...options, check: true, diff: undefined });
  const reads = new ProjectSources();
  const folder = path.resolve(ports.cwd);
  const workspace = { ...ports, askSecret: ports.user.askSecret, sources: reads };
  const target = await loadTarget(request, workspace, diagnostics, [folder]);
  const beside = await readBeside([folder], ports.cwd, diagnostics, target);
  diagnostics.raiseToErrors(NO_EXEC);
  if (diagnostics.failed()) return { status: 'refused', diagnostics: diagnostics.list };
  const pings = new PingCollector((text) => maskText(text, target.secrets));
  const made = readingPlaybook(folder, beside, options.pattern ?? 'all', async (context) => {
    pings.add(context.controller, await context.ping(false));
    return {};
  });
  const kinds = () => openProjectCatalogue(undefined, target.project, ports, diagnostics).kinds();
  const loaded = { target, ...made, kinds, playbooks: [made.playbook], reads };
  const selected = selectPlays(loaded, {}, diagnostics);
  if (diagnostics.failed()) return { status: 'refused', diagnostics: diagnostics.list };
  ports.report.warnings(diagnostics.list, ports.cwd);
  const open: RunPorts['report']['open'] = (...about) => pings.beside(ports.report.open(...about));
  const run = { request, loaded, selected, label: 'ping', journalOptions: { isKept: false }, confirmed: true };
  const outcome = await startPrepared(run, { ...ports, report: { ...ports.report, open } });
  if (outcome.status !== 'finished') return outcome;
  const interrupted = outcome.finished.exitCode === EXIT.interrupted || ports.signals.drain.aborted;
  return { status: 'pinged', fleet: { ...pings.result([...selectedControllers(selected)]), interrupted } };
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
  beside(shown: Reporter): Reporter {
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
