import { Command, Option } from 'commander';
import type { ResumeOptions } from '../options.js';
import type { Define } from './define.js';
import { examples } from './examples.js';
import { execution, type Raw } from './execution.js';
import { wholeNumber } from './option_values.js';
import { withVault } from './vault_options.js';

export const defineResume: Define = (context, finish) => {
  const command = withVault(new Command('resume'))
    .description('Finish a run that was cut off: by a crash, a power failure or Ctrl-C.')
    .argument('<run>', 'id of the run, the beginning of one, or "last"')
    .option('--force', 'go on although playbooks, variables or the inventory have changed')
    .option('-D', 'show changes in detail (same as --diff)')
    .addOption(
      new Option('--diff [mode]', 'show changes per controller or for the fleet').choices(['auto', 'host', 'fleet']),
    )
    .option('-f, --forks <number>', 'controllers at once (default: as before)', wholeNumber)
    .addOption(new Option('-o, --output <kind>', 'how to report').choices(['live', 'lines', 'json', 'quiet']))
    .option('-v, --verbose', 'more detail; repeat up to -vvvv', (_: unknown, level: number) => level + 1, 0)
    .option('--detailed-exitcode', 'exit 3 when something changed')
    .option('--simulate', 'for a run that was a rehearsal, which stays one anyway')
    .option('--wait', 'wait while other runs are at work on these controllers')
    .option('--yes', 'do not ask before running in an environment with "confirm"')
    .option('-u, --user <name>', 'user name, where the inventory has none')
    .option('-k, --ask-pass', 'ask for the password, used where the inventory has none')
    .option('--no-color', 'no colours');
  examples(command, [
    ['evenkeel resume last', 'the newest run'],
    ['evenkeel resume 20261120T18', 'the run whose id begins so'],
    ['evenkeel resume last --force', 'a playbook was mended in between: what is done stays done'],
  ]);
  return command.action(async (run: string, options: Raw & Pick<ResumeOptions, 'force'>) => {
    const { resumeCommand } = await import('../resume.js');
    finish(await resumeCommand({ run, ...execution(options) }, context));
  });
};
