import path from 'node:path';
import { RERUN_STATES } from '../core/model/run/choices.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import { openKept, type KeptRequest, typedOptions } from '../launch/history/kept_request.js';
import { configOption, listedRun } from '../launch/history/listed_run.js';
import type { KeptState } from '../launch/history/outcome.js';
import { nextCommand } from '../launch/history/run_detail.js';
import { requireNotUndone, whyNotEnded } from '../launch/history/run_life.js';
import {
  earlierWorkspace,
  type Invocation,
  readFingerprint,
  toRunRequest,
  type Workspace,
} from '../launch/request/invocation.js';
import {
  refusedBy,
  runOptions,
  type Refused,
  type RunOptions,
  type RunRequest,
} from '../launch/request/run_request.js';

/** What `--rerun` starts from. */
export interface RerunOptions extends RunOptions {
  /** `RUN` or `RUN:failed,unstarted` */
  readonly rerun: string;
  /** Replace those of the earlier run; empty: keep them. */
  readonly playbooks: readonly string[];
}

interface RerunRequest {
  readonly request: RunRequest;
  /** Answers to `vars_prompt`. */
  readonly answers: Invocation['answers'];
  readonly workspace: Workspace;
  readonly requireAsRead: () => Promise<void>;
}

export type Rerun = ({ readonly status: 'ok' } & RerunRequest) | Refused;

/** The request of an earlier run, for the controllers on which it did not succeed. New options override its options. */
export async function rerunRequest(options: RerunOptions, workspace: Workspace): Promise<Rerun> {
  const diagnostics = new Diagnostics();
  const [run = '', wanted] = options.rerun.split(/:([^]*)/);
  const states = statesIn(wanted, diagnostics);
  if (diagnostics.failed()) return refusedBy(diagnostics);
  const opened = await openKept(run, workspace, (earlier) =>
    Promise.resolve(requestAgain(earlier, states, options, workspace, diagnostics)),
  );
  if (opened.status === 'refused') return opened;
  if (opened.value === undefined) return refusedBy(diagnostics);
  return (await whyTooOld(opened.value)) ?? { status: 'ok', ...opened.value };
}

/** A plan is as old for a rerun as for `apply`. */
async function whyTooOld({ request: { command }, workspace }: RerunRequest): Promise<Refused | undefined> {
  if (command.type !== 'apply') return undefined;
  const { openPlan, whyNotNow } = await import('../launch/planned/open_plan.js');
  const { file, plan } = command;
  const created = await openPlan(file, workspace, (open) => open.file.header.created);
  return created.status === 'refused' ? created : whyNotNow(`plan ${plan}`, workspace.cwd, created.value);
}

function statesIn(written: string | undefined, diagnostics: Diagnostics): readonly KeptState[] {
  if (written === undefined) return RERUN_STATES;
  const words = new Set(written.split(',').map((word) => word.trim()));
  return [...words].flatMap((word) => {
    const state = RERUN_STATES.find((one) => one === word);
    if (state === undefined) {
      const hint = didYouMean(word, RERUN_STATES) ?? `they are ${RERUN_STATES.join(', ')}`;
      diagnostics.error(`--rerun: "${word}" is not a state of a controller`, undefined, hint);
    }
    return state ?? [];
  });
}

function requestAgain(
  { project, kept: { header, inputs, tail }, invocation, outcome, undoneBy }: KeptRequest,
  states: readonly KeptState[],
  options: RerunOptions,
  workspace: Workspace,
  diagnostics: Diagnostics,
): RerunRequest | undefined {
  const { id } = header;
  const next = nextCommand({ ...listedRun(header, 'gone'), undoneBy }, configOption(project));
  const again = next === undefined ? 'start it again with its original command' : `continue with ${next}`;
  // A check writes nothing, and cannot be resumed.
  const hint = `if it has ended, ${again}${next === undefined ? '' : ' --force'}`;
  const running = outcome.finished === undefined ? whyNotEnded(header, header.check, hint) : undefined;
  if (running !== undefined) {
    diagnostics.add([running]);
    return undefined;
  }
  const controllers = new Set<string>();
  for (const state of states) {
    const found = outcome.inState(state);
    if (found === undefined)
      diagnostics.error(
        `run ${id} was interrupted, so the controllers that it left out are unknown`,
        undefined,
        `${again}; --rerun ${id}:failed,unreachable leaves the others alone`,
      );
    for (const name of found ?? []) controllers.add(name);
  }
  if (invocation.shard !== undefined && options.shard !== undefined)
    diagnostics.error(`run ${id} was shard ${invocation.shard}, and so is its rerun`, undefined, 'omit --shard');
  const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(states);
  if (!diagnostics.failed() && controllers.size === 0)
    diagnostics.error(`no controller of run ${id} is ${listed}: there is nothing to rerun`);
  if (diagnostics.failed()) return undefined;
  const typed = typedOptions(options, workspace.cwd, invocation.cwd);
  const playbooks = options.playbooks.map((file) =>
    workspace.cwd === invocation.cwd ? file : path.resolve(workspace.cwd, file),
  );
  const command = playbooks.length > 0 ? ({ type: 'run', playbooks } as const) : invocation.command;
  const { limit: pattern } = invocation;
  const before = new Set(readFingerprint(inputs().fingerprint ?? {})?.controllers);
  const known = [...controllers].filter((name) => before.has(name));
  const request: RunRequest = {
    ...toRunRequest(invocation),
    // In a rollback, one host restores what all hosts of its controller wrote. What is restored already is left as it is.
    ...(command.type !== 'rollback' && {
      within: { controllers: [...controllers], known, ...(pattern !== undefined && { pattern }) },
    }),
    ...runOptions(typed),
    extraVars: [...(invocation.extraVars ?? []), ...(typed.extraVars ?? [])],
    command,
  };
  return {
    request,
    answers: invocation.answers,
    workspace: earlierWorkspace(invocation, workspace),
    requireAsRead: async () => {
      const { requireAsRead } = await import('../record/journal/write/continue_run.js');
      await requireAsRead(project.stateDirectory, tail.file);
      await requireNotUndone(
        project.stateDirectory,
        header,
        undoneBy,
        'run it again to start from what the rollback left',
      );
    },
  };
}
