import { Help, type Command, type Option } from 'commander';
import { addedExamples, showExamples } from '../cli/options/define.js';
import { appendTo } from '../core/model/values/groups.js';

/** The lines of a screen. */
const MOST_LINES = 40;
const WIDTH = 80;
/** Descriptions with less room than this begin below their terms. */
const NARROW = 20;

/** Options that the short help leaves out, the first ones first, until it fits. */
const SELDOM = [
  '--config',
  '--no-exec',
  '--no-color',
  '--max-registered',
  '--api-version',
  '--wait',
  '--ticket',
  '--reason',
  '--vault-id',
  '--module-path',
  '-D',
  '--profile',
  '--log',
  '--shard',
  '--verify-idempotent',
  '--ask-pass',
  '--force-handlers',
  '--strategy',
  '--user',
  '--vault-password-file',
  '--list-tags',
  '--list-hosts',
  '--step',
  '--skip-tags',
  '--start-at-task',
  '--syntax-check',
  '--detailed-exitcode',
  '--verbose',
  '--forks',
  '--json',
  '--ask-vault-pass',
  '--list-tasks',
  '--report',
  '--rerun',
];

/** Fits the help of every command on a screen; `--help-all` shows the rest. */
export function shortenHelp(command: Command): void {
  command.configureHelp({
    subcommandTerm: (one) => one.name(),
    ...LAYOUT,
    formatHelp: command.parent === null ? overview : fitted,
  });
  command.commands.forEach(shortenHelp);
}

export const LAYOUT = { minWidthToWrap: 1, formatItem };

function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const { helpWidth = WIDTH } = helper;
  if (helpWidth - termWidth - 4 >= NARROW)
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  const wrapped = (text: string, indent: number): string =>
    helper.boxWrap(text, helpWidth - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);
  return `  ${wrapped(term, 4)}\n      ${wrapped(description, 6)}`.trimEnd();
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
  const { helpWidth = WIDTH } = helper;
  // A narrow screen shows the same options.
  const text = (width = Math.max(WIDTH, helpWidth)): string => {
    helper.helpWidth = width;
    return Help.prototype.formatHelp.call(helper, command, helper);
  };
  const examples = addedExamples(command).length;
  const rest = (shown: number): number => (examples === 0 ? 0 : 3 + 2 * shown);
  if (lineCount(text()) + rest(examples) <= MOST_LINES) return text(helpWidth);
  const shown = Math.min(examples, 3);
  showExamples(command, shown);
  for (const option of byUse(command.options)) {
    if (lineCount(text()) + rest(shown) + 1 <= MOST_LINES) break;
    option.hidden = true;
  }
  return `${text(helpWidth)}More options and examples: evenkeel ${callName(command)} --help-all\n`;
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
