import { examples, NO_COLOR, type DefineCommand } from '../cli/options/define.js';
import { execution, withConduct, type Raw } from '../cli/options/execution.js';
import { withVault } from '../cli/options/target.js';
import type { ResumeCommandOptions } from './command.js';

export const defineResume: DefineCommand = (named, context, withAction) => {
  const command = withVault(named)
    .description('Continue a run that a crash, a power failure or Ctrl-C ended early.')
    .argument('<run>', 'id of the run, the beginning of one, or "last"')
    .option('--force', 'resume despite changes, a rollback, or another machine');
  withConduct(command, {
    forks: 'controllers at once (default: as before)',
    maxRegistered: 'the largest value that a task may register (default: as before)',
    detailedExitcode: 'exit 3 when something changed',
    simulate: 'accepted for a simulated run',
  }).option(...NO_COLOR);
  examples(command, [
    ['evenkeel resume last', 'the newest run'],
    ['evenkeel resume 20261120T18', 'the run whose id begins like this'],
    ['evenkeel resume last --force', 'after a fix in a playbook: only new and changed tasks run'],
  ]);
  return withAction(command, async (run: string, options: Raw & Pick<ResumeCommandOptions, 'force'>) =>
    (await import('./command.js')).resumeCommand({ run, ...execution(options) }, context),
  );
};
