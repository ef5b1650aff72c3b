import { Diagnostics } from '../model/diagnostic.js';
import { answersTo, type Respond } from './answers.js';
import { EXIT, type CommandContext } from './context.js';
import { listing, type Wanted } from './listing.js';
import { loadRun, type LoadedRun } from './load_run.js';
import type { RunOptions } from './options.js';
import { perform } from './perform.js';
import { refuse, show } from './refusal.js';
import { fromTerminal } from './respond.js';
import { selectPlays } from './selection.js';

/** `evenkeel run PLAYBOOK…`. */
export async function runCommand(options: RunOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const looking = isLooking(options);
  if (!looking) checkStep(options, context, diagnostics);
  const loaded = await loadRun({ type: 'files', files: options.playbooks }, options, context, diagnostics);
  if (loaded === undefined || diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  return looking ? look(loaded, options, diagnostics, context) : go(loaded, options, diagnostics, context);
}

async function go(
  loaded: LoadedRun,
  options: RunOptions,
  diagnostics: Diagnostics,
  context: CommandContext,
): Promise<number> {
  const answers = await answersTo(loaded, fromTerminal(context), diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  const selected = selectPlays(loaded, { ...options, answers }, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  show(diagnostics.list, context, options.color);
  return perform({ loaded, selected, options, answers, label: options.playbooks.join(' ') }, context);
}

/** Shows what would be run. Nobody is asked anything: of `vars_prompt` the defaults serve, as in Ansible. */
async function look(
  loaded: LoadedRun,
  options: RunOptions,
  diagnostics: Diagnostics,
  context: CommandContext,
): Promise<number> {
  const { tags, skipTags } = options;
  const answers = await answersTo(loaded, nobody, new Diagnostics());
  const selected = selectPlays(loaded, { tags, skipTags, answers }, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  show(diagnostics.list, context, options.color);
  context.stdout.write(listing(loaded.playbooks, options.syntaxCheck === true ? [] : selected, wantedBy(options)));
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

/** Task by task is what `linear` does; and somebody must be there to say yes. */
function checkStep({ step, strategy, output }: RunOptions, { stdin }: CommandContext, diagnostics: Diagnostics): void {
  if (step !== true) return;
  if (!stdin.isTTY)
    diagnostics.error('--step asks before each task, and nobody is there to answer', undefined, 'run it in a terminal');
  if (strategy !== undefined && strategy !== 'linear')
    diagnostics.error(`--step goes task by task: it cannot be used with --strategy ${strategy}`);
  if (output === 'json' || output === 'quiet')
    diagnostics.error(`--step shows what each task did: it cannot be used with --output ${output}`);
}
