import { type DefineCommand, examples, NO_COLOR } from '../cli/options/define.js';
import type { ReportCommandOptions } from './command.js';

export const defineReport: DefineCommand = (named, context, withAction) => {
  const command = named
    .description(
      'Write a run as a web page: one file that works offline. Several runs, such as the shards of a fleet, are one page.',
    )
    .argument('<run...>', 'an id, the beginning of one, "last", a state folder, or a file of --report json')
    .option('--out <file>', 'where to write it (default: standard output)')
    .option('--detailed-exitcode', 'with several runs, or files: exit 3 when something changed or would change')
    .option(...NO_COLOR);
  examples(command, [
    ['evenkeel report last --out run.html', 'the newest run'],
    [
      'evenkeel report .evenkeel --out run.html',
      'of a state folder; with those of all machines: one page, and one exit code',
    ],
  ]);
  return withAction(command, async (runs: string[], options: Omit<ReportCommandOptions, 'runs'>) =>
    (await import('./command.js')).reportCommand({ runs, ...options }, context),
  );
};
