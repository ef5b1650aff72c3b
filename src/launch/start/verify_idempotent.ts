import type { Event, RunFinished } from '../../core/model/run/event.js';
import { changedSomething } from '../../core/model/run/result.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { sortNames } from '../../reporting/text/words.js';
import type { RunPorts, User } from '../load/ports.js';
import type { PreparedRun } from '../load/prepared_run.js';

/** The result of a check right after a run. */
export type Idempotence =
  /** Nothing would change a second time. */
  | { readonly status: 'verified' }
  /** Tasks that would change something again, with their controllers. */
  | { readonly status: 'changes'; readonly tasks: readonly ChangedAgain[] }
  /** The check did not complete. */
  | { readonly status: 'unknown'; readonly finished: RunFinished | undefined };

interface ChangedAgain {
  readonly task: string;
  readonly controllers: readonly string[];
}

/** `finished` is absent if the check did not start. */
interface Started {
  readonly status: string;
  readonly finished?: RunFinished;
}

/** Repeats the run as a check that shows nothing. */
export async function verifyIdempotent(
  { request, loaded, journalOptions, ...run }: PreparedRun,
  ports: RunPorts,
  start: (run: PreparedRun, ports: RunPorts) => Promise<Started>,
): Promise<Idempotence> {
  const { invocation, fingerprint, playbooks } = journalOptions;
  const changes = new Map<string, Set<string>>();
  const handle = (event: Event): void => {
    if (event.type !== 'task-finished' || event.item !== undefined || !changedSomething(event)) return;
    getOrAdd(changes, event.task, () => new Set()).add(event.controller);
  };
  const again: PreparedRun = {
    ...run,
    request: { ...request, check: true, readOnly: true, step: undefined, diff: undefined, verbosity: 0 },
    // After an apply, check what the playbooks of the plan would do now.
    loaded: { ...loaded, plan: undefined },
    journalOptions: { invocation, fingerprint, playbooks },
  };
  const quiet = {
    warnings: () => undefined,
    notice: () => undefined,
    open: () => ({ handle, close: () => Promise.resolve() }),
  };
  const { finished } = await start(again, { ...ports, report: quiet });
  if (finished?.status !== 'ok') return { status: 'unknown', finished };
  const tasks = [...changes].map(([task, controllers]) => ({ task, controllers: sortNames(controllers) }));
  return tasks.length === 0 ? { status: 'verified' } : { status: 'changes', tasks };
}

/** A second run needs the same password. */
export function askingOnce(user: User): User {
  const known = new Map<string, ReturnType<User['askSecret']>>();
  return { ...user, askSecret: (question) => getOrAdd(known, question, () => user.askSecret(question)) };
}
