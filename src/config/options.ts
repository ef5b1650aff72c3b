import { Option } from 'commander';
import { collected, examples, forkCount, size, type DefineCommand } from '../cli/options/define.js';
import { STRATEGIES } from '../core/model/run/choices.js';
import type { ConfigOptions } from './command.js';

export const defineConfig: DefineCommand = (named, context, withAction) => {
  const command = named
    .description('Show each setting with its value and its origin: an option, a variable, a file or the default.')
    .option('--json', 'print JSON')
    .option('-i, --inventory <source>', 'as for other commands (repeatable)', collected)
    .option('-E, --env <name>', 'environment of evenkeel.yml: also shows its settings')
    .option('-l, --limit <pattern>', 'as for other commands')
    .option('-f, --forks <number>', 'as for other commands', forkCount)
    .option('--max-registered <size>', 'as for other commands', size)
    .addOption(new Option('--strategy <name>', 'as for other commands').choices(STRATEGIES))
    .option('-M, --module-path <folder>', 'as for other commands (repeatable)', collected)
    .option('--vault-id <id>', 'as for other commands (repeatable)', collected)
    .option('--vault-password-file <file>', 'as for other commands (repeatable)', collected);
  examples(command, [
    ['evenkeel config', 'the settings here'],
    ['evenkeel config --env production', 'with the settings of an environment'],
    ['EVENKEEL_FORKS=10 evenkeel config --json', 'for programs'],
  ]);
  return withAction(command, async (options: ConfigOptions) =>
    (await import('./command.js')).configCommand(options, context),
  );
};
