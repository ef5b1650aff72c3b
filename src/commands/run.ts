import { Diagnostics } from '../model/diagnostic.js';
import { EXIT, type CommandContext } from './context.js';
import { listing } from './listing.js';
import { loadRun } from './load_run.js';
import type { RunOptions } from './options.js';
import { refuse, show } from './refusal.js';
import { perform } from './perform.js';
import { selectPlays } from './selection.js';

/** `evenkeel run PLAYBOOK…`. */
export async function runCommand(options: RunOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const loaded = await loadRun({ type: 'files', files: options.playbooks }, options, context, diagnostics);
  if (loaded === undefined || diagnostics.failed()) return refuse(diagnostics.list, context, options.color);

  const selected = selectPlays(loaded, options, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  show(diagnostics.list, context, options.color);
  if (options.syntaxCheck === true) {
    context.stdout.write(`${options.playbooks.map((file) => `playbook: ${file}`).join('\n')}\n`);
    return EXIT.ok;
  }
  const wanted = {
    hosts: options.listHosts === true,
    tasks: options.listTasks === true,
    tags: options.listTags === true,
  };
  if (wanted.hosts || wanted.tasks || wanted.tags) {
    context.stdout.write(listing(options.playbooks, selected, wanted));
    return EXIT.ok;
  }
  return perform({ loaded, selected, options, label: options.playbooks.join(' ') }, context);
}
