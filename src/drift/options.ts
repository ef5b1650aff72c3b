import { Option } from 'commander';
import { examples, MODULE_PATH, NO_COLOR, size, type DefineCommand } from '../cli/options/define.js';
import {
  API_VERSION,
  execution,
  FORKS,
  REPORT,
  SIMULATE,
  withCredentials,
  type Raw,
} from '../cli/options/execution.js';
import { SHARD, SKIP_TAGS, START_AT_TASK, TAGS, withTarget } from '../cli/options/target.js';
import { DIFFS } from '../core/model/run/choices.js';
import type { DriftCommandOptions } from './command.js';

export const defineDrift: DefineCommand = (named, context, withAction) => {
  const reading = withTarget(named)
    .description(
      'Compare the controllers with playbooks, and write nothing. Exit code 0: no drift, 3: drift, 4: not everything was read.',
    )
    .argument('<playbook...>', 'playbook files')
    .option(...SHARD)
    .option('--unmanaged', 'also list objects that no task manages, of the kinds that the playbooks name')
    .option('--json', 'print one JSON document')
    .option(...REPORT)
    .option(...TAGS)
    .option(...SKIP_TAGS)
    .option(...START_AT_TASK)
    .option('-D', 'same as --diff')
    .addOption(
      new Option('--diff [mode]', 'show equal drift together (=fleet) or per controller (=host)').choices(DIFFS),
    )
    .option('-v, --verbose', 'do not cut long differences', (_: unknown, level: number) => level + 1, 0)
    .option(...FORKS)
    .option('--max-registered <size>', 'the largest value that a task may register (default 16MB)', size)
    .option(...SIMULATE)
    .option(...API_VERSION);
  const command = withCredentials(reading)
    .option(...MODULE_PATH)
    .option(...NO_COLOR);
  examples(command, [
    ['evenkeel drift playbooks/rollout.yml --simulate', 'what differs, on simulated controllers'],
    ['evenkeel drift playbooks/rollout.yml --env staging --json --simulate', 'for programs'],
    ['evenkeel drift playbooks/rollout.yml --unmanaged --simulate', 'and what no task manages'],
    ['evenkeel drift playbooks/rollout.yml --report junit=drift.xml --simulate', 'a failed test for each difference'],
  ]);
  return withAction(command, async (playbooks: string[], options: Raw & Omit<DriftCommandOptions, 'playbooks'>) =>
    (await import('./command.js')).driftCommand({ ...execution(options), playbooks }, context),
  );
};
