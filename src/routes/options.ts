import { examples, NO_COLOR, type DefineCommand } from '../cli/options/define.js';
import { withTarget } from '../cli/options/target.js';
import type { RoutesOptions } from './command.js';

export const defineRoutes: DefineCommand = (named, context, withAction) => {
  const command = withTarget(named)
    .description('Show the routes to the controllers: their proxies, whether they work, and what is behind them.')
    .option('--check', 'also open a connection to one controller through each proxy, without signing in')
    .option('--json', 'print JSON')
    .option(...NO_COLOR);
  examples(command, [
    ['evenkeel routes -i inventory/production', 'whether the tunnels are up'],
    ['evenkeel routes -i inventory/production --check', 'whether they also reach the controllers'],
  ]);
  return withAction(command, async (options: RoutesOptions) =>
    (await import('./command.js')).routesCommand(options, context),
  );
};
