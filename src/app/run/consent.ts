import { confirm, type Objection } from '../../cli/terminal/confirm.js';
import { EXIT, type CommandContext } from '../../cli/context.js';
import type { SelectedPlay } from '../../cli/text/listing.js';
import type { LoadedRun } from '../load/load_run.js';
import { writesInCheck, type WritesInCheck } from '../load/writes_in_check.js';

/** What the environment's rules must allow. */
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
export async function consent(undertaking: Undertaking, context: CommandContext): Promise<Objection | undefined> {
  const { loaded, selected, options, label } = undertaking;
  const { environment } = loaded.target;
  if (environment === undefined) return undefined;
  const written = await writesOf(loaded, options);
  if (written.type === 'none') return undefined;
  const refusal = planRefusal(loaded, written);
  if (refusal !== undefined) return { message: refusal, exitCode: EXIT.usage };
  if (!environment.confirm || options.yes === true) return undefined;
  const controllers = [...new Set(selected.flatMap((play) => play.controllers))];
  return confirm({ environment: environment.name, playbooks: [label], controllers }, context);
}

/** `require_plan`: only what was planned before may write. Plans come with a later version; until then nothing may. */
export async function needsPlan(loaded: LoadedRun, options: Undertaking['options']): Promise<string | undefined> {
  return planRefusal(loaded, await writesOf(loaded, options));
}

/** Whether a run may write to a controller, as far as is known before it starts. */
export async function mayWrite(loaded: LoadedRun, options: Undertaking['options']): Promise<boolean> {
  return (await writesOf(loaded, options)).type !== 'none';
}

function planRefusal({ target: { environment } }: LoadedRun, written: WritesInCheck): string | undefined {
  if (environment?.requirePlan !== true || written.type === 'none') return undefined;
  const only = `${environment.name} takes changes only from a plan (require_plan)`;
  return written.type === 'unknown'
    ? `${only}, and what is included at ${written.place} is known only during the run: it might write even in a check`
    : `${only}, and this version cannot apply plans yet: --check shows what would change`;
}

/** A rehearsal touches nothing. */
async function writesOf({ playbooks }: LoadedRun, { check, simulate }: Undertaking['options']): Promise<WritesInCheck> {
  if (simulate === true) return { type: 'none' };
  return check === true ? writesInCheck(playbooks) : { type: 'task' };
}
