import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { maskText } from '../secrets/mask_text.js';
import { EXIT } from '../model/exit_code.js';
import type { CommandContext } from './terminal/context.js';
import { type Define, examples } from './options/define.js';
import { defineDoc, defineModules, defineSchema } from './options/reference.js';
import { explicitDiff } from './options/execution.js';
import { defineDrift } from './options/drift.js';
import { defineCapture, defineCompare } from './options/fleet.js';
import { defineInventory } from './options/inventory.js';
import { defineLint } from './options/lint.js';
import { defineRender } from './options/render.js';
import { defineReport, defineResume, defineRollback, defineRuns, defineUi } from './options/past_runs.js';
import { defineApply, definePlan } from './options/plan.js';
import { defineRun, defineTask } from './options/run.js';
import { defineCompletion, defineConfig, defineInit } from './options/setup.js';
import { defineSimulate } from './options/simulate.js';
import { defineVault } from './options/vault.js';

/** In the order in which the help lists them. */
const COMMANDS: readonly Define[] = [
  defineInit,
  defineRun,
  defineTask,
  defineRender,
  defineDrift,
  definePlan,
  defineApply,
  defineResume,
  defineRollback,
  defineRuns,
  defineReport,
  defineUi,
  defineCapture,
  defineCompare,
  defineInventory,
  defineVault,
  defineDoc,
  defineModules,
  defineLint,
  defineSchema,
  defineSimulate,
  defineConfig,
  defineCompletion,
];

/** What the scripts of `evenkeel completion` call; no help shows it. */
const COMPLETE = '__complete';

/** Runs the command of argv and returns its exit code. */
export async function main(given: CommandContext): Promise<number> {
  let code: number = EXIT.ok;
  const env = { ...given.env };
  const context = { ...given, env };
  const program = defineProgram(context).hook('preAction', (_program, command) => {
    const { config, exec } = command.opts<Everywhere>();
    if (exec === false) env['EVENKEEL_NO_EXEC'] = '1';
    if (config !== undefined) env['EVENKEEL_CONFIG'] = path.resolve(given.cwd, config);
  });
  for (const define of COMMANDS) {
    const command = define(context, (result) => {
      code = result;
    });
    program.addCommand(inheriting(everywhere(command), program));
  }
  if (context.argv[0] === COMPLETE) {
    const { completeCommand } = await import('./completion/complete.js');
    return completeCommand(program, context);
  }
  try {
    await program.parseAsync(context.argv.map(explicitDiff), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    throw error;
  }
}

/** Options of every command: they set environment variables, so all code that reads those sees them. */
interface Everywhere {
  readonly config?: string;
  readonly exec?: boolean;
}

function everywhere(command: Command): Command {
  if (command.commands.length === 0 || command.registeredArguments.length > 0)
    command
      .option('--config <file>', 'project file in place of evenkeel.yml')
      .option('--no-exec', 'start no programs and load no project code, for projects that have not been reviewed');
  command.commands.forEach(everywhere);
  return command;
}

/** Errors and output go the same way from every command, and from every command of a command. */
function inheriting(command: Command, from: Command): Command {
  command.copyInheritedSettings(from);
  for (const inner of command.commands) inheriting(inner, command);
  return command;
}

/** An option that does not exist may be a mistyped one, with a password behind it. */
function withoutValue(text: string): string {
  return text.replace(/^(error: unknown option '-[^=']*)=.*'$/ms, "$1=…'");
}

function defineProgram({ version, stdout, stderr, secrets }: CommandContext): Command {
  const program = new Command('evenkeel')
    .description('Runs playbooks over fleets of load balancer controllers.')
    .version(version)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(maskText(withoutValue(text), secrets)),
    })
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride();
  examples(program, [
    ['evenkeel run playbooks/rollout.yml --simulate', 'simulate it: no controller is contacted'],
    ['evenkeel run --help', 'the options of a command, with examples'],
  ]);
  return program;
}
