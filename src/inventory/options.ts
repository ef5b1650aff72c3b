import { examples, type DefineCommand } from '../cli/options/define.js';
import { withTarget } from '../cli/options/target.js';

export const defineInventory: DefineCommand = (named, context, withAction) => {
  const command = withTarget(named)
    .description('Show the inventory as Evenkeel reads it.')
    .argument('[group]', 'group at which --graph starts')
    .option('--list', 'everything, as JSON')
    .option('--host <name>', "one controller's variables, as JSON")
    .option('--graph', 'groups and controllers as a tree')
    .option('--vars', 'with --graph: variables too')
    .option('-y, --yaml', 'YAML instead of JSON');
  examples(command, [
    ['evenkeel inventory --graph', 'the groups of the default inventory'],
    ['evenkeel inventory -i inventory/production --list', 'everything, as JSON'],
    ['evenkeel inventory --env staging --host lb01.emea.stage.example.com', "one controller's variables"],
  ]);
  return withAction(command, async (group: string | undefined, options: Record<string, unknown>) =>
    (await import('./command.js')).inventoryCommand({ ...options, ...(group === undefined ? {} : { group }) }, context),
  );
};
