import path from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { defineCapture, defineCompare } from '../capture/options.js';
import type { CommandContext, ProcessContext } from '../cli/context.js';
import { guardWorkflow, MaskedStream } from '../cli/masked_stream.js';
import { addedExamples, checkNames, type DefineCommand, examples, type WithAction } from '../cli/options/define.js';
import { explicitDiff } from '../cli/options/execution.js';
import { defineCompletion } from '../completion/options.js';
import { defineConfig } from '../config/options.js';
import { whyFailed } from '../core/files/paths.js';
import { PromptInterrupted, EXIT } from '../core/model/exit_code.js';
import { defineDoc, defineModules, defineSchema } from '../doc/options.js';
import { defineDrift } from '../drift/options.js';
import { defineInit } from '../init/options.js';
import { defineInventory } from '../inventory/options.js';
import { defineLint } from '../lint/options.js';
import { definePing } from '../ping/options.js';
import { defineApply, definePlan } from '../plan/options.js';
import { defineRender } from '../render/options.js';
import { defineReport } from '../report/options.js';
import { plain } from '../reporting/text/plain.js';
import { defineResume } from '../resume/options.js';
import { defineRollback } from '../rollback/options.js';
import { defineRoutes } from '../routes/options.js';
import { defineRun, defineTask } from '../run/options.js';
import { defineRuns } from '../runs/options.js';
import { defineSimulate } from '../simulate/options.js';
import { defineUi } from '../ui/options.js';
import { defineVault } from '../vault/options.js';
import { shortenHelp } from './help.js';

/** In the order of the help. */
const COMMANDS: readonly (readonly [heading: string, commands: Readonly<Record<string, DefineCommand>>])[] = [
  ['Change controllers:', { run: defineRun, task: defineTask, resume: defineResume, rollback: defineRollback }],
  ['Preview and check:', { plan: definePlan, apply: defineApply, render: defineRender, lint: defineLint }],
  [
    'Inspect the fleet and runs:',
    {
      drift: defineDrift,
      compare: defineCompare,
      capture: defineCapture,
      ping: definePing,
      routes: defineRoutes,
      runs: defineRuns,
      report: defineReport,
      ui: defineUi,
    },
  ],
  ['Start and write:', { init: defineInit, inventory: defineInventory, vault: defineVault, simulate: defineSimulate }],
  [
    'Reference and shell:',
    {
      doc: defineDoc,
      modules: defineModules,
      schema: defineSchema,
      config: defineConfig,
      completion: defineCompletion,
    },
  ],
];

/** For the scripts of `evenkeel completion`. Hidden from the help. */
const COMPLETE = '__complete';

/** Runs the command of argv and returns its exit code. */
export async function main(given: ProcessContext): Promise<number> {
  let code: number = EXIT.ok;
  const lost: string[] = [];
  if (given.env['GITHUB_ACTIONS'] === 'true') for (const stream of [given.stdout, given.stderr]) guardWorkflow(stream);
  const stderr = new MaskedStream(given.stderr, given.secrets);
  const env = { ...given.env };
  const context: CommandContext = {
    ...given,
    env,
    stdout: new MaskedStream(given.stdout, given.secrets),
    stderr,
    lostFile: (option, error) => {
      lost.push(option);
      stderr.write(`evenkeel: could not write ${plain(option)}: ${whyFailed(error)}\n`);
    },
  };
  const complaints: string[] = [];
  const withAction: WithAction = (command, action) =>
    command.action(async (...args: unknown[]) => {
      code = await action(...args);
    });
  const program = defineProgram(context, complaints).hook('preAction', (_program, command) => {
    checkNames(command);
    const { config, exec } = command.opts<Everywhere>();
    if (exec === false) env['EVENKEEL_NO_EXEC'] = '1';
    if (config !== undefined) env['EVENKEEL_CONFIG'] = path.resolve(given.cwd, config);
  });
  // Each command that is defined delays the start.
  const [first, second] = context.argv;
  addCommands(program, context, withAction, first);
  if (program.commands.length === 0) addCommands(program, context, withAction);
  if (first === COMPLETE) {
    const { completeCommand } = await import('../completion/complete.js');
    return completeCommand(program, context);
  }
  const unknown =
    first === 'help' && second !== undefined
      ? (await import('./help_all.js')).unknownInHelp(context.argv, program)
      : undefined;
  if (wantsHelp(context.argv, program)) {
    if (context.argv.includes(HELP_ALL)) (await import('./help_all.js')).groupHelp(program);
    else shortenHelp(program);
  }
  try {
    const argv = (unknown ?? context.argv).map((one) => (one === HELP_ALL ? '--help' : explicitDiff(one)));
    await program.parseAsync(argv, { from: 'user' });
    return lost.length > 0 && (code === EXIT.ok || code === EXIT.changes) ? EXIT.usage : code;
  } catch (error) {
    if (error instanceof PromptInterrupted) {
      context.stderr.write('evenkeel: interrupted: nothing was contacted or written\n');
      return EXIT.interrupted;
    }
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.ok;
    if (context.argv.length === 0 || complaints[0]?.startsWith('Usage: ') === true) {
      // The help, for `evenkeel | less` and `evenkeel vault | less`.
      context.stdout.write(complaints.join(''));
      return EXIT.usage;
    }
    const { reportWrong, wordUnknown } = await import('./wrong_option.js');
    addCommands(program, context, withAction);
    const said = plain(wordUnknown(complaints.join(''), program, (command) => addedExamples(command)[0]?.[0]));
    context.stderr.write(said);
    return reportWrong(said, program, context);
  }
}

/** All commands with their options. */
export function wholeProgram(context: CommandContext): Command {
  const program = defineProgram(context, []);
  addCommands(program, context, (command) => command);
  return program;
}

/**
 * Defines the commands that are not defined yet.
 *
 * @param only the name of the only one
 */
function addCommands(program: Command, context: CommandContext, withAction: WithAction, only?: string): void {
  const isDefined = (name: string): boolean => program.commands.some((one) => one.name() === name);
  for (const [heading, commands] of COMMANDS)
    for (const [name, define] of Object.entries(commands))
      if (name === (only ?? name) && !isDefined(name))
        program.addCommand(
          inheriting(everywhere(define(new Command(name), context, withAction).helpGroup(heading)), program),
        );
}

/** Shows all options of a command, or of the program what applies to all commands. */
const HELP_ALL = '--help-all';

function wantsHelp(argv: readonly string[], { commands }: Command): boolean {
  const [first, second] = argv;
  if (first === undefined || first === 'help' || ['--help', '-h', HELP_ALL].some((one) => argv.includes(one)))
    return true;
  return second === undefined && commands.some((one) => one.name() === first && one.commands.length > 0);
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
  withJson(command);
  command.commands.forEach(everywhere);
  return command;
}

const TEXT_OR_JSON: readonly string[] = ['text', 'json'];

/** Makes `--json` and `-o json` the same on every command that has one of them. Its code sees one of them. */
function withJson(command: Command): void {
  const has = (name: string): boolean => command.options.some(({ long }) => long === name);
  const [hasJson, hasOutput] = [has('--json'), has('--output')];
  if (hasOutput && !hasJson)
    command.option('--json', 'the same as -o json').on('option:json', () => {
      command.setOptionValue('json', undefined).setOptionValue('output', 'json');
    });
  if (hasJson && !hasOutput)
    command
      .addOption(
        new Option('-o, --output <kind>', 'text, or json: as --json').choices(TEXT_OR_JSON).argParser((kind) => {
          if (TEXT_OR_JSON.includes(kind)) return kind;
          throw new InvalidArgumentError('It is the kind of output: text or json. --out names a file or folder.');
        }),
      )
      .on('option:output', (kind: string) => {
        command.setOptionValue('output', undefined);
        if (kind === 'json') command.setOptionValue('json', true);
      });
}

/** All commands and subcommands write errors and output to the same streams. */
function inheriting(command: Command, from: Command): Command {
  command.copyInheritedSettings(from);
  for (const inner of command.commands) inheriting(inner, command);
  return command;
}

function defineProgram({ version, stdout }: CommandContext, complaints: string[]): Command {
  const program = new Command('evenkeel')
    .description('Runs playbooks over fleets of load balancer controllers.')
    .version(version)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => {
        complaints.push(text);
      },
    })
    // Else `plan` would take the options of `plan show`.
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride();
  examples(program, [
    ['evenkeel init my-project', 'a new project'],
    ['evenkeel run playbooks/rollout.yml --simulate', 'simulate it: no controller is contacted'],
    ['evenkeel run --help', 'the options of a command, with examples; --help-all: all of them'],
  ]);
  return program;
}
