import { Command } from 'commander';
import type { RollbackOptions } from '../commands/rollback.js';
import { type Define, examples } from './define.js';
import { execution, type Raw, withExecution } from './execution.js';
import { withTarget } from './target.js';

export const defineRollback: Define = (context, finish) => {
  const command = withExecution(withTarget(new Command('rollback')))
    .description('Restore the values from before a run, with the inventory and the credentials of that run.')
    .argument('<run>', 'id of the run, the beginning of one, or "last"')
    .option('--allow-lockout', 'allow changes after which Evenkeel could no longer sign in');
  examples(command, [
    ['evenkeel rollback last --check --diff', 'what would be restored'],
    ['evenkeel rollback last -l lb01.dev.example.com', 'on one controller; asks before it writes'],
    ['evenkeel rollback last --yes', 'without a question'],
  ]);
  return command.action(async (run: string, options: Raw & { allowLockout?: boolean }) => {
    const { rollbackCommand } = await import('../commands/rollback.js');
    finish(await rollbackCommand({ run, ...execution(options) } satisfies RollbackOptions, context));
  });
};
