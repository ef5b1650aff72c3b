import { Command, Option } from 'commander';
import { DIFFS } from '../../model/run/choices.js';
import type { DriftCommandOptions } from '../commands/drift.js';
import type { ApplyOptions, PlanOptions } from '../commands/plan.js';
import { type Define, examples, wholeNumber, collected, separated, tags, size } from './define.js';
import {
  execution,
  type Raw,
  VERIFY_IDEMPOTENT,
  withConduct,
  withExecution,
  API_VERSION,
  REPORT,
} from './execution.js';
import { withSelection } from './run.js';
import { SHARD, withTarget, withVault } from './target.js';

export const definePlan: Define = (context, finish) => {
  const command = withSelection(withExecution(withTarget(new Command('plan'))))
    .description('Show what playbooks would change, and save it as a plan that "evenkeel apply" carries out.')
    .argument('<playbook...>', 'playbook files')
    .option('--out <file>', 'save the plan')
    .option(...SHARD);
  examples(command, [
    ['evenkeel plan playbooks/rollout.yml --out rollout.plan --simulate', 'make a plan'],
    ['evenkeel plan show rollout.plan', 'what is in it'],
    ['evenkeel apply rollout.plan', 'carry it out'],
    ['evenkeel plan playbooks/rollout.yml -E production --detailed-exitcode', 'exit 3 if anything would change'],
  ]);
  command.addCommand(
    new Command('show')
      .description('Print a plan that was saved.')
      .argument('<file>', 'the plan')
      .option('--json', 'print JSON')
      .option('--no-color', 'no colours')
      .action(async (file: string, options: { json?: boolean; color?: boolean }) => {
        const { showPlanCommand } = await import('../commands/plan.js');
        finish(await showPlanCommand({ file, ...options }, context));
      }),
  );
  return command.action(async (playbooks: string[], options: Raw & Pick<PlanOptions, 'out'>) => {
    const { planCommand } = await import('../commands/plan.js');
    finish(await planCommand({ ...execution(options), playbooks }, context));
  });
};

export const defineApply: Define = (context, finish) => {
  const command = withVault(new Command('apply'))
    .description(
      'Carry out a plan, and nothing else. A controller whose objects have changed since the plan was made is stale: nothing is written to it.',
    )
    .argument('<file>', 'the plan, from "evenkeel plan … --out FILE"')
    .option('-l, --limit <pattern>', 'only these controllers of the plan')
    .option('--max-age <days>', 'refuse a plan that is older (default 7)', wholeNumber)
    .option(...VERIFY_IDEMPOTENT);
  withConduct(command, {
    forks: 'controllers at once (default: as planned)',
    maxRegistered: 'the largest value that a task may register (default: as planned)',
    detailedExitcode: 'exit 3 when something changed',
    simulate: 'accepted for a plan that was made with --simulate, which is simulated anyway',
  }).option('--no-color', 'no colours');
  examples(command, [
    ['evenkeel apply rollout.plan', 'exit 5 if a controller is stale'],
    ['evenkeel apply rollout.plan -l emea --diff', 'a part of it, with what changes'],
  ]);
  return command.action(async (file: string, options: Raw & Omit<ApplyOptions, 'file'>) => {
    const { applyCommand } = await import('../commands/plan.js');
    finish(await applyCommand({ file, ...execution(options) }, context));
  });
};

export const defineDrift: Define = (context, finish) => {
  const command = withTarget(new Command('drift'))
    .description(
      'Compare the controllers with playbooks, and write nothing. Exit code 0: no drift, 3: drift, 4: not everything was read.',
    )
    .argument('<playbook...>', 'playbook files')
    .option(...SHARD)
    .option('--unmanaged', 'also list objects that no task manages, of the kinds that the playbooks name')
    .option('--json', 'print one JSON document')
    .option(...REPORT)
    .option('-t, --tags <tags>', 'only tasks with these tags (comma separated)', tags)
    .option('--skip-tags <tags>', 'skip tasks with these tags (comma separated)', separated)
    .option('--start-at-task <name>', 'skip everything before the task with this name (or glob)')
    .addOption(new Option('--diff <mode>', 'show equal drift together (fleet) or per controller (host)').choices(DIFFS))
    .option('-v, --verbose', 'do not cut long differences', (_: unknown, level: number) => level + 1, 0)
    .option('-f, --forks <number>', 'controllers at once (default 50)', wholeNumber)
    .option('--max-registered <size>', 'the largest value that a task may register (default 16MB)', size)
    .option('--simulate', 'use simulated controllers in this process instead of the real ones')
    .option(...API_VERSION)
    .option('-u, --user <name>', 'user name, if the inventory has none')
    .option('-k, --ask-pass', 'ask for the password; used if the inventory has none')
    .option('-M, --module-path <folder>', 'folder with more modules (repeatable)', collected)
    .option('--no-color', 'no colours');
  examples(command, [
    ['evenkeel drift playbooks/rollout.yml --simulate', 'what differs, on simulated controllers'],
    ['evenkeel drift playbooks/rollout.yml --env staging --json --simulate', 'for programs'],
    ['evenkeel drift playbooks/rollout.yml --unmanaged --simulate', 'and what no task manages'],
    ['evenkeel drift playbooks/rollout.yml --report junit=drift.xml --simulate', 'a failed test for each difference'],
  ]);
  return command.action(async (playbooks: string[], options: Raw & Omit<DriftCommandOptions, 'playbooks'>) => {
    const { driftCommand } = await import('../commands/drift.js');
    finish(await driftCommand({ ...execution(options), playbooks }, context));
  });
};
