import { Help, type Command, type Option } from 'commander';
import { addedExamples, showExamples } from '../cli/options/define.js';
import { EXIT, EXIT_MEANINGS } from '../core/model/exit_code.js';
import { appendTo } from '../core/model/values/groups.js';
import { MACHINE_VARIABLES, PROJECT_SETTINGS, VARIABLES } from '../project/project/table.js';

/** The groups of options, where a command has many. Others are under `HOW`. */
const GROUPS: readonly (readonly [heading: string, options: readonly string[]])[] = [
  [
    'Controllers and variables:',
    [
      ...[
        '--inventory',
        '--env',
        '--limit',
        '--shard',
        '--extra-vars',
        '--vault-id',
        '--vault-password-file',
        '--ask-vault-pass',
      ],
      ...['--user', '--ask-pass'],
    ],
  ],
  [
    'Tasks:',
    [
      ...['--tags', '--skip-tags', '--start-at-task', '--step', '--strategy', '--force-handlers', '--rerun'],
      ...['--module', '--args'],
    ],
  ],
  [
    'Output:',
    [
      ...['--diff', '--output', '--report', '--log', '--profile', '--verbose', '--detailed-exitcode', '--no-color'],
      ...['--json', '--out', '-D'],
    ],
  ],
  ['Instead of a run:', ['--list-hosts', '--list-tasks', '--list-tags', '--syntax-check']],
  ['Project:', ['--config', '--no-exec', '--module-path']],
  ['Options:', ['--kind', '--all', '--unmanaged', '--against']],
];
const HOW = 'How it runs:';

/** With few options, headings are not needed. */
const MANY = 15;

/** The lines of a screen. */
const MOST_LINES = 40;
const WIDTH = 80;

/** Options that the short help leaves out, the first ones first, until it fits. */
const SELDOM = [
  ...['--config', '--no-exec', '--no-color', '--max-registered', '--api-version', '--wait', '--ticket', '--reason'],
  ...['--vault-id', '--module-path', '-D', '--profile', '--log', '--shard', '--verify-idempotent', '--ask-pass'],
  ...['--force-handlers', '--strategy', '--user', '--vault-password-file', '--list-tags', '--list-hosts', '--step'],
  ...['--skip-tags', '--start-at-task', '--syntax-check', '--detailed-exitcode', '--verbose', '--forks', '--json'],
  ...['--ask-vault-pass', '--list-tasks', '--report', '--rerun'],
];

/** Fits the help of every command on a screen; `--help-all` shows the rest. */
export function shortenHelp(command: Command): void {
  command.configureHelp({
    subcommandTerm: (one) => one.name(),
    formatHelp: command.parent === null ? overview : fitted,
  });
  command.commands.forEach(shortenHelp);
}

/** All commands, a line each. */
function overview(program: Command, helper: Help): string {
  const rows = helper.visibleCommands(program);
  const width = Math.max(...rows.map((one) => one.name().length)) + 4;
  const groups = new Map<string, string[]>();
  for (const one of rows) {
    const line = `  ${one.name()}`.padEnd(width) + firstClause(one.description(), WIDTH - width);
    if (one.name() !== 'help') appendTo(groups, one.helpGroup(), line);
  }
  const listed = [...groups].map(([heading, lines]) => `${heading}\n${lines.join('\n')}\n`);
  const more = `evenkeel COMMAND --help   the options of a command, with examples
evenkeel --help-all       exit codes, environment variables, where to read on`;
  showExamples(program, 1);
  return [`${program.description()}\n`, ...listed, `${more}\n`].join('\n');
}

/** The beginning of a description, up to the last part that fits. */
export function firstClause(text: string, most: number): string {
  const sentence = text.split(/(?<=\w)\.(?:\s|$)|:\s/)[0] ?? '';
  const parts = sentence.split(/(?=, )/);
  while (parts.length > 1 && parts.join('').length > most) parts.pop();
  return parts.join('');
}

/** The help without the options and examples that are used least, until it fits. */
function fitted(command: Command, helper: Help): string {
  const text = (): string => Help.prototype.formatHelp.call(helper, command, helper);
  const examples = addedExamples(command).length;
  const all = text();
  const rest = (shown: number): number => (examples === 0 ? 0 : 3 + 2 * shown);
  if (lineCount(all) + rest(examples) <= MOST_LINES) return all;
  const shown = Math.min(examples, 3);
  showExamples(command, shown);
  for (const option of byUse(command.options)) {
    if (lineCount(text()) + rest(shown) + 1 <= MOST_LINES) break;
    option.hidden = true;
  }
  return `${text()}More options and examples: evenkeel ${callName(command)} --help-all\n`;
}

/** Those that are used least first. */
function byUse(options: readonly Option[]): readonly Option[] {
  const rank = ({ long, short }: Option): number => {
    const at = SELDOM.indexOf(long ?? short ?? '');
    return at === -1 ? SELDOM.length : at;
  };
  return [...options].reverse().sort((a, b) => rank(a) - rank(b));
}

function lineCount(text: string): number {
  return text.split('\n').length - 1;
}

function callName(command: Command): string {
  const above = command.parent?.parent == null ? '' : `${command.parent.name()} `;
  return `${above}${command.name()}`;
}

/** Groups the options of every command, and adds to the program's help what applies to all commands. */
export function groupHelp(program: Command): void {
  for (const command of program.commands) groupOptions(command);
  program
    .commandsGroup(program.commands.at(-1)?.helpGroup() ?? '')
    .helpCommand('help [command]', 'Show the help of a command.');
  program.addHelpText('after', sectionsText);
}

function groupOptions(command: Command): void {
  command.commands.forEach(groupOptions);
  if (command.options.length < MANY) return;
  for (const option of command.options) {
    const group = GROUPS.find(([, options]) => options.includes(option.long ?? option.short ?? ''));
    option.helpGroup(group?.[0] ?? HOW);
  }
}

/** The code of each outcome, and its meaning. */
export function exitCodes(): readonly (readonly [code: string, meaning: string])[] {
  return Object.entries(EXIT_MEANINGS).map(([name, meaning]) => [String(namedExitCode(name)), meaning]);
}

function namedExitCode(name: string): number | undefined {
  return Object.entries(EXIT).find(([one]) => one === name)?.[1];
}

/** The variables of the environment, and what each sets. */
export function environmentVariables(): readonly (readonly [name: string, about: string])[] {
  const settings = Object.entries(VARIABLES).map(([setting, variable]) => {
    const about = PROJECT_SETTINGS.find(({ name }) => name === setting)?.description ?? '';
    return [variable, about] as const;
  });
  return [...settings, ...Object.entries(MACHINE_VARIABLES), ...OTHERS];
}

const OTHERS = [
  ['NO_COLOR', 'No colours. FORCE_COLOR: colours also without a terminal.'],
  ['HTTPS_PROXY, NO_PROXY', 'The proxy to controllers, and the addresses without one.'],
] as const;

export const READ_ON = [
  ['evenkeel COMMAND --help', 'the options of a command, with examples'],
  ['evenkeel doc NAME', 'modules, keywords, filters, tests, lookups, variables, settings'],
  ['man evenkeel-COMMAND', 'the manual, if npm installed it globally'],
  ['docs/getting-started.md', 'from an empty folder to a rollout; README.md lists all pages'],
] as const;

function sectionsText(): string {
  return [
    ['Exit codes:', exitCodes()] as const,
    ['Environment variables (an option overrides them, they override evenkeel.yml):', environmentVariables()] as const,
    ['Read on:', READ_ON] as const,
  ]
    .map(([heading, rows]) => {
      const width = Math.max(...rows.map(([name]) => name.length));
      return `${heading}\n${rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}\n`).join('')}`;
    })
    .join('\n');
}
