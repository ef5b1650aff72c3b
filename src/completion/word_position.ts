import type { Argument, Command, Option } from 'commander';
import type { Candidate } from './files.js';
import type { Asked, CandidateKind } from './values.js';

/** What an option takes, by the word in its declaration: `--log <file>`. */
const PLACEHOLDERS: Readonly<Record<string, CandidateKind>> = {
  file: 'files',
  folder: 'folders',
  pattern: 'patterns',
  tags: 'tags',
  days: 'nothing',
  'n.n.n': 'nothing',
  names: 'nothing',
  number: 'nothing',
  size: 'nothing',
  text: 'nothing',
  'i/n': 'nothing',
};

/** By the name of the option, where that word can mean several things. */
const OPTION_VALUES: Readonly<Record<string, CandidateKind>> = {
  '--against': 'environments',
  '--args': 'arguments',
  '--confirm': 'environments',
  '--dialect': 'dialects',
  '--encrypt-vault-id': 'nothing',
  '--env': 'environments',
  '--extra-vars': 'variables',
  '--host': 'controllers',
  '--inventory': 'inventories',
  '--kind': 'kinds',
  '--module': 'modules',
  '--name': 'nothing',
  '--new-vault-id': 'vault ids',
  '--report': 'reports',
  '--rerun': 'reruns',
  '--start-at-task': 'tasks',
  '--stdin-name': 'nothing',
  '--tenant': 'nothing',
  '--ticket': 'nothing',
  '--user': 'nothing',
  '--vault-id': 'vault ids',
};

/** @param declared `<file>`, `[mode]` */
export function optionValue(option: string, declared: string): CandidateKind | undefined {
  const [, word = ''] = /[<[]([^\]>]+)/.exec(declared) ?? [];
  return PLACEHOLDERS[word] ?? OPTION_VALUES[option];
}

/** Completions by name of the argument; by command and name if the name is ambiguous. */
export const ARGUMENT_VALUES: Readonly<Record<string, CandidateKind>> = {
  playbook: 'playbooks',
  file: 'files',
  folder: 'folders',
  group: 'groups',
  pattern: 'patterns',
  run: 'runs',
  'report run': 'reported',
  text: 'nothing',
  'doc name': 'documented',
  'schema name': 'schemas',
};

/** What can be completed at the cursor. */
interface WordPosition extends Asked {
  /** Candidates from the declarations of the commands. */
  readonly declared: readonly Candidate[];
  /** The kind of values that is also possible. */
  readonly value?: CandidateKind;
  /** The part of the current word before the value: `--env=`. */
  readonly before: string;
}

/** Reads the words before the cursor as commander will. */
export function findPosition(program: Command, words: readonly string[], current: string): WordPosition {
  const given = new Map<string, string[]>();
  let command = program;
  let operands: string[] = [];
  let waiting: Option | undefined;
  let onlyOperands = false;
  let asksHelp = false;
  for (const word of words) {
    if (asksHelp && word.startsWith('-')) continue;
    if (waiting !== undefined) {
      given.set(optionName(waiting), [...(given.get(optionName(waiting)) ?? []), word]);
      waiting = undefined;
    } else if (onlyOperands || !/^-./.test(word)) {
      const isFirst = operands.length === 0 && !onlyOperands;
      const inner = isFirst ? commandIn(command, word) : undefined;
      if (inner !== undefined) command = inner;
      else if (isFirst && word === 'help' && command.commands.length > 0) asksHelp = true;
      else operands = [...operands, word];
    } else if (word === '--') onlyOperands = true;
    else {
      const { option, value } = optionIn(command, word);
      if (option === undefined) continue;
      if (value === undefined && option.required) waiting = option;
      else given.set(optionName(option), [...(given.get(optionName(option)) ?? []), value ?? '']);
    }
  }
  const common = { given, operands, before: '', typed: current };
  if (waiting !== undefined) return { ...common, ...declaredValue(waiting) };
  const commands = operands.length === 0 && !onlyOperands ? commandCandidates(command) : [];
  // Only names of commands follow `help`.
  if (asksHelp) return { ...common, declared: current.startsWith('-') ? [] : commands };
  if (!onlyOperands && current.startsWith('-')) {
    const { option, value } = optionIn(command, current);
    if (option === undefined || value === undefined) return { ...common, declared: optionCandidates(command) };
    const before = current.slice(0, current.length - value.length);
    return { ...common, ...declaredValue(option), before, typed: value };
  }
  const { registeredArguments: args } = command;
  const last = args.at(-1);
  const argument = args[operands.length] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return { ...common, declared: commands };
  const value = valueOfArgument(command, argument);
  return { ...common, ...value, declared: [...commands, ...value.declared] };
}

function optionName(option: Option): string {
  return option.long ?? option.short ?? '';
}

function commandIn(command: Command, name: string): Command | undefined {
  return command.commands.find((one) => one.name() === name || one.aliases().includes(name));
}

/** The option that a word names, and its value if the word has one: `--env=dev`, `-Edev`, `-CEdev`. */
function optionIn(command: Command, word: string): { readonly option?: Option; readonly value?: string } {
  const { options } = command;
  const [, long, value] = /^(--[^=]+)(?:=([^]*))?$/.exec(word) ?? [];
  if (long !== undefined) {
    const option = options.find((one) => one.long === long);
    return { ...(option && { option }), ...(value !== undefined && { value }) };
  }
  for (let at = 1; at < word.length; at += 1) {
    const option = options.find(({ short }) => short === `-${word.charAt(at)}`);
    if (option === undefined) return {};
    const rest = word.slice(at + 1);
    if (option.required || option.optional) return { option, ...(rest !== '' && { value: rest }) };
    if (rest === '') return { option };
  }
  return {};
}

function commandCandidates(command: Command): readonly Candidate[] {
  const shown = command.commands.map((one) => ({ word: one.name(), about: one.description() }));
  return shown.length === 0 ? [] : [...shown, { word: 'help', about: 'display help for a command' }];
}

function optionCandidates(command: Command): readonly Candidate[] {
  const own = command.options
    .filter((option) => !option.hidden)
    .map((option) => ({ word: optionName(option), about: option.description }));
  return [...own, { word: '--help', about: 'display help' }];
}

function declaredValue(option: Option): Pick<WordPosition, 'declared' | 'value'> {
  const { argChoices: choices } = option;
  if (choices !== undefined) return { declared: choices.map((word) => ({ word })) };
  return { declared: [], value: optionValue(optionName(option), option.flags) ?? 'files' };
}

function valueOfArgument(command: Command, argument: Argument): Pick<WordPosition, 'declared' | 'value'> {
  const { argChoices: choices } = argument;
  if (choices !== undefined) return { declared: choices.map((word) => ({ word })) };
  const name = argument.name();
  const value = ARGUMENT_VALUES[`${command.name()} ${name}`] ?? ARGUMENT_VALUES[name] ?? 'files';
  return { declared: [], value };
}
