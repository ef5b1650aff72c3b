import { Diagnostics, type Diagnostic } from '../../model/source/diagnostic.js';
import { didYouMean } from '../../model/source/suggestion.js';
import type { CommandContext } from '../../cli/context.js';
import type { Invocation } from '../request/invocation.js';
import { settingsOf } from '../request/read_invocation.js';
import type { RunOptions, RunSettings } from '../request/options.js';
import { openKept, type KeptAsked } from '../history/kept_request.js';
import { STATES, type State } from '../history/outcome.js';
import { underWay } from '../history/under_way.js';
import { lifeOfProcess } from '../run/run_record.js';
import type { Undertaking } from '../run/prepare_run.js';

interface Again {
  readonly undertaking: Undertaking;
  /** Where the run was begun, and with which project file. */
  readonly before: Pick<Invocation, 'cwd' | 'config' | 'noExec'>;
}

export type Rerun =
  ({ readonly status: 'ok' } & Again) | { readonly status: 'refused'; readonly diagnostics: readonly Diagnostic[] };

/**
 * What `run --rerun RUN:STATES` asks for: the same run, for the controllers that did not make it. Playbooks and options that are given
 * are stronger than those of then.
 */
export async function rerunOf(written: string, options: RunOptions, context: CommandContext): Promise<Rerun> {
  const diagnostics = new Diagnostics();
  const [run = '', wanted] = written.split(/:([^]*)/);
  const states = statesIn(wanted, diagnostics);
  if (diagnostics.failed()) return { status: 'refused', diagnostics: diagnostics.list };
  const opened = await openKept(run, context, (asked) => Promise.resolve(again(asked, states, options, diagnostics)));
  if (opened.status === 'refused') return opened;
  return opened.value === undefined
    ? { status: 'refused', diagnostics: diagnostics.list }
    : { status: 'ok', ...opened.value };
}

function statesIn(written: string | undefined, diagnostics: Diagnostics): readonly State[] {
  if (written === undefined) return STATES;
  const words = new Set(written.split(',').map((word) => word.trim()));
  return [...words].flatMap((word) => {
    const state = STATES.find((one) => one === word);
    if (state === undefined) {
      const hint = didYouMean(word, STATES) ?? `they are ${STATES.join(', ')}`;
      diagnostics.error(`--rerun: "${word}" is no state of a controller`, undefined, hint);
    }
    return state ?? [];
  });
}

function again(
  { kept: { header }, invocation, outcome }: KeptAsked,
  states: readonly State[],
  options: RunOptions,
  diagnostics: Diagnostics,
): Again | undefined {
  const { id } = header;
  if (outcome.finished === undefined && lifeOfProcess(header.process) === 'alive') {
    diagnostics.add([underWay(header)]);
    return undefined;
  }
  const controllers = new Set<string>();
  for (const state of states) {
    const found = outcome.controllers(state);
    if (found === undefined)
      diagnostics.error(
        `run ${id} was interrupted, so the controllers that it left out are unknown`,
        undefined,
        `${header.check ? 'start it again with its original command' : `evenkeel resume ${id} finishes it`}; --rerun ${id}:failed,unreachable leaves the others alone`,
      );
    for (const name of found ?? []) controllers.add(name);
  }
  if (!diagnostics.failed() && controllers.size === 0)
    diagnostics.error(`no controller of run ${id} is ${oneOf(states)}: there is nothing to do again`);
  if (diagnostics.failed()) return undefined;
  const settings: RunSettings = {
    ...settingsOf(invocation),
    within: { controllers: [...controllers], pattern: invocation.limit },
    ...options,
    extraVars: [...(invocation.extraVars ?? []), ...(options.extraVars ?? [])],
  };
  const { playbooks } = options;
  const command = playbooks.length > 0 ? ({ type: 'run', playbooks } as const) : invocation.command;
  return { undertaking: { command, options: settings, answers: invocation.answers }, before: invocation };
}

/** `failed`, `failed or unreachable`, `failed, unreachable or unstarted`. */
function oneOf(states: readonly State[]): string {
  const last = states.at(-1) ?? '';
  return states.length < 2 ? last : `${states.slice(0, -1).join(', ')} or ${last}`;
}
