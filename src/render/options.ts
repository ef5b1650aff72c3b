import { examples, MODULE_PATH, NO_COLOR, type DefineCommand } from '../cli/options/define.js';
import { SKIP_TAGS, START_AT_TASK, TAGS, withTarget } from '../cli/options/target.js';
import type { RenderOptions } from './command.js';

export const defineRender: DefineCommand = (named, context, withAction) => {
  const command = withTarget(named)
    .description("Print each controller's tasks with their templates filled in. Contacts no controller.")
    .argument('<playbook...>', 'playbook files')
    .option('--against <name>', 'print how --env differs from this environment; exit 3 if it does')
    .option('--json', 'JSON instead of YAML')
    .option(...TAGS)
    .option(...SKIP_TAGS)
    .option(...START_AT_TASK)
    .option(...MODULE_PATH)
    .option(...NO_COLOR);
  examples(command, [
    ['evenkeel render playbooks/rollout.yml --env staging', 'what a run would do, controller by controller'],
    ["evenkeel render playbooks/rollout.yml -l 'lb01*' --tags cloud --json", 'some controllers and tasks only'],
    ['evenkeel render playbooks/rollout.yml --env staging --against production', 'how staging differs from production'],
  ]);
  return withAction(command, async (playbooks: string[], options: Omit<RenderOptions, 'playbooks'>) =>
    (await import('./command.js')).renderCommand({ ...options, playbooks }, context),
  );
};
