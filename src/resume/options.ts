import { examples, NO_COLOR, type DefineCommand } from '../cli/options/define.js';
import { execution, withConduct, type Raw } from '../cli/options/execution.js';
import { withVault } from '../cli/options/target.js';
import type { ResumeCommandOptions } from './command.js';

export const defineResume: DefineCommand = (named, context, withAction) => {
  const command = withVault(named)
    .description('Continue a run that a crash, a power failure or Ctrl-C ended early.')
    .argument('<run>', 'id of the run, the beginning of one, or "last"')
    .option(
      '--force',
      'resume a changed project, a run of another machine, or one that was rolled back',
    );
  withConduct(command, {
    forks: 'controllers at once (default: as before)',
    maxRegistered: 'the largest value that a task may register (default: as before)',
    detailedExitcode: 'exit 3 when something changed',
    simulate: 'accepted for a simulated run, which is simulated anyway',
  }).option(...NO_COLOR);
  examples(command, [
    ['evenkeel resume last', 'the newest run'],
    ['evenkeel resume 20261120T18', 'the run whose id begins like this'],
    ['evenkeel resume last --force', 'after a fix in a playbook: runs new and changed tasks, and repeats nothing else'],
  ]);
  return withAction(command, async (run: string, options: Raw & Pick<ResumeCommandOptions, 'force'>) =>
    (await import('./command.js')).resumeCommand({ run, ...execution(options) }, context),
  );
};
