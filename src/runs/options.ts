import { type DefineCommand, examples, folderName, NO_COLOR, wholeFrom1, wholeNumber } from '../cli/options/define.js';
import type { RunsOptions } from './command.js';

/** `--limit` selects controllers elsewhere. */
const runCount = (value: string): number => wholeFrom1(value, 'It takes a number of runs, from 1.');

export const defineRuns: DefineCommand = (named, context, withAction) => {
  const command = named
    .description('List the runs in the journal, or show what one of them did.')
    .argument('[run]', 'an id, the beginning of one, or "last"')
    .option('-n, --limit <number>', 'number of runs to list, newest first (default 20)', runCount)
    .option('--json', 'print JSON')
    .option('--objects', 'with RUN: the objects that it wrote, as they were before')
    .option('--save <folder>', 'with RUN: save these objects, one JSON file each', folderName)
    .option('--prune', 'remove the oldest runs, except those in use')
    .option(
      '--keep <number>',
      'with --prune: how many runs to keep of those that wrote or can be resumed, and of the others (default 50)',
      wholeNumber,
    )
    .option('-C, --check', 'with --prune: only list what would be removed')
    .option(...NO_COLOR);
  examples(command, [
    ['evenkeel runs', 'the newest 20'],
    ['evenkeel runs last', 'what the newest run did, and how to continue'],
    ['evenkeel runs last --objects', 'the objects before the newest run'],
    ['evenkeel runs --json -n 1', 'for programs'],
    ['evenkeel runs --prune --keep 10 --check', 'what would be removed'],
  ]);
  return withAction(command, async (run: string | undefined, options: Omit<RunsOptions, 'run'>) =>
    (await import('./command.js')).runsCommand({ ...options, ...(run === undefined ? {} : { run }) }, context),
  );
};
