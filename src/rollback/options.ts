import { examples, type DefineCommand } from '../cli/options/define.js';
import { CHECK, execution, withExecution, type Raw } from '../cli/options/execution.js';
import { withTarget } from '../cli/options/target.js';
import type { RollbackCommandOptions } from './command.js';

export const defineRollback: DefineCommand = (named, context, withAction) => {
  const command = withExecution(withTarget(named).option(...CHECK))
    .description('Restore the values from before a run, with the inventory and the credentials of that run.')
    .argument('<run>', 'id of the run, the beginning of one, or "last"')
    .option('--allow-lockout', 'allow changes after which Evenkeel could no longer sign in')
    .option('--force', 'roll back a run of another machine, which you know to have ended');
  examples(command, [
    ['evenkeel rollback last --check --diff', 'what would be restored'],
    ['evenkeel rollback last -l lb01.dev.example.com', 'on one controller; asks before it writes'],
    ['evenkeel rollback last --yes', 'without a question'],
  ]);
  return withAction(command, async (run: string, options: Raw & { allowLockout?: boolean; force?: boolean }) =>
    (await import('./command.js')).rollbackCommand(
      { run, ...execution(options) } satisfies RollbackCommandOptions,
      context,
    ),
  );
};
