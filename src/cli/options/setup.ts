import { Argument, Command, Option } from 'commander';
import { EXIT } from '../../model/exit_code.js';
import { OUTPUTS, STRATEGIES } from '../../model/run/choices.js';
import type { ConfigOptions } from '../setup/config.js';
import type { InitOptions } from '../setup/init.js';
import { collected, type Define, examples, separated, size, wholeNumber } from './define.js';

export const defineInit: Define = (context, finish) => {
  const command = new Command('init')
    .description('Create a project: settings, inventory, playbook and editor settings. Overwrites no file.')
    .argument('[folder]', 'where to create it (default: here)')
    .option('-E, --env <name>', 'environment (repeatable; default: development, production)', separated)
    .option('--confirm <name>', 'environment in which a run asks before it writes, or none (repeatable)', separated)
    .option(
      '--controllers <names>',
      'controllers of the first environment, or ENVIRONMENT=NAMES; names, IPv4 addresses or ranges (repeatable)',
      collected,
    )
    .addOption(
      new Option('--dialect <name>', 'dialect of the controllers (default: generic)').choices(['generic', 'avi']),
    )
    .option('--yes', 'do not ask: use the defaults of options that are not set');
  examples(command, [
    ['evenkeel init lab', 'asks for environments and controllers, if this is a terminal'],
    ['evenkeel init site --yes --controllers lb1.example.com,lb2.example.com', 'without questions'],
    ["evenkeel init fleet --yes --env dev,prod --controllers 'prod=lb[01:12].example.com'", 'two environments'],
  ]);
  return command.action(async (directory: string | undefined, options: Omit<InitOptions, 'directory'>) => {
    const { initCommand } = await import('../setup/init.js');
    finish(await initCommand({ ...options, ...(directory === undefined ? {} : { directory }) }, context));
  });
};

export const defineConfig: Define = (context, finish) => {
  const command = new Command('config')
    .description('Show each setting with its value and its origin: an option, a variable, a file or the default.')
    .option('--json', 'print JSON')
    .option('-i, --inventory <source>', 'as for other commands (repeatable)', collected)
    .option('-E, --env <name>', 'environment of evenkeel.yml: also shows its settings')
    .option('-l, --limit <pattern>', 'as for other commands')
    .option('-f, --forks <number>', 'as for other commands', wholeNumber)
    .option('--max-registered <size>', 'as for other commands', size)
    .addOption(new Option('--strategy <name>', 'as for other commands').choices(STRATEGIES))
    .addOption(new Option('-o, --output <kind>', 'as for other commands').choices(OUTPUTS))
    .option('-M, --module-path <folder>', 'as for other commands (repeatable)', collected)
    .option('--vault-id <id>', 'as for other commands (repeatable)', collected)
    .option('--vault-password-file <file>', 'as for other commands (repeatable)', collected);
  examples(command, [
    ['evenkeel config', 'the settings here'],
    ['evenkeel config --env production', 'with the settings of an environment'],
    ['EVENKEEL_FORKS=10 evenkeel config --json', 'for programs'],
  ]);
  return command.action(async (options: ConfigOptions) => {
    const { configCommand } = await import('../setup/config.js');
    finish(await configCommand(options, context));
  });
};

export const defineCompletion: Define = (context, finish) => {
  const command = new Command('completion')
    .description('Print a script that completes commands, options and values of the project on Tab.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']));
  examples(command, [
    ['source <(evenkeel completion bash)', 'for this shell; in ~/.bashrc, for every shell'],
    ['evenkeel completion zsh > _evenkeel', 'to a folder of $fpath'],
    ['evenkeel completion fish > evenkeel.fish', 'to ~/.config/fish/completions/'],
  ]);
  return command.action(async (shell: 'bash' | 'zsh' | 'fish') => {
    const { SCRIPTS } = await import('../completion/scripts.js');
    context.stdout.reveal(SCRIPTS[shell]);
    finish(EXIT.ok);
  });
};
