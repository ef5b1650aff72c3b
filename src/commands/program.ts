import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { EXIT, type CommandContext } from './context.js';
import type { DiffMode, ExecutionOptions, OutputName, RunOptions } from './options.js';

/** Runs the command that argv names and gives its exit code. Each command's code is loaded when it is asked for. */
export async function main(context: CommandContext): Promise<number> {
  let code: number = EXIT.ok;
  const finish = (result: number): void => {
    code = result;
  };
  const program = new Command('evenkeel')
    .description('Runs playbooks over fleets of load balancer controllers.')
    .version(context.version)
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    })
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride();
  examples(program, [
    ['evenkeel run playbooks/rollout.yml --simulate', 'a rehearsal: nothing is contacted'],
    ['evenkeel run --help', 'the options of a command, with examples'],
  ]);
  program
    .addCommand(defineRun(context, finish).copyInheritedSettings(program))
    .addCommand(defineTask(context, finish).copyInheritedSettings(program))
    .addCommand(defineInventory(context, finish).copyInheritedSettings(program))
    .addCommand(defineDoc(context, finish).copyInheritedSettings(program))
    .addCommand(defineSimulate(context, finish).copyInheritedSettings(program));
  try {
    await program.parseAsync(context.argv.map(explicitDiff), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    throw error;
  }
}

type Finish = (code: number) => void;

/** `--diff` alone would take the word after it as its mode. */
function explicitDiff(argument: string): string {
  return argument === '--diff' ? '--diff=auto' : argument;
}

function defineRun(context: CommandContext, finish: Finish): Command {
  const command = withExecution(withTarget(new Command('run')))
    .description('Run playbooks over an inventory.')
    .argument('<playbook...>', 'playbook files')
    .option('-t, --tags <tags>', 'only tasks with these tags (comma separated)', separated)
    .option('--skip-tags <tags>', 'no tasks with these tags (comma separated)', separated)
    .addOption(
      new Option('--strategy <name>', 'how controllers advance; overrides the playbook').choices([
        'host_pinned',
        'linear',
        'free',
      ]),
    )
    .option('--list-hosts', 'print the controllers each play targets, and stop')
    .option('--list-tasks', 'print the tasks that would run, and stop')
    .option('--list-tags', 'print the tags of each play, and stop')
    .option('--syntax-check', 'check everything that can be checked without a controller, and stop');
  examples(command, [
    ['evenkeel run playbooks/rollout.yml --simulate', 'rehearse: simulated controllers stand in'],
    ['evenkeel run playbooks/rollout.yml --check --diff --simulate', 'show what would change'],
    ['evenkeel run playbooks/rollout.yml --env staging --simulate', 'an environment of evenkeel.yml'],
    ["evenkeel run playbooks/rollout.yml -i inventory/production -l 'emea:!lb06*' --simulate", 'some controllers only'],
  ]);
  return command.action(async (playbooks: string[], options: Raw) => {
    const { runCommand } = await import('./run.js');
    finish(await runCommand({ playbooks, ...execution(options) } satisfies RunOptions, context));
  });
}

function defineTask(context: CommandContext, finish: Finish): Command {
  const command = withExecution(withTarget(new Command('task')))
    .description('Run one task on the controllers that a pattern names, without a playbook.')
    .argument('<pattern>', 'controllers: names, groups, globs, a:b, a:&b, a:!b')
    .requiredOption('-m, --module <name>', 'module')
    .option('-a, --args <args>', "arguments: 'k=v k2=v2', JSON, YAML, or @file");
  examples(command, [
    ['evenkeel task lb01.dev.example.com -m cloud_present -a name=edge --simulate', 'rehearse one task'],
    [
      "evenkeel task all -m system_config -a '{dns_configuration: {search_domain: example.com}}' -CD --simulate",
      'check',
    ],
    ["evenkeel task 'lab:!lb03*' -m api_request -a path=/api/cloud/ -v --simulate", 'ask the API'],
  ]);
  return command.action(async (pattern: string, options: Raw & { module: string; args?: string }) => {
    const { taskCommand } = await import('./task.js');
    finish(await taskCommand({ pattern, ...execution(options) }, context));
  });
}

function defineInventory(context: CommandContext, finish: Finish): Command {
  const command = withTarget(new Command('inventory'))
    .description('Show the inventory as it was understood.')
    .argument('[group]', 'where --graph starts')
    .option('--list', 'everything, as JSON')
    .option('--host <name>', "one controller's variables, as JSON")
    .option('--graph', 'groups and controllers as a tree')
    .option('--vars', 'with --graph: variables too')
    .option('-y, --yaml', 'YAML instead of JSON');
  examples(command, [
    ['evenkeel inventory --graph', 'the groups of the default inventory'],
    ['evenkeel inventory -i inventory/production --list', 'everything, as JSON'],
    ['evenkeel inventory --env staging --host lb01.emea.stage.example.com', "one controller's variables"],
  ]);
  return command.action(async (group: string | undefined, options: Record<string, unknown>) => {
    const { inventoryCommand } = await import('./inventory.js');
    finish(await inventoryCommand({ ...options, ...(group === undefined ? {} : { group }) }, context));
  });
}

function defineDoc(context: CommandContext, finish: Finish): Command {
  const command = new Command('doc')
    .description('Module reference.')
    .argument('[module]', 'module name')
    .option('-l, --list', 'all modules, a line each')
    .option('--json', 'for programs')
    .option('-M, --module-path <folder>', 'folder of your own modules (repeatable)', collected);
  examples(command, [
    ['evenkeel doc -l', 'all modules'],
    ['evenkeel doc cloud_present', 'arguments and examples of one'],
  ]);
  return command.action(async (module: string | undefined, options: Record<string, unknown>) => {
    const { docCommand } = await import('./doc.js');
    finish(await docCommand({ ...options, ...(module === undefined ? {} : { module }) }, context));
  });
}

function defineSimulate(context: CommandContext, finish: Finish): Command {
  const command = withTarget(new Command('simulate'))
    .description('Run simulated controllers for an inventory until Ctrl-C.')
    .option('--port <number>', 'first port; the others follow (default: any free ones)', wholeNumber);
  examples(command, [
    [
      'evenkeel simulate -i inventory/development > simulated.yml',
      'then: evenkeel run … -i inventory/development -i simulated.yml',
    ],
  ]);
  return command.action(async (options: Record<string, unknown>) => {
    const { simulateCommand } = await import('./simulate.js');
    finish(await simulateCommand(options, context));
  });
}

function withTarget(command: Command): Command {
  return command
    .option('-i, --inventory <source>', 'inventory file, folder, executable or "host1,host2," (repeatable)', collected)
    .option('-E, --env <name>', 'environment of evenkeel.yml')
    .option('-l, --limit <pattern>', 'only these controllers, or @file')
    .option('-e, --extra-vars <vars>', "variables: 'k=v', JSON, YAML or @file (repeatable)", collected);
}

function withExecution(command: Command): Command {
  return command
    .option('-C, --check', 'change nothing; show what would change')
    .option('-D', 'show changes in detail (same as --diff)')
    .addOption(
      new Option('--diff [mode]', 'show changes per controller or for the fleet').choices(['auto', 'host', 'fleet']),
    )
    .option('-f, --forks <number>', 'controllers at once (default 50)', wholeNumber)
    .addOption(new Option('-o, --output <kind>', 'how to report').choices(['live', 'lines', 'json', 'quiet']))
    .option('-v, --verbose', 'more detail; repeat up to -vvvv', (_: unknown, level: number) => level + 1, 0)
    .option('--detailed-exitcode', 'exit 3 when something changed or would change')
    .option('--simulate', 'simulated controllers in this process stand in for all of the inventory')
    .option('--yes', 'do not ask before running in an environment with "confirm"')
    .option('-u, --user <name>', 'user name, where the inventory has none')
    .option('-k, --ask-pass', 'ask for the password, used where the inventory has none')
    .option('-M, --module-path <folder>', 'folder of your own modules (repeatable)', collected)
    .option('--no-color', 'no colours');
}

/** What commander makes of the options of `withTarget` and `withExecution`, before the doubles are joined. */
type Raw = Omit<ExecutionOptions, 'verbosity' | 'diff'> & {
  readonly verbose: number;
  readonly D?: boolean;
  readonly diff?: DiffMode;
  readonly output?: OutputName;
};

function execution<T extends Raw>({ verbose, D, ...rest }: T): Omit<T, 'verbose' | 'D'> & { verbosity: number } {
  const { diff, ...others } = rest;
  const shown = diff ?? (D === true ? 'auto' : undefined);
  return { ...others, verbosity: verbose, ...(shown === undefined ? {} : { diff: shown }) } as Omit<
    T,
    'verbose' | 'D'
  > & {
    verbosity: number;
  };
}

function examples(command: Command, lines: readonly (readonly [string, string])[]): void {
  command.addHelpText('after', `\nExamples:\n${lines.map(([line, why]) => `  $ ${line}\n      ${why}`).join('\n')}\n`);
}

function collected(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

function separated(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [
    ...(previous ?? []),
    ...value
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ];
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('it takes a whole number from 1.');
  return number;
}
