import { loadProject } from '../../load/project/project.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { NO_EXEC } from '../../programs/programs.js';
import { plain } from '../../report/text/plain.js';
import { asBefore, EXIT, type CommandContext } from '../context.js';
import { fingerprintOf } from '../../app/load/fingerprint.js';
import type { Invocation } from '../../app/request/invocation.js';
import { invocationOf } from '../../app/request/invocation_of.js';
import { readInvocation } from '../../app/request/read_invocation.js';
import { perform } from '../../app/run/perform.js';
import { refuse, show } from '../terminal/refusal.js';
import { consentToRollback } from './rollback_consent.js';
import { invokedOptions } from '../../app/rollback/invoked_options.js';
import { loadRollback, type LoadedRollback } from '../../app/rollback/load_rollback.js';
import type { RollbackOptions } from '../../app/rollback/options.js';
import { isEmpty } from '../../app/rollback/plan.js';
import { planText } from '../text/rollback_plan.js';
import { readUndoneRun, type UndoneRun } from '../../app/rollback/undone_run.js';
import { timeText } from '../../app/history/listed_run.js';
import { selectPlays } from '../../app/load/selection.js';

/** `evenkeel rollback RUN`. */
export async function rollbackCommand(given: RollbackOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const project = await loadProject(context.cwd, context.env, diagnostics);
  const undone = diagnostics.failed() ? undefined : await readUndoneRun(project.stateDirectory, given.run, diagnostics);
  if (undone === undefined) return refuse(diagnostics.list, context, given.color);
  try {
    return await rollBack(undone, given, context, diagnostics);
  } finally {
    await undone.release();
  }
}

async function rollBack(
  undone: UndoneRun,
  given: RollbackOptions,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<number> {
  if (diagnostics.failed()) return refuse(diagnostics.list, context, given.color);
  const { options, before } = settled(given, undone, context);
  const there = asBefore(context, before);
  const rollback = await loadRollback(undone, options, there, diagnostics);
  diagnostics.insistOn(NO_EXEC);
  if (diagnostics.failed()) return refuse(diagnostics.list, there, options.color);
  show(diagnostics.list, there, options.color);
  return carryOut({ undone, options, rollback }, there);
}

/** A rehearsal is undone in a rehearsal: what it wrote to were no real controllers. */
function settled(
  given: RollbackOptions,
  { header, invocation }: UndoneRun,
  { cwd }: CommandContext,
): { readonly options: RollbackOptions; readonly before: Pick<Invocation, 'cwd' | 'config' | 'noExec'> } {
  const named = header.environment === null ? {} : { env: header.environment };
  const kept = (invocation && readInvocation(invocation)) ?? { cwd: header.cwd, ...named };
  const options = invokedOptions(given, kept, cwd);
  return { before: kept, options: { ...options, simulate: header.simulated || given.simulate === true } };
}

interface Rollback {
  readonly undone: UndoneRun;
  readonly options: RollbackOptions;
  readonly rollback: LoadedRollback;
}

async function carryOut({ undone, options, rollback }: Rollback, context: CommandContext): Promise<number> {
  const { plan, loaded } = rollback;
  const { id } = undone.header;
  const tell = (text: string): boolean => context.stderr.write(plain(text));
  if (isEmpty(plan)) {
    tell(`evenkeel: there is nothing to put back: run ${id} changed nothing${within(options)}\n`);
    return EXIT.ok;
  }
  tell(`Rollback of ${id} (evenkeel ${undone.header.command}, started ${timeText(undone.header.time)} UTC)\n`);
  tell(planText(plan, loaded.target.secrets));
  const end = plan.barred.size > 0 ? EXIT.failed : EXIT.ok;
  if (plan.undos.size === 0) {
    tell('evenkeel: there is nothing that can be put back: nothing was contacted\n');
    return end;
  }
  const isSafe = options.check === true || options.simulate === true || options.yes === true;
  const refused = isSafe ? undefined : await consentToRollback(plan, loaded.target, context);
  if (refused !== undefined) {
    tell(`evenkeel: ${refused.message}\n`);
    return refused.exitCode;
  }
  const code = await performed({ undone, options, rollback }, context);
  return end !== EXIT.ok && (code === EXIT.ok || code === EXIT.changes) ? end : code;
}

function within({ limit }: RollbackOptions): string {
  return limit === undefined ? '' : ` on "${limit}"`;
}

function performed({ undone, options, rollback: { loaded } }: Rollback, context: CommandContext): Promise<number> {
  const { cwd, version } = context;
  const selected = selectPlays(loaded, {}, new Diagnostics());
  const command = { type: 'rollback', run: undone.header.id, allowLockout: options.allowLockout === true } as const;
  const invocation = invocationOf({ command, options, loaded, answers: [], cwd });
  const fingerprint = fingerprintOf(loaded, { version, cwd, key: invocation.fingerprintKey });
  const { id: undoes, command: undoneCommand, playbooks } = undone.header;
  const keeping = { invocation, fingerprint, undoes, playbooks: undoneCommand === 'task' ? [] : playbooks };
  return perform({ loaded, selected, options, label: command.run, keeping, agreed: true }, context);
}
