import path from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../cli/context.js';
import { EXIT } from '../core/model/exit_code.js';
import type { Candidate } from './candidate.js';
import { bashLine, unquoted, type TypedLine } from './command_line.js';
import { positionOf } from './position.js';
import { valuesOf } from './values.js';

/**
 * The scripts of `evenkeel completion` call this. Prints possible next words, one per line. Contacts and executes
 * nothing, and prints no errors, because the user is typing.
 */
export async function completeCommand(program: Command, context: CommandContext): Promise<number> {
  const [, shell = '', ...rest] = context.argv;
  const line = lineOf(shell, rest);
  const env = { ...context.env, EVENKEEL_NO_EXEC: '1' };
  try {
    const found = await candidatesFor(program, line, { cwd: context.cwd, env });
    context.stdout.write(found.map((one) => `${shell === 'bash' ? line.insert(one.word) : described(one)}\n`).join(''));
  } catch {
    // No candidates: the command itself will say what is wrong.
  }
  return EXIT.ok;
}

function lineOf(shell: string, rest: readonly string[]): TypedLine {
  if (shell !== 'bash')
    return { words: rest.slice(0, -1).map(unquoted), current: unquoted(rest.at(-1) ?? ''), insert: (word) => word };
  const [typed = '', breaks = ''] = rest;
  const line = bashLine(typed, breaks);
  // Variables may be set before the name of the program.
  const at = line.words.findIndex((word) => path.basename(word) === 'evenkeel');
  return { ...line, words: line.words.slice(at + 1) };
}

async function candidatesFor(
  program: Command,
  { words, current }: TypedLine,
  { cwd, env }: Pick<CommandContext, 'cwd' | 'env'>,
): Promise<readonly Candidate[]> {
  const position = positionOf(program, words, current);
  const { declared, value, before, typed, given } = position;
  const [config] = given.get('--config') ?? [];
  const workspace = { cwd, env: config === undefined ? env : { ...env, EVENKEEL_CONFIG: path.resolve(cwd, config) } };
  const values = value === undefined ? [] : await valuesOf(value, position, workspace);
  const seen = new Set<string>();
  return [...declared, ...values].flatMap((one) => {
    if (!one.word.startsWith(typed) || !isSafe(one.word) || seen.has(one.word)) return [];
    seen.add(one.word);
    return { ...one, word: `${before}${one.word}` };
  });
}

/** A line break or an escape sequence in a name would become part of the command line. */
function isSafe(word: string): boolean {
  return !/\p{Cc}/u.test(word);
}

/** The format for fish and the zsh script: a folder ends with a slash. */
function described({ word, about = '' }: Candidate): string {
  const text = about.replaceAll(/\s+/g, ' ').replaceAll(/\p{Cc}/gu, '');
  return text === '' ? word : `${word}\t${text}`;
}
