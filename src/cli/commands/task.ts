import type { CommandContext } from '../context.js';
import type { TaskOptions } from '../../app/request/options.js';
import { undertake } from '../../app/run/prepare_run.js';

/** `evenkeel task PATTERN -m MODULE -a ARGS`. */
export function taskCommand(options: TaskOptions, context: CommandContext): Promise<number> {
  const { pattern, module, args } = options;
  const command = { type: 'task', pattern, module, ...(args !== undefined && { args }) } as const;
  return undertake({ command, options }, context);
}
