import type { Command } from 'commander';
import type { CommandContext } from '../cli/context.js';
import { resolveName } from '../core/files/paths.js';
import { EXIT } from '../core/model/exit_code.js';
import type { Candidate } from './files.js';
import { findValues } from './values.js';
import { findPosition } from './word_position.js';

/**
 * The scripts of `evenkeel completion` call this. Prints possible next words, one per line. Contacts and executes
 * nothing, and prints no errors, because the user is typing.
 */
export async function completeCommand(program: Command, context: CommandContext): Promise<number> {
  const [, shell = '', ...rest] = context.argv;
  const line = parseLine(shell, rest);
  const env = { ...context.env, EVENKEEL_NO_EXEC: '1' };
  try {
    const found = await candidatesFor(program, line, { cwd: context.cwd, env });
    context.stdout.write(found.map((one) => `${shell === 'bash' ? line.insert(one.word) : described(one)}\n`).join(''));
  } catch {
    // No candidates: the command itself will say what is wrong.
  }
  return EXIT.ok;
}

function parseLine(shell: string, rest: readonly string[]): TypedLine {
  if (shell !== 'bash')
    return { words: rest.slice(0, -1).map(unquoted), current: unquoted(rest.at(-1) ?? ''), insert: (word) => word };
  const [typed = '', breaks = ''] = rest;
  const line = bashLine(typed, breaks);
  // The program, or an alias of it: variables may be set before it, and others may start it.
  const at = line.words.findIndex((word) => !/^(?:\w+=.*|env|exec|npx|sudo)$/.test(word));
  return { ...line, words: line.words.slice(at + 1) };
}

async function candidatesFor(
  program: Command,
  { words, current }: TypedLine,
  { cwd, env }: Pick<CommandContext, 'cwd' | 'env'>,
): Promise<readonly Candidate[]> {
  const position = findPosition(program, words, current);
  const { declared, value, before, typed, given } = position;
  const [config] = given.get('--config') ?? [];
  const workspace = { cwd, env: config === undefined ? env : { ...env, EVENKEEL_CONFIG: resolveName(cwd, config) } };
  const values = value === undefined ? [] : await findValues(value, position, workspace);
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

/** The part of a command line before the cursor, and how to complete the current word in the shell. */
interface TypedLine {
  /** Complete words before the current one, without quotes. */
  readonly words: readonly string[];
  /** The word at the cursor, without quotes; empty after a space. */
  readonly current: string;
  /** The text that replaces what the shell takes for the current word, for a completed word. */
  readonly insert: (word: string) => string;
}

/** A word as it was typed, up to the cursor. */
interface TypedWord {
  text: string;
  /** The quote that is open at its end. */
  quote: Quote;
  /** The length of `text` up to the last character at which bash starts a new word. */
  kept: number;
}

type Quote = '' | "'" | '"';

/**
 * Reads a line as bash does, without expanding anything. Bash completes only what follows the last of its break
 * characters (`:`, `=`, a quote, …), so `insert` returns only that part, quoted as the rest of the word is.
 *
 * @param breaks `COMP_WORDBREAKS`
 */
export function bashLine(line: string, breaks: string): TypedLine {
  const words: TypedWord[] = [];
  let word: TypedWord | undefined;
  const open = (): TypedWord => (word ??= { text: '', quote: '', kept: 0 });
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    const quote = word?.quote ?? '';
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === '\\' && quote !== "'") {
      const escaped = line.charAt(at + 1);
      at += 1;
      open().text += quote === '"' && !/["$`\\]/.test(escaped) ? `\\${escaped}` : escaped;
    } else if ((char === "'" || char === '"') && (quote === '' || quote === char)) {
      const here = open();
      here.quote = quote === '' ? char : '';
      here.kept = here.text.length;
    } else {
      const here = open();
      here.text += char;
      // Bash keeps an `@` in the word, because the name of a host would follow.
      if (quote === '' && breaks.includes(char)) here.kept = here.text.length - (char === '@' ? 1 : 0);
    }
  }
  const { text, quote, kept } = word ?? { text: '', quote: '', kept: 0 };
  return {
    words: words.map((one) => one.text),
    current: text,
    insert: (completed) => quoted(completed.slice(kept), quote, kept === 0),
  };
}

/** @param isStart of a word: `~/` there must stay as it is, `#` must not begin a comment */
function quoted(text: string, quote: Quote, isStart: boolean): string {
  switch (quote) {
    case "'":
      return text.replaceAll("'", String.raw`'\''`);
    case '"':
      return text.replaceAll(/["$`\\]/g, String.raw`\$&`);
    case '': {
      const escaped = text.replaceAll(/[^\p{L}\p{N}\w@%+=:,./-]/gu, String.raw`\$&`);
      return isStart ? escaped.replace(/^\\~\//, '~/') : escaped;
    }
  }
}

/**
 * Resolves quotes and backslashes in a typed word. A space outside of quotes means that the shell removed an open
 * quote.
 */
function unquoted(word: string): string {
  const { words, current } = bashLine(word, '');
  return words.length === 0 ? current : word;
}
