import type { Event } from '../../model/run/event.js';
import type { Reporter } from '../../report/reporter.js';
import { PlayProgress } from '../../report/run/progress.js';
import { WarningLog } from '../../report/run/warnings.js';
import { count, grouped } from '../../report/text/words.js';
import type { CommandContext } from './context.js';
import { runPorts } from './run_ports.js';
import type { ExecutionOptions } from './run_reporter.js';

/** Milliseconds between two looks of the progress. */
const PAUSE = 200;
const CLEAR = '\r\u001b[K';

/** For a command that checks controllers, and prints something else than a run does. */
export function checkPorts(context: CommandContext, options: ExecutionOptions): ReturnType<typeof runPorts> {
  const ports = runPorts(context, options, 0);
  return { ...ports, report: { ...ports.report, open: () => openProgress(context) } };
}

/** Shows how far a check is, and its warnings, on stderr: stdout is for the result. */
function openProgress({ stderr, env, cwd }: Pick<CommandContext, 'stderr' | 'env' | 'cwd'>): Reporter {
  const paints = stderr.isTTY && env['CI'] === undefined && env['TERM'] !== 'dumb';
  const warnings = new WarningLog();
  let play: PlayProgress | undefined;
  let last = 0;
  const say = (text: string): void => {
    stderr.write(`${paints ? CLEAR : ''}warning: ${text}\n`);
  };
  const paint = (event: Event): void => {
    if (event.type === 'play-started') play = new PlayProgress(event);
    play?.handle(event);
    const now = Date.now();
    if (play === undefined || now - last < PAUSE) return;
    last = now;
    stderr.write(`${CLEAR}${grouped(play.finished)} of ${count(play.total, 'controller')} read`);
  };
  return {
    handle: (event) => {
      if (event.type === 'warning') {
        const text = warnings.take(event, cwd);
        if (text !== undefined) say(text);
      }
      if (paints) paint(event);
    },
    close: () => {
      for (const text of warnings.rest()) say(text);
      if (paints) stderr.write(CLEAR);
      return Promise.resolve();
    },
  };
}
