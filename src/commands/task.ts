import { adHocPlaybook } from '../load/playbook/ad_hoc.js';
import { Diagnostics } from '../model/diagnostic.js';
import type { CommandContext } from './context.js';
import { loadRun } from './load_run.js';
import type { TaskOptions } from './options.js';
import { perform } from './perform.js';
import { refuse, show } from './refusal.js';
import { selectPlays } from './selection.js';

/** `evenkeel task PATTERN -m MODULE -a ARGS`. */
export async function taskCommand(options: TaskOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const { pattern, module, args } = options;
  const loaded = await loadRun(
    {
      type: 'made',
      make: ({ library, vault }, catalogue) =>
        adHocPlaybook({ pattern, module, args, cwd: context.cwd, catalogue, diagnostics, library, vault }),
    },
    options,
    context,
    diagnostics,
  );
  if (loaded === undefined || diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  const selected = selectPlays(loaded, {}, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  show(diagnostics.list, context, options.color);
  return perform({ loaded, selected, options, label: module }, context);
}
