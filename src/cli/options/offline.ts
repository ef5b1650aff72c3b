import { Command } from 'commander';
import type { LintOptions } from '../commands/lint.js';
import type { RenderOptions } from '../commands/render.js';
import { collected, type Define, examples, separated, tags, wholeNumber } from './define.js';
import { API_VERSION } from './execution.js';
import { withTarget } from './target.js';

export const defineLint: Define = (context, finish) => {
  const command = new Command('lint')
    .description('Find errors and likely mistakes in playbooks, roles, variables and inventories.')
    .argument('[playbook...]', 'playbook files')
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
    )
    .option('--vault-id <id>', 'LABEL@FILE or LABEL@prompt (repeatable)', collected)
    .option('--vault-password-file <file>', 'file or program with a vault password (repeatable)', collected)
    .option('-J, --ask-vault-pass', 'ask for a vault password')
    .option('-M, --module-path <folder>', 'folder with more modules (repeatable)', collected)
    .option('--no-color', 'no colours');
  examples(command, [
    ['evenkeel lint playbooks/rollout.yml', 'a playbook, and the inventories of the project'],
    ['evenkeel lint -l', 'the rules'],
    ['evenkeel lint --json playbooks/rollout.yml', 'for programs'],
    ['evenkeel lint --from-ansible .', 'which parts of an Ansible project work with Evenkeel'],
  ]);
  return command.action(async (playbooks: string[], options: Omit<LintOptions, 'playbooks'>) => {
    const { lintCommand } = await import('../commands/lint.js');
    finish(await lintCommand({ ...options, playbooks }, context));
  });
};

export const defineRender: Define = (context, finish) => {
  const command = withTarget(new Command('render'))
    .description("Print each controller's tasks with their templates filled in. Contacts no controller.")
    .argument('<playbook...>', 'playbook files')
    .option('--against <name>', 'print how --env differs from this environment; exit 3 if it does')
    .option('--json', 'JSON instead of YAML')
    .option('-t, --tags <tags>', 'only tasks with these tags (comma separated)', tags)
    .option('--skip-tags <tags>', 'skip tasks with these tags (comma separated)', separated)
    .option('--start-at-task <name>', 'skip everything before the task with this name (or glob)')
    .option('-M, --module-path <folder>', 'folder with more modules (repeatable)', collected)
    .option('--no-color', 'no colours');
  examples(command, [
    ['evenkeel render playbooks/rollout.yml --env staging', 'what a run would do, controller by controller'],
    ["evenkeel render playbooks/rollout.yml -l 'lb01*' --tags cloud --json", 'some controllers and tasks only'],
    ['evenkeel render playbooks/rollout.yml --env staging --against production', 'how staging differs from production'],
  ]);
  return command.action(async (playbooks: string[], options: Omit<RenderOptions, 'playbooks'>) => {
    const { renderCommand } = await import('../commands/render.js');
    finish(await renderCommand({ ...options, playbooks }, context));
  });
};

export const defineSimulate: Define = (context, finish) => {
  const command = withTarget(new Command('simulate'))
    .description('Run simulated controllers for an inventory until Ctrl-C.')
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
  return command.action(async (options: Record<string, unknown>) => {
    const { simulateCommand } = await import('../commands/simulate.js');
    finish(await simulateCommand(options, context));
  });
};
