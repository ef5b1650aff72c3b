import { collected, type DefineCommand, examples, MODULE_PATH, NO_COLOR } from '../cli/options/define.js';
import { withVault } from '../cli/options/target.js';
import type { LintCommandOptions } from './command.js';

export const defineLint: DefineCommand = (named, context, withAction) => {
  const command = named
    .description('Find errors and likely mistakes in playbooks, roles, variables and inventories.')
    .argument('[playbook...]', 'playbook files (default: all of the project)')
    .option('-l, --list', 'print the rules, one per line, and stop')
    .option(
      '--from-ansible <folder>',
      'report which parts of an Ansible project work with Evenkeel, and what to change',
    )
    .option('--json', 'findings as one JSON array')
    .option('--strict', 'warnings count like errors')
    .option(
      '-i, --inventory <source>',
      'inventory to check (repeatable); default: all that evenkeel.yml names',
      collected,
    )
    .option('-E, --env <name>', 'only this environment of evenkeel.yml')
    .option(
      '-e, --extra-vars <vars>',
      "extra variables of the runs: 'k=v', JSON, YAML or @file (repeatable)",
      collected,
    );
  withVault(command)
    .option(...MODULE_PATH)
    .option(...NO_COLOR);
  examples(command, [
    ['evenkeel lint', 'the whole project'],
    ['evenkeel lint playbooks/rollout.yml', 'a playbook, and the inventories of the project'],
    ['evenkeel lint -l', 'the rules'],
    ['evenkeel lint --json playbooks/rollout.yml', 'for programs'],
    ['evenkeel lint --from-ansible .', 'which parts of an Ansible project work with Evenkeel'],
  ]);
  return withAction(command, async (playbooks: string[], options: Omit<LintCommandOptions, 'playbooks'>) =>
    (await import('./command.js')).lintCommand({ ...options, playbooks }, context),
  );
};
