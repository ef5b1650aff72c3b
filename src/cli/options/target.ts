import { Option, type Command } from 'commander';
import { STRATEGIES } from '../../core/model/run/choices.js';
import { collected, separated, tags } from './define.js';

/** The options of every command that takes an inventory. */
export function withTarget(command: Command): Command {
  command
    .option('-i, --inventory <source>', 'inventory file, folder, executable or "host1,host2," (repeatable)', collected)
    .option('-E, --env <name>', 'environment of evenkeel.yml')
    .option('-l, --limit <pattern>', 'only these controllers, or @file')
    .option('-e, --extra-vars <vars>', "variables: 'k=v', JSON, YAML or @file (repeatable)", collected);
  return withVault(command);
}

/** For the commands of which several machines can each do a part. */
export const SHARD = [
  '--shard <i/n>',
  'only the I-th of N parts of these controllers; auto/N: the part of this job of an Indexed Job, matrix or array',
] as const;

/** The options of every command that may meet something encrypted. */
export function withVault(command: Command): Command {
  return command
    .option('--vault-id <id>', 'LABEL@FILE or LABEL@prompt (repeatable)', collected)
    .option('--vault-password-file <file>', 'file or program with a vault password (repeatable)', collected)
    .option('-J, --ask-vault-pass', 'ask for the vault password');
}

export const TAGS = ['-t, --tags <tags>', 'only tasks with these tags (comma separated)', tags] as const;
export const SKIP_TAGS = ['--skip-tags <tags>', 'skip tasks with these tags (comma separated)', separated] as const;
export const START_AT_TASK = [
  '--start-at-task <name>',
  'skip everything before the task with this name (or glob)',
] as const;

/** Which tasks of playbooks run, and in which order. */
export function withSelection(command: Command): Command {
  return command
    .option(...TAGS)
    .option(...SKIP_TAGS)
    .addOption(new Option('--strategy <name>', 'strategy of plays that set none').choices(STRATEGIES))
    .option(...START_AT_TASK)
    .option('--force-handlers', 'run notified handlers even on controllers that failed');
}
