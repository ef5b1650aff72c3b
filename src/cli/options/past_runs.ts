import { Command } from 'commander';
import type { UiOptions } from '../commands/ui.js';
import type { ReportOptions } from '../commands/report.js';
import type { RollbackOptions, ResumeOptions } from '../commands/follow_up.js';
import type { RunsOptions } from '../commands/runs.js';
import { type Define, examples, wholeNumber } from './define.js';
import { execution, type Raw, withConduct, withExecution } from './execution.js';
import { withTarget, withVault } from './target.js';

export const defineResume: Define = (context, finish) => {
  const command = withVault(new Command('resume'))
    .description('Continue a run that a crash, a power failure or Ctrl-C ended early.')
    .argument('<run>', 'id of the run, the beginning of one, or "last"')
    .option('--force', 'resume even if playbooks, variables or the inventory have changed');
  withConduct(command, {
    forks: 'controllers at once (default: as before)',
    maxRegistered: 'the largest value that a task may register (default: as before)',
    detailedExitcode: 'exit 3 when something changed',
    simulate: 'accepted for a simulated run, which is simulated anyway',
  }).option('--no-color', 'no colours');
  examples(command, [
    ['evenkeel resume last', 'the newest run'],
    ['evenkeel resume 20261120T18', 'the run whose id begins like this'],
    ['evenkeel resume last --force', 'after a fix in a playbook: runs new and changed tasks, and repeats nothing else'],
  ]);
  return command.action(async (run: string, options: Raw & Pick<ResumeOptions, 'force'>) => {
    const { resumeCommand } = await import('../commands/follow_up.js');
    finish(await resumeCommand({ run, ...execution(options) }, context));
  });
};

export const defineRollback: Define = (context, finish) => {
  const command = withExecution(withTarget(new Command('rollback')))
    .description('Restore the values from before a run, with the inventory and the credentials of that run.')
    .argument('<run>', 'id of the run, the beginning of one, or "last"')
    .option('--allow-lockout', 'allow changes after which Evenkeel could no longer sign in');
  examples(command, [
    ['evenkeel rollback last --check --diff', 'what would be restored'],
    ['evenkeel rollback last -l lb01.dev.example.com', 'on one controller; asks before it writes'],
    ['evenkeel rollback last --yes', 'without a question'],
  ]);
  return command.action(async (run: string, options: Raw & { allowLockout?: boolean }) => {
    const { rollbackCommand } = await import('../commands/follow_up.js');
    finish(await rollbackCommand({ run, ...execution(options) } satisfies RollbackOptions, context));
  });
};

export const defineRuns: Define = (context, finish) => {
  const command = new Command('runs')
    .description('List the runs in the journal, or show what one of them did.')
    .argument('[run]', 'an id, the beginning of one, or "last"')
    .option('-n, --limit <number>', 'number of runs to list, newest first (default 20)', wholeNumber)
    .option('--json', 'print JSON')
    .option('--objects', 'with RUN: the objects that it wrote, as they were before')
    .option('--save <folder>', 'with RUN: save these objects, one JSON file each')
    .option('--prune', 'remove the oldest runs, except those in use')
    .option(
      '--keep <number>',
      'with --prune: how many runs to keep of those that wrote or can be resumed, and of the others (default 50)',
      wholeNumber,
    )
    .option('-C, --check', 'with --prune: only list what would be removed')
    .option('--no-color', 'no colours');
  examples(command, [
    ['evenkeel runs', 'the newest 20'],
    ['evenkeel runs last', 'what the newest run did, and how to continue'],
    ['evenkeel runs last --objects', 'the objects before the newest run'],
    ['evenkeel runs --json -n 1', 'for programs'],
    ['evenkeel runs --prune --keep 10 --check', 'what would be removed'],
  ]);
  return command.action(async (run: string | undefined, options: Omit<RunsOptions, 'run'>) => {
    const { runsCommand } = await import('../commands/runs.js');
    finish(await runsCommand({ ...options, ...(run === undefined ? {} : { run }) }, context));
  });
};

export const defineReport: Define = (context, finish) => {
  const command = new Command('report')
    .description(
      'Write a run as a web page: one file that works offline. Several runs, such as the shards of a fleet, are one page.',
    )
    .argument('<run...>', 'an id, the beginning of one, "last", a state folder, or a file of --report json')
    .option('-o, --output <file>', 'where to write it (default: standard output)')
    .option('--detailed-exitcode', 'with several runs, or files: exit 3 when something changed or would change')
    .option('--no-color', 'no colours');
  examples(command, [
    ['evenkeel report last -o run.html', 'the newest run'],
    [
      'evenkeel report .evenkeel -o run.html',
      'of a state folder; with those of all machines: one page, and one exit code',
    ],
  ]);
  return command.action(async (runs: string[], options: Omit<ReportOptions, 'runs'>) => {
    const { reportCommand } = await import('../commands/report.js');
    finish(await reportCommand({ runs, ...options }, context));
  });
};

export const defineUi: Define = (context, finish) => {
  const command = new Command('ui')
    .description('Show all runs as web pages, in a browser on this machine.')
    .option('--port <number>', 'where to listen (default: a free port)', wholeNumber)
    .option('--no-color', 'no colours');
  examples(command, [['evenkeel ui', 'until Ctrl-C']]);
  return command.action(async (options: UiOptions) => {
    const { uiCommand } = await import('../commands/ui.js');
    finish(await uiCommand(options, context));
  });
};
