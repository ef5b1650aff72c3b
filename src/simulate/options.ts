import { examples, wholeNumber, type DefineCommand } from '../cli/options/define.js';
import { API_VERSION } from '../cli/options/execution.js';
import { withTarget } from '../cli/options/target.js';

export const defineSimulate: DefineCommand = (named, context, withAction) => {
  const command = withTarget(named)
    .description('Run simulated controllers for an inventory until Ctrl-C or SIGTERM.')
    .option('--port <number>', 'first port; the others follow (default: any free ones)', wholeNumber)
    .option(...API_VERSION)
    .option('--dialect <name>', "the dialect of all controllers, such as avi (default: the inventory's)");
  examples(command, [
    [
      'evenkeel simulate -i inventory/development > simulated.yml',
      'then: evenkeel run … -i inventory/development -i simulated.yml',
    ],
    ['evenkeel simulate --dialect avi --port 9443', 'as strict as a real controller, for SDKs and scripts too'],
  ]);
  return withAction(command, async (options: Record<string, unknown>) =>
    (await import('./command.js')).simulateCommand(options, context),
  );
};
