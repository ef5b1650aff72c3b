import { InvalidArgumentError, type Command } from 'commander';
import { expandHome } from '../../core/files/paths.js';
import type { ForkCount } from '../../core/model/run/choices.js';
import { parseLimit } from '../../module/argument_spec/size.js';
import type { CommandContext } from '../context.js';

/** Returns the command. When it is used, it ends with the exit code that the action returns. */
export type WithAction = (command: Command, action: (...args: ActionArguments) => Promise<number>) => Command;

type ActionArguments = Parameters<Parameters<Command['action']>[0]>;

/** Declares a command that has its name: its arguments, its options and its help. Its code is loaded when the command is used. */
export type DefineCommand = (named: Command, context: CommandContext, withAction: WithAction) => Command;

/** Command lines, and what each is for. */
type Examples = readonly (readonly [line: string, why: string])[];

const EXAMPLES = new WeakMap<Command, Examples>();
const SHOWN = new WeakMap<Command, number>();

/** Shows command lines below the help of a command. */
export function examples(command: Command, lines: Examples): void {
  EXAMPLES.set(command, lines);
  command.addHelpText(
    'after',
    () =>
      `\nExamples:\n${lines
        .slice(0, SHOWN.get(command))
        .map(([line, why]) => `  $ ${line}\n      ${why}`)
        .join('\n')}\n`,
  );
}

/** Shows only the first ones, where the help has no room for all. */
export function showExamples(command: Command, number: number): void {
  SHOWN.set(command, number);
}

export function addedExamples(command: Command): Examples {
  return EXAMPLES.get(command) ?? [];
}

/** For an option that may be given several times. */
export function collected(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

export const MODULE_PATH = ['-M, --module-path <folder>', 'folder with more modules (repeatable)', collected] as const;
export const NO_COLOR = ['--no-color', 'no colours'] as const;

/** Like `collected`, but each value can be a comma-separated list. */
export function separated(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [
    ...(previous ?? []),
    ...value
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ];
}

/** Several between commas, and several times. */
export function apiVersions(value: string, previous: readonly string[] | undefined): readonly string[] {
  const wrong = separated(value, undefined).find((version) => !/^\d+\.\d+\.\d+$/.test(version));
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is not three numbers such as 22.1.3.`);
  return separated(value, previous);
}

/** Without a tag, as of an unset variable, all tasks would run. */
export function tags(value: string, previous: readonly string[] | undefined): readonly string[] {
  if (separated(value, undefined).length === 0)
    throw new InvalidArgumentError('It names no tag; omit --tags to run all tasks.');
  return separated(value, previous);
}

/** Refuses `-`, which is stdout elsewhere. */
export function folderName(name: string): string {
  if (name === '-') throw new InvalidArgumentError('It takes a folder; write ./- for one of that name');
  return name;
}

/** In bytes. */
export function size(value: string): number {
  const bytes = parseLimit(value);
  if (bytes === undefined) throw new InvalidArgumentError('It takes a size such as 16MB, at most 1TB.');
  return bytes;
}

export function forkCount(value: string): ForkCount {
  return value === 'auto' ? value : wholeFrom1(value, 'It takes a whole number from 1, or auto.');
}

export function wholeNumber(value: string): number {
  return wholeFrom1(value, 'It takes a whole number from 1.');
}

export function wholeFrom1(value: string, expected: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1 || !Number.isSafeInteger(number)) throw new InvalidArgumentError(expected);
  return number;
}

/**
 * An empty name, as of a variable of the shell that is not set, would mean the working directory. No shell expands
 * `--out=~/run.html`, and zsh completes `~/a.yml` as `\~/a.yml`.
 */
export function checkNames(command: Command): void {
  const refuse = (name: string, kind: string | undefined, value: unknown): void => {
    if (kind !== undefined && [value].flat().includes('')) command.error(`error: ${name} "": it takes a ${kind}`);
  };
  for (const one of command.options) {
    const kind = /<(file|folder|name)>/.exec(one.flags)?.[1];
    const value: unknown = command.getOptionValue(one.attributeName());
    refuse(one.long ?? '', kind, value);
    if (value === undefined || kind === undefined || kind === 'name') continue;
    command.setOptionValue(one.attributeName(), inHome(value));
  }
  for (const [at, one] of command.registeredArguments.entries()) {
    const value: unknown = command.processedArgs[at];
    const kind = KINDS_OF_ARGUMENTS[one.name()];
    refuse(one.name(), kind, value);
    if (kind !== undefined) command.processedArgs[at] = inHome(value);
  }
}

const KINDS_OF_ARGUMENTS: Readonly<Record<string, string>> = { playbook: 'file', file: 'file', folder: 'folder' };

function inHome(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inHome);
  return typeof value === 'string' ? expandHome(value) : value;
}
