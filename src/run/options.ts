import { examples, type DefineCommand } from '../cli/options/define.js';
import { CHECK, execution, VERIFY_IDEMPOTENT, withExecution, type Raw } from '../cli/options/execution.js';
import { SHARD, withSelection, withTarget } from '../cli/options/target.js';
import type { RunCommandOptions } from './command.js';

export const defineRun: DefineCommand = (named, context, withAction) => {
  const command = withSelection(withExecution(withTarget(named).option(...CHECK)))
    .description('Run playbooks over an inventory.')
    .argument('[playbook...]', 'playbook files')
    .option(...SHARD)
    .option(
      '--rerun <run>',
      'rerun RUN for the controllers that did not succeed: RUN, or RUN:failed,unreachable,unstarted',
    )
    .option('--step', 'ask before each task')
    .option(...VERIFY_IDEMPOTENT)
    .option('--list-hosts', 'print the controllers each play targets, and stop')
    .option('--list-tasks', 'print the tasks that would run, and stop')
    .option('--list-tags', 'print the tags of each play, and stop')
    .option('--syntax-check', 'check everything that can be checked without a controller, and stop');
  examples(command, [
    ['evenkeel run playbooks/rollout.yml --simulate', 'try it on simulated controllers'],
    ['evenkeel run playbooks/rollout.yml --check --diff --simulate', 'show what would change'],
    ['evenkeel run playbooks/rollout.yml --env staging --simulate', 'an environment of evenkeel.yml'],
    [
      "evenkeel run playbooks/rollout.yml --start-at-task 'DNS*' --simulate",
      'start at a task; --list-tasks shows the names',
    ],
    [
      'evenkeel run playbooks/rollout.yml --report junit=report.xml --report markdown=report.md --simulate',
      'for a pipeline, and for a comment on a pull request',
    ],
    ['evenkeel run --rerun last', 'the newest run again, for the controllers that did not succeed'],
    ["evenkeel run playbooks/rollout.yml -i inventory/production -l 'emea:!lb06*' --simulate", 'some controllers only'],
    ['evenkeel run playbooks/backup.yml --shard 1/2 --simulate', 'one half, while another machine runs 2/2'],
  ]);
  return withAction(command, async (playbooks: string[], options: Raw & Pick<RunCommandOptions, 'rerun'>) => {
    const { runCommand } = await import('./command.js');
    if (playbooks.length === 0 && options.rerun === undefined)
      command.error("error: missing required argument 'playbook'");
    return runCommand({ ...execution(options), playbooks } satisfies RunCommandOptions, context);
  });
};

export const defineTask: DefineCommand = (named, context, withAction) => {
  const command = withExecution(withTarget(named).option(...CHECK))
    .description('Run one task on the controllers that a pattern names, without a playbook.')
    .argument('<pattern>', 'controllers: names, groups, globs, a:b, a:&b, a:!b')
    .option(...SHARD)
    .requiredOption('-m, --module <name>', 'module')
    .option('-a, --args <args>', "arguments: 'k=v k2=v2', JSON, YAML, or @file");
  examples(command, [
    ['evenkeel task lb01.dev.example.com -m cloud_present -a name=edge --simulate', 'simulate one task'],
    [
      "evenkeel task all -m system_config -a '{dns_configuration: {search_domain: example.com}}' -CD --simulate",
      'check',
    ],
    ["evenkeel task 'lab:!lb03*' -m api_request -a path=/api/cloud/ -v --simulate", 'ask the API'],
  ]);
  return withAction(command, async (pattern: string, options: Raw & { module: string; args?: string }) =>
    (await import('./task_command.js')).taskCommand({ pattern, ...execution(options) }, context),
  );
};
