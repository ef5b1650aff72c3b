import { Command } from 'commander';
import { examples, NO_COLOR, wholeNumber, type DefineCommand } from '../cli/options/define.js';
import {
  execution,
  notStdout,
  VERIFY_IDEMPOTENT,
  withConduct,
  withExecution,
  type Raw,
} from '../cli/options/execution.js';
import { SHARD, withSelection, withTarget, withVault } from '../cli/options/target.js';
import type { ApplyCommandOptions, PlanCommandOptions } from './command.js';

export const definePlan: DefineCommand = (named, context, withAction) => {
  const command = withSelection(withExecution(withTarget(named)))
    .description('Show what playbooks would change, and save it as a plan. "evenkeel apply" carries it out.')
    .argument('<playbook...>', 'playbook files')
    .option('--out <file>', 'save the plan', notStdout)
    .option(...SHARD);
  examples(command, [
    ['evenkeel plan playbooks/rollout.yml --out rollout.plan --simulate', 'make a plan'],
    ['evenkeel plan show rollout.plan', 'what is in it'],
    ['evenkeel apply rollout.plan', 'carry it out'],
    ['evenkeel plan playbooks/rollout.yml -E production --detailed-exitcode', 'exit 3 if anything would change'],
  ]);
  const show = new Command('show')
    .description('Print a plan that was saved.')
    .argument('<file>', 'the plan')
    .option('--json', 'print JSON')
    .option(...NO_COLOR);
  examples(show, [
    ['evenkeel plan show rollout.plan', 'what it would change'],
    ['evenkeel plan show rollout.plan --json', 'the same as JSON'],
  ]);
  command.addCommand(
    withAction(show, async (file: string, options: { json?: boolean; color?: boolean }) =>
      (await import('./command.js')).showPlanCommand({ file, ...options }, context),
    ),
  );
  return withAction(command, async (playbooks: string[], options: Raw & Pick<PlanCommandOptions, 'out'>) =>
    (await import('./command.js')).planCommand({ ...execution(options), playbooks }, context),
  );
};

export const defineApply: DefineCommand = (named, context, withAction) => {
  const command = withVault(named)
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
  }).option(...NO_COLOR);
  examples(command, [
    ['evenkeel apply rollout.plan', 'exit 5 if a controller is stale'],
    ['evenkeel apply rollout.plan -l emea --diff', 'a part of it, with what changes'],
  ]);
  return withAction(command, async (file: string, options: Raw & Omit<ApplyCommandOptions, 'file'>) =>
    (await import('./command.js')).applyCommand({ file, ...execution(options) }, context),
  );
};
