import { Option } from 'commander';
import { collected, examples, folderName, separated, type DefineCommand } from '../cli/options/define.js';
import type { InitOptions } from './command.js';

export const defineInit: DefineCommand = (named, context, withAction) => {
  const command = named
    .description('Create a project: settings, inventory, playbook and editor settings. Overwrites no file.')
    .argument('[folder]', 'where to create it (default: here)', folderName)
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
  return withAction(command, async (directory: string | undefined, options: Omit<InitOptions, 'directory'>) =>
    (await import('./command.js')).initCommand(
      { ...options, ...(directory === undefined ? {} : { directory }) },
      context,
    ),
  );
};
