import type { Command } from 'commander';
import { EXIT, EXIT_MEANINGS } from '../core/model/exit_code.js';
import { MACHINE_VARIABLES, PROJECT_SETTINGS, VARIABLES } from '../project/project/table.js';
import { LAYOUT } from './help.js';

/** The groups of options, where a command has many. Others are under `HOW`. */
const GROUPS: readonly (readonly [heading: string, options: readonly string[]])[] = [
  [
    'Controllers and variables:',
    [
      '--inventory',
      '--env',
      '--limit',
      '--shard',
      '--extra-vars',
      '--vault-id',
      '--vault-password-file',
      '--ask-vault-pass',
      '--user',
      '--ask-pass',
    ],
  ],
  [
    'Tasks:',
    [
      '--tags',
      '--skip-tags',
      '--start-at-task',
      '--step',
      '--strategy',
      '--force-handlers',
      '--rerun',
      '--module',
      '--args',
    ],
  ],
  [
    'Output:',
    [
      '--diff',
      '--output',
      '--report',
      '--log',
      '--profile',
      '--verbose',
      '--detailed-exitcode',
      '--no-color',
      '--json',
      '--out',
      '-D',
    ],
  ],
  ['Instead of a run:', ['--list-hosts', '--list-tasks', '--list-tags', '--syntax-check']],
  ['Project:', ['--config', '--no-exec', '--module-path']],
  ['Options:', ['--kind', '--all', '--unmanaged', '--against']],
];
const HOW = 'How it runs:';

/** With few options, headings are not needed. */
const MANY = 15;

/** Groups the options of every command, and adds to the program's help what applies to all commands. */
export function groupHelp(program: Command): void {
  for (const command of program.commands) groupOptions(command);
  program
    .configureHelp(LAYOUT)
    .commandsGroup(program.commands.at(-1)?.helpGroup() ?? '')
    .helpCommand('help [command]', 'Show the help of a command.');
  program.addHelpText('after', () => sectionsText(program));
}

function groupOptions(command: Command): void {
  command.configureHelp(LAYOUT);
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

function sectionsText(program: Command): string {
  const helper = program.createHelp();
  helper.helpWidth = program.configureOutput().getOutHelpWidth?.() ?? Infinity;
  return [
    ['Exit codes:', exitCodes()] as const,
    ['Environment variables (an option overrides them, they override evenkeel.yml):', environmentVariables()] as const,
    ['Read on:', READ_ON] as const,
  ]
    .map(([heading, rows]) => {
      const width = Math.max(...rows.map(([name]) => name.length));
      const items = rows.map(([name, about]) => `${helper.formatItem(name, width, about, helper)}\n`);
      return `${helper.boxWrap(heading, helper.helpWidth ?? Infinity)}\n${items.join('')}`;
    })
    .join('\n');
}

/** The command that `help` names, if it does not exist: commander would show the help of all commands. */
export function unknownInHelp([first, ...names]: readonly string[], program: Command): readonly string[] | undefined {
  if (first !== 'help') return undefined;
  let within = program;
  for (const [at, name] of names.entries()) {
    if (name.startsWith('-') || name === 'help' || within.commands.length === 0) return undefined;
    const found = within.commands.find((one) => one.name() === name || one.aliases().includes(name));
    if (found === undefined) return names.slice(0, at + 1);
    within = found;
  }
  return undefined;
}
