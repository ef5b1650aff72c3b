import type { Command } from 'commander';
import { type CommandContext, annotate } from '../cli/context.js';
import type { ExtraOptions } from '../cli/extra_outputs.js';
import { EXIT } from '../core/model/exit_code.js';
import { orElse } from '../core/model/source/diagnostic.js';
import { nearestName } from '../core/model/source/suggestion.js';
import { removedText } from '../core/model/version.js';

/** Options of other tools, and what does the same here. The nearest name of `--dry-run` is `--rerun`, which writes. */
const SAME_HERE: Readonly<Record<string, string>> = {
  '--dry-run': '--check',
  '--quiet': '--output quiet',
  '--one-line': '--output lines',
  '--inventory-file': '--inventory',
  '--vault-pass-file': '--vault-password-file',
  '--environment': '--env',
  '--environments': '--env',
};

const NO_BECOME = 'there is no become: the account that signs in decides; name it with -u or controller_username';
const NO_SSH = 'tasks use the API of the controllers, not SSH: leave it out; -u and -k sign in';
const LIMIT_OF_TASKS = 'write "timeout", or "until" with "retries", at the task';

/** Options of Ansible that have no counterpart, and what to do. */
const OF_ANSIBLE: Readonly<Record<string, string>> = {
  ...adviseAll('-b --become --become-user --become-method', NO_BECOME),
  ...adviseAll(
    '-K --ask-become-pass --become-password-file --become-pass-file',
    `${NO_BECOME}, and -k asks for its password`,
  ),
  ...adviseAll('-c --connection --private-key --key-file --ssh-common-args', NO_SSH),
  ...adviseAll('--ssh-extra-args --scp-extra-args --sftp-extra-args', NO_SSH),
  ...adviseAll('-T --timeout -B --background -P --poll', LIMIT_OF_TASKS),
  '--flush-cache': 'nothing is cached between runs: leave it out',
  '--tree': 'write --report json=FILE',
  ...adviseAll(
    '--connection-password-file --conn-pass-file',
    'write controller_password in an encrypted file, or pass -k',
  ),
};

function adviseAll(options: string, advice: string): Readonly<Record<string, string>> {
  return Object.fromEntries(options.split(' ').map((name) => [name, advice]));
}

/** Words of Ansible and of other tools that lead to a command, and the command. */
const COMMANDS_OF_OTHERS: Readonly<Record<string, string>> = {
  playbook: 'run PLAYBOOK',
  adhoc: 'task PATTERN -m MODULE',
  validate: 'lint',
  check: 'run PLAYBOOK --check',
  ...adviseAll('history log logs status state', 'runs'),
  show: 'runs RUN',
  diff: 'drift PLAYBOOK',
  ...adviseAll('undo destroy', 'rollback RUN'),
  retry: 'run --rerun RUN',
  new: 'init',
  galaxy: 'lint --from-ansible',
};

/** Commands that never write to controllers. */
const READING: ReadonlySet<string> = new Set(['plan', 'drift', 'render', 'compare', 'capture', 'ping', 'lint']);

/** Commands that continue, and whose options they continue with; and what to do in place of a check. */
const CONTINUING: Readonly<Record<string, { readonly options: string; readonly check: string }>> = {
  apply: { options: 'an apply uses the options of its plan', check: '"evenkeel plan show FILE" shows what it will do' },
  resume: { options: 'a resume uses the options of its run', check: '"evenkeel runs RUN" shows what it has done' },
};

/** The first command line that the help of a command shows. */
type FirstExample = (command: Command) => string | undefined;

/** The message of commander, with what to write in place of an option or a command that does not exist. */
export function wordUnknown(text: string, program: Command, example: FirstExample): string {
  const hidden = withoutValue(unknownFirst(text, program));
  const [found, kind = '', given = '', near] =
    /^error: unknown (option|command) '([^'=]*)[^']*'(?:\n(\(Did you mean .*\?\)))?/.exec(hidden) ?? [];
  if (found === undefined) return withExample(hidden, program, example);
  const rest = hidden.slice(found.length);
  const removed = removedText(kind === 'option' ? given : `evenkeel ${given}`);
  if (removed !== undefined) return `error: ${removed}${rest}`;
  const hint =
    kind === 'option'
      ? (findAdvice(given, program) ?? findNearest(given, program, near))
      : adviceForCommand(given, program, near);
  return `${found.split('\n')[0] ?? ''}${hint === undefined ? '' : `\n${hint}`}${rest}`;
}

const WRONG_VALUE =
  /^error: (?:option '(?:-\w, )?(--[\w-]+)[^']*' argument '([^]*)' is invalid|command-argument value '([^]*)' is invalid for argument '([^']*)')\. (?:Allowed choices are ([^\n]*)\.|([^\n]*?)\.?)$/m;
const NO_VALUE = /^error: option '(?:-\w, )?((--[\w-]+) [^']*)' argument missing$/m;
const TOO_MANY = /^error: too many arguments for '([^']*)'\. Expected (\d+ arguments?) but got (\d+)\.$/m;
const MISSING = /^error: (?:missing required argument '[^']*'|required option '[^']*' not specified)$/m;

/** For a wrong value, what the option takes, and the nearest choice or an example; for a missing argument or option, an example. */
function withExample(text: string, program: Command, example: FirstExample): string {
  const [wrong, option, optionValue, argumentValue, argument, choices, reason = ''] = WRONG_VALUE.exec(text) ?? [];
  if (wrong !== undefined) {
    const value = optionValue ?? argumentValue ?? '';
    // An optional value follows `=`.
    const prefix = option === undefined ? '' : `${option}${/^[^']*'[^']*\[/.test(wrong) ? '=' : ' '}`;
    return text.replace(
      wrong,
      () =>
        `error: ${option ?? argument ?? ''} "${value}": ${choices === undefined ? reason.replace(/^It /, 'it ') : expectChoice(value, choices.split(', '), prefix)}`,
    );
  }
  const line = example(calledCommand(program));
  const [missing] = MISSING.exec(text) ?? [];
  if (missing === undefined || line === undefined)
    return text
      .replace(NO_VALUE, 'error: $2 needs a value: $1')
      .replace(TOO_MANY, (_, name: string, most: string, given: string) => {
        return `error: "${name}" takes ${most.startsWith('0 ') ? most.replace('0', 'no') : `at most ${most}`}, not ${given}`;
      });
  return text.replace(missing, () => `${missing}\n(for example: ${line})`);
}

/** @param prefix the option as it is typed, up to its value: `--output `, `--diff=` */
function expectChoice(value: string, choices: readonly string[], prefix: string): string {
  const near = nearestName(value, choices);
  const hint = near === undefined ? `for example: ${prefix}${choices[0] ?? ''}` : `Did you mean ${near}?`;
  return `it takes one of ${choices.join(', ')}\n(${hint})`;
}

/** commander misses a required option before it sees one that does not exist, and that may be the required one, mistyped. */
function unknownFirst(text: string, program: Command): string {
  const unknown = calledCommand(program).args.find((word) => /^-./.test(word));
  if (unknown === undefined) return text;
  return text.replace(/^error: required option .* not specified$/m, () => `error: unknown option '${unknown}'`);
}

/** `evenkeel site.yml`, as `ansible-playbook site.yml`; `evenkeel all -m ping`, as `ansible all -m ping`; commands of other tools. */
function commandInstead(given: string, { args }: Command): string | undefined {
  if (/\.ya?ml$/i.test(given)) return `run ${given}`;
  if (args.some((word) => /^-m|^--module/.test(word))) return `task ${given} -m MODULE`;
  return Object.hasOwn(COMMANDS_OF_OTHERS, given) ? COMMANDS_OF_OTHERS[given] : undefined;
}

function adviceForCommand(given: string, program: Command, near: string | undefined): string | undefined {
  const line = commandInstead(given, program);
  if (line !== undefined) return `(Did you mean evenkeel ${line}?)`;
  const group = calledCommand(program);
  if (near !== undefined || group === program) return near;
  return `(the commands are ${group.commands.map((one) => one.name()).join(', ')})`;
}

/** An option that does not exist may be a mistyped one, with a password behind it. */
function withoutValue(text: string): string {
  return text.replace(/^(error: unknown option '-[^=']*)=.*'$/ms, "$1=…'");
}

function findAdvice(given: string, program: Command): string | undefined {
  const command = calledCommand(program);
  const has = (name: string | undefined): boolean => command.options.some(({ long }) => long === name);
  if (/^(?:-o|--output$)/.test(given) && has('--out'))
    return '(-o is the kind of output. To name a file or folder: --out)';
  if (given === '--json' && has('--list')) return '(--list prints JSON already)';
  const same = SAME_HERE[given];
  if (same !== undefined && takes(command, same)) return `(Did you mean ${same}?)`;
  const short = given.startsWith('--') ? given : given.slice(0, 2);
  if (['-C', '--check', '--dry-run'].includes(short) && READING.has(command.name()))
    return `("${command.name()}" never writes to a controller: leave it out)`;
  const continuing = CONTINUING[command.name()];
  if (['-C', '--check', '--dry-run'].includes(short) && continuing !== undefined) return `(${continuing.check})`;
  if (given === '--detailed-exitcode' && ['drift', 'compare'].includes(command.name()))
    return `("${command.name()}" ends with 3 if something differs: leave it out)`;
  const advice = OF_ANSIBLE[short];
  return advice === undefined ? undefined : `(${advice})`;
}

/** @param written `--output quiet`: an option, or with a value */
function takes({ options }: Command, written: string): boolean {
  const [name, value] = written.split(' ');
  const found = options.find(({ long }) => long === name);
  return found !== undefined && (value === undefined || found.argChoices?.includes(value) === true);
}

function calledCommand(program: Command): Command {
  const inner = program.commands.find(
    (one) => one.name() === program.args[0] || one.aliases().includes(program.args[0] ?? ''),
  );
  return inner === undefined ? program : calledCommand(inner);
}

/** The option that is meant: the same of other commands, or the nearest of this command or of others. */
function findNearest(given: string, program: Command, near: string | undefined): string | undefined {
  const others = program.commands.map((one) => ({ name: one.name(), options: optionNames(one) }));
  const all = others.flatMap(({ options }) => options);
  const own = nearestOption(given, optionNames(calledCommand(program)));
  const here = near ?? (own === undefined ? undefined : `(Did you mean ${own}?)`);
  if (here !== undefined && !all.includes(given)) return here;
  const meant = all.includes(given) ? given : nearestOption(given, all);
  if (meant === undefined) return undefined;
  const owners = others.filter(({ options }) => options.includes(meant)).map(({ name }) => name);
  const continuing = CONTINUING[calledCommand(program).name()];
  if (continuing !== undefined && owners.includes('run'))
    return `(${continuing.options}: leave ${meant === given ? 'it' : meant} out)`;
  return `(${meant === given ? 'It' : meant} is an option of ${owners.join(', ')})`;
}

function nearestOption(given: string, known: readonly string[]): string | undefined {
  if (given.startsWith('--')) return nearestName(given, known);
  return known.find((one) => one.toLowerCase() === given.slice(0, 2).toLowerCase() && !given.startsWith(one));
}

function optionNames({ options }: Command): readonly string[] {
  return options.flatMap(({ long, short }) => [long, short].filter((name) => typeof name === 'string'));
}

/** Writes a wrong command line to the reports that it asks for, as far as they can be read, and as an annotation; returns the exit code. */
export async function reportWrong(said: string, program: Command, context: CommandContext): Promise<number> {
  const [message = '', ...hints] = said.trimEnd().split('\n');
  const diagnostic = {
    severity: 'error' as const,
    message: message.replace(/^error: /, ''),
    ...(hints.length > 0 && { hint: hints.map((one) => one.replace(/^\((.*)\)$/, '$1')).join('; ') }),
  };
  annotate([diagnostic], context);
  const options = requestedReports(program, context.argv);
  if (options.report === undefined && options.log === undefined) return EXIT.usage;
  const { ExtraOutputs } = await import('../cli/extra_outputs.js');
  const refusal = { time: new Date().toISOString(), version: context.version, playbooks: [], exitCode: EXIT.usage };
  await new ExtraOutputs(options, context).refuse({ ...refusal, diagnostics: [diagnostic] }, context);
  return EXIT.usage;
}

/** The values of `--report` and `--log`. A command with a mistyped name counts as `run`. */
function requestedReports(program: Command, argv: readonly string[]): ExtraOptions {
  const called = calledCommand(program);
  const command = called === program ? program.commands.find((one) => one.name() === 'run') : called;
  const read = (long: string): unknown => {
    const option = command?.options.find((one) => one.long === long);
    if (option === undefined) return undefined;
    return argv.reduce<unknown>((previous, word, index) => {
      const value =
        word === long ? argv[index + 1] : word.startsWith(`${long}=`) ? word.slice(long.length + 1) : undefined;
      return orElse(previous, () => (value === undefined ? previous : (option.parseArg?.(value, previous) ?? value)));
    }, undefined);
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options parse their values
  return { report: read('--report'), log: read('--log') } as ExtraOptions;
}
