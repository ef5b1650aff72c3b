import type { Command } from 'commander';
import { collected } from './option_values.js';
import { withVault } from './vault_options.js';

/** The options of every command that takes an inventory. */
export function withTarget(command: Command): Command {
  command
    .option('-i, --inventory <source>', 'inventory file, folder, executable or "host1,host2," (repeatable)', collected)
    .option('-E, --env <name>', 'environment of evenkeel.yml')
    .option('-l, --limit <pattern>', 'only these controllers, or @file')
    .option('-e, --extra-vars <vars>', "variables: 'k=v', JSON, YAML or @file (repeatable)", collected);
  return withVault(command);
}
