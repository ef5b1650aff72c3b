import type { Include, Task } from '../../model/playbook/step.js';
import { setImmediate } from 'node:timers/promises';
import type { Play, Playbook } from '../../model/playbook/playbook.js';
import { stepsOf, tasksIn } from '../../model/playbook/steps.js';
import { isMapping } from '../../model/values/value.js';
import { plain } from '../../report/text/plain.js';
import type { Ask } from '../../run/input/run_input.js';
import type { Terminal } from '../context.js';
import { ask, askSecret } from './prompt.js';

/**
 * Asks the questions of `pause` tasks, one after the other.
 *
 * @param stop ends the run: called when a question is interrupted
 */
export function askInRun(terminal: Terminal, stop: () => void): Ask {
  let last: Promise<unknown> = Promise.resolve();
  const put: Ask = async ({ question, hidden }, signal) => {
    // The output of the last task comes first.
    await setImmediate();
    if (!terminal.stdin.isTTY || signal.aborted) return undefined;
    const text = `${plain(question)} `;
    const answer = await (hidden ? askSecret : ask)(text, { ...terminal, signals: { drain: signal } });
    if (answer === undefined) stop();
    return answer;
  };
  return (question, signal) => {
    const answer = last.then(() => put(question, signal));
    last = answer.catch(() => undefined);
    return answer;
  };
}

/** Whether a task or a gate may ask something, which the live output cannot show. */
export function asksSomething(playbooks: readonly Playbook[]): boolean {
  const plays = playbooks.flatMap((playbook) => playbook.plays);
  return plays.some((play) => mayAsk(play.gate) || tasksIn([...stepsOf(play), ...play.handlers]).some(isQuestion));
}

function mayAsk(gate: Play['gate']): boolean {
  return gate?.onFail !== undefined && gate.onFail.value !== 'stop' && gate.onFail.value !== 'rollback';
}

function isQuestion({ module, args }: Task | Include): boolean {
  return module === 'pause' && !(isMapping(args) && ('seconds' in args || 'minutes' in args));
}
