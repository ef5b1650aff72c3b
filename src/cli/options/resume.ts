import { Command } from 'commander';
import type { ResumeOptions } from '../commands/resume.js';
import type { Define } from './define.js';
import { examples } from './examples.js';
import { execution, withConduct, type Raw } from './execution.js';
import { withVault } from './vault_options.js';

export const defineResume: Define = (context, finish) => {
  const command = withVault(new Command('resume'))
    .description('Finish a run that was cut off: by a crash, a power failure or Ctrl-C.')
    .argument('<run>', 'id of the run, the beginning of one, or "last"')
    .option('--force', 'resume although playbooks, variables or the inventory have changed');
  withConduct(command, {
    forks: 'controllers at once (default: as before)',
    maxRegistered: 'the largest value that a task may register (default: as before)',
    detailedExitcode: 'exit 3 when something changed',
    simulate: 'for a run that was a rehearsal, which stays one anyway',
  }).option('--no-color', 'no colours');
  examples(command, [
    ['evenkeel resume last', 'the newest run'],
    ['evenkeel resume 20261120T18', 'the run whose id begins so'],
    [
      'evenkeel resume last --force',
      'a playbook was mended in between: what is new or changed in it is done, and nothing else twice',
    ],
  ]);
  return command.action(async (run: string, options: Raw & Pick<ResumeOptions, 'force'>) => {
    const { resumeCommand } = await import('../commands/resume.js');
    finish(await resumeCommand({ run, ...execution(options) }, context));
  });
};
