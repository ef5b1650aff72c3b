import { confirm } from './confirm.js';
import { stepsOf, tasksIn } from '../model/steps.js';
import type { CommandContext } from './context.js';
import type { SelectedPlay } from './listing.js';
import type { LoadedRun } from './load_run.js';

/** What is to be done, as far as an environment may object to it. */
export interface Undertaking {
  readonly loaded: LoadedRun;
  readonly selected: readonly SelectedPlay[];
  readonly options: {
    readonly check?: boolean | undefined;
    readonly simulate?: boolean | undefined;
    readonly yes?: boolean | undefined;
  };
  /** What is run, for the question. */
  readonly label: string;
}

/** Why the environment does not let this run begin; undefined if it does. Asks where `confirm` wants an answer. */
export async function consent(undertaking: Undertaking, context: CommandContext): Promise<string | undefined> {
  const { loaded, selected, options, label } = undertaking;
  const { environment } = loaded.target;
  if (environment === undefined || !mayWrite(loaded, options)) return undefined;
  const refusal = needsPlan(loaded, options);
  if (refusal !== undefined) return refusal;
  if (!environment.confirm || options.yes === true) return undefined;
  const controllers = [...new Set(selected.flatMap((play) => play.controllers))];
  const answer = await confirm({ environment: environment.name, playbooks: [label], controllers }, context);
  return answer.status === 'given' ? undefined : answer.message;
}

/** `require_plan`: only what was planned before may write. Plans come with a later version; until then nothing may. */
export function needsPlan(loaded: LoadedRun, options: Undertaking['options']): string | undefined {
  const { environment } = loaded.target;
  if (environment?.requirePlan !== true || !mayWrite(loaded, options)) return undefined;
  return `${environment.name} takes changes only from a plan (require_plan), and this version cannot apply plans yet: --check shows what would change`;
}

/** A rehearsal touches nothing; a check writes only through a task with `check_mode: false`. */
function mayWrite({ playbooks }: LoadedRun, { check, simulate }: Undertaking['options']): boolean {
  if (simulate === true) return false;
  if (check !== true) return true;
  const tasks = playbooks.flatMap(({ plays }) =>
    plays.flatMap((play) => [...tasksIn(stepsOf(play)), ...play.handlers]),
  );
  return tasks.some(({ checkMode }) => checkMode !== undefined && checkMode.value !== true);
}
