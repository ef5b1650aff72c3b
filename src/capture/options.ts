import type { Command } from 'commander';
import { collected, examples, folderName, NO_COLOR, type DefineCommand } from '../cli/options/define.js';
import { withReading } from '../cli/options/execution.js';
import { withTarget } from '../cli/options/target.js';
import type { CaptureOptions } from './capture_fleet.js';
import type { CompareOptions } from './command.js';

/** The options of commands that read the objects of a fleet. */
function withKinds(command: Command): Command {
  return withReading(
    withTarget(command)
      .option(
        '--kind <kind>',
        'kind of objects, such as pool, or all (repeatable; default: cloud and systemconfiguration)',
        collected,
      )
      .option(
        '--tenant <name>',
        'the objects of this tenant, or all (repeatable; default: the tenant of each controller)',
        collected,
      ),
  );
}

export const defineCapture: DefineCommand = (named, context, withAction) => {
  const command = withKinds(named)
    .description('Write the current state of the fleet to a folder, as a playbook and variables.')
    .requiredOption('--out <folder>', 'the folder to write', folderName)
    .option('--all', 'also fields that controllers set, defaults, and objects that every controller has')
    .option('--force', 'replace an earlier capture in the folder')
    .option(...NO_COLOR);
  examples(command, [
    ['evenkeel capture --out captured --simulate', 'clouds and system configurations of the default inventory'],
    [
      'evenkeel run captured/capture.yml --check --simulate',
      'changes nothing: the playbook declares the current state',
    ],
  ]);
  return withAction(command, async (options: CaptureOptions) =>
    (await import('./command.js')).captureCommand(options, context),
  );
};

export const defineCompare: DefineCommand = (named, context, withAction) => {
  const command = withKinds(named)
    .description('Show which controllers differ from the others, and how. Writes nothing.')
    .option('--json', 'print JSON')
    .option(...NO_COLOR);
  examples(command, [
    ['evenkeel compare --simulate', 'clouds and system configurations of the default inventory'],
    ['evenkeel compare -i inventory/production -l emea --kind pool --simulate', 'the pools of some controllers'],
  ]);
  return withAction(command, async (options: CompareOptions) =>
    (await import('./command.js')).compareCommand(options, context),
  );
};
