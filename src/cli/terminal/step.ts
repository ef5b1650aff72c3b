import { setImmediate } from 'node:timers/promises';
import { oneLine } from '../../report/text/plain.js';
import type { ConfirmTask } from '../../run/input/run_input.js';
import type { CommandContext } from '../context.js';
import { ask } from './prompt.js';

/**
 * `--step`: asks before each task, in Ansible's words; whatever is neither yes nor continue leaves it out.
 *
 * @param stop ends the run: called when the question itself is interrupted
 */
export function askBeforeTasks(
  terminal: Pick<CommandContext, 'stdin' | 'stderr' | 'drain'>,
  stop: () => void,
): ConfirmTask {
  return async (title) => {
    // What the last task had to tell comes before the question.
    await setImmediate();
    const answer = await ask(`Perform task: ${oneLine(title)} (N)o/(y)es/(c)ontinue: `, terminal);
    if (answer === undefined) stop();
    return meant(answer ?? '');
  };
}

function meant(answer: string): Awaited<ReturnType<ConfirmTask>> {
  switch (answer.trim().toLowerCase()) {
    case 'y':
    case 'yes':
      return 'run';
    case 'c':
    case 'continue':
      return 'continue';
    default:
      return 'skip';
  }
}
