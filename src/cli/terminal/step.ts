import { setImmediate } from 'node:timers/promises';
import { oneLine } from '../../report/text/plain.js';
import type { ConfirmTask } from '../../run/input/run_input.js';
import type { Terminal } from '../context.js';
import { ask } from './prompt.js';

/**
 * `--step`: asks before each task, in Ansible's words; any answer but yes and continue skips it.
 *
 * @param stop ends the run: called when the question itself is interrupted
 */
export function askBeforeTasks(terminal: Terminal, stop: () => void): ConfirmTask {
  return async (title) => {
    // The output of the last task comes first.
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
