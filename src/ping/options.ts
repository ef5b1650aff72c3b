import { examples, NO_COLOR, type DefineCommand } from '../cli/options/define.js';
import { withReading } from '../cli/options/execution.js';
import { withTarget } from '../cli/options/target.js';
import type { PingOptions } from './command.js';

export const definePing: DefineCommand = (named, context, withAction) => {
  const command = withTarget(named)
    .description('Show whether each controller can be used: name, TCP, TLS, sign-in, version, tenant. Writes nothing.')
    .argument('[pattern]', 'controllers (default: all)');
  withReading(command)
    .option('--json', 'print JSON')
    .option(...NO_COLOR);
  examples(command, [
    ['evenkeel ping --simulate', 'all controllers of the default inventory'],
    ['evenkeel ping emea -i inventory/production --simulate', 'the controllers of a group'],
  ]);
  return withAction(command, async (pattern: string | undefined, options: Omit<PingOptions, 'pattern'>) =>
    (await import('./command.js')).pingCommand({ ...options, pattern }, context),
  );
};
