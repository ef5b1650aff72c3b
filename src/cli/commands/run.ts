import { Diagnostics } from '../../model/source/diagnostic.js';
import { answersTo, type Respond } from '../../app/load/answers.js';
import { asBefore, EXIT, type CommandContext } from '../context.js';
import { listing, type Wanted } from '../text/listing.js';
import type { RunOptions } from '../../app/request/options.js';
import { NO_EXEC } from '../../programs/programs.js';
import { refuse, show } from '../terminal/refusal.js';
import { rerunOf } from '../../app/resume/rerun.js';
import { checkTags } from '../../app/load/known_tags.js';
import { selectPlays } from '../../app/load/selection.js';
import { loadCommand, undertake, type Undertaking } from '../../app/run/prepare_run.js';

/** `evenkeel run PLAYBOOK…`, and `evenkeel run --rerun RUN`. */
export async function runCommand(options: RunOptions, context: CommandContext): Promise<number> {
  const { playbooks, rerun } = options;
  if (rerun === undefined) return start({ command: { type: 'run', playbooks }, options }, options, context);
  const again = await rerunOf(rerun, options, context);
  if (again.status === 'refused') return refuse(again.diagnostics, context, options.color);
  return start(again.undertaking, options, asBefore(context, again.before));
}

async function start(undertaking: Undertaking, options: RunOptions, context: CommandContext): Promise<number> {
  if (isLooking(options)) return look(undertaking, options, context);
  const { command, options: settings } = undertaking;
  if (command.type !== 'rollback') return undertake(undertaking, context);
  // What a rollback would do is shown, and asked for, however it is begun.
  const { rollbackCommand } = await import('./rollback.js');
  return rollbackCommand({ ...settings, run: command.run, allowLockout: command.allowLockout }, context);
}

/** Shows what would run, without questions: `vars_prompt` gets its defaults, as in Ansible. */
async function look({ command, options }: Undertaking, asked: RunOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const loaded = await loadCommand(command, options, context, diagnostics);
  // Without inventory programs the list of controllers would be wrong; everything else works without them.
  if (asked.listHosts === true) diagnostics.insistOn(NO_EXEC);
  if (loaded === undefined || diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  const { tags, skipTags, startAtTask } = options;
  const answers = await answersTo(loaded, nobody, new Diagnostics());
  const selected = selectPlays(loaded, { tags, skipTags, startAtTask, answers }, diagnostics);
  await checkTags(loaded, options, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  show(diagnostics.list, context, options.color);
  const shown = asked.syntaxCheck === true ? [] : selected;
  context.stdout.write(listing(loaded.playbooks, shown, wantedBy(asked), (text) => context.secrets.mask(text)));
  return EXIT.ok;
}

const nobody: Respond = () => Promise.resolve({ type: 'nobody' });

function wantedBy({ listHosts, listTasks, listTags }: RunOptions): Wanted {
  return { hosts: listHosts === true, tasks: listTasks === true, tags: listTags === true };
}

function isLooking(options: RunOptions): boolean {
  const { hosts, tasks, tags } = wantedBy(options);
  return options.syntaxCheck === true || hosts || tasks || tags;
}
