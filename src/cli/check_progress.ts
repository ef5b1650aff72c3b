import type { Event } from '../core/model/run/event.js';
import { maskText } from '../core/secrets/mask_text.js';
import type { RunPorts, RunReport } from '../launch/load/ports.js';
import type { Reporter } from '../reporting/reporter.js';
import { PlayProgress } from '../reporting/run/progress.js';
import { EqualWarnings } from '../reporting/text/equal_warnings.js';
import { WarningLog } from '../reporting/text/warnings.js';
import { count, grouped } from '../reporting/text/words.js';
import type { CommandContext } from './context.js';
import { runPorts } from './run_ports.js';
import { extraOutputs, reportOptions, type ExecutionOptions } from './run_reporter.js';

/** Milliseconds between two updates. */
const PAUSE = 200;
const CLEAR = '\r\u001b[K';

/** For commands that check controllers but do not print a run. In their reports, differences are failures. */
export async function checkPorts(context: CommandContext, options: ExecutionOptions): Promise<RunPorts> {
  const extra = await extraOutputs(options, context);
  const ports = await runPorts(context, { ...options, report: undefined }, 0);
  const open: RunReport['open'] = (run, id, cwd) => {
    const progress = openProgress(context);
    return extra?.withReports(progress, { ...reportOptions(run, id, cwd), comparing: true }) ?? progress;
  };
  return { ...ports, report: { ...ports.report, prepare: () => extra?.prepare() ?? Promise.resolve([]), open } };
}

/** Shows how far a check is, and its warnings, on stderr: stdout is for the result. */
function openProgress({ stderr, env, cwd, secrets }: CommandContext): Reporter {
  const paints = stderr.isTTY && env['CI'] === undefined && env['TERM'] !== 'dumb';
  const warnings = new WarningLog((text) => maskText(text, secrets));
  // What is found is shown at the end, and so are these: equal ones of several controllers together.
  const waiting = new EqualWarnings();
  let play: PlayProgress | undefined;
  let last = 0;
  const say = (text: string | undefined): void => {
    if (text !== undefined) stderr.write(`${paints ? CLEAR : ''}warning: ${text}\n`);
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
      if (event.type === 'warning')
        if (event.controller === undefined) say(warnings.take(event, cwd));
        else waiting.add(event);
      if (paints) paint(event);
    },
    close: () => {
      for (const one of waiting.joined) say(warnings.take(one, cwd));
      for (const text of warnings.rest()) say(text);
      if (paints) stderr.write(CLEAR);
      return Promise.resolve();
    },
  };
}
