import type { YAMLError } from 'yaml';

/** A syntax error as a playbook author would describe it, at the position of the actual mistake. */
interface Wording {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

type Worded = Omit<Wording, 'offset'> & { readonly offset?: number };

const TAB: Worded = { message: 'YAML does not allow tabs for indentation', hint: 'use spaces' };
const MISPLACED: Worded = {
  message: 'the indentation of this line does not match the lines around it',
  hint: 'all entries of a mapping or list start in the same column',
};
const SECOND_COLON: Worded = { message: 'this line has a second ": "', hint: 'quote the value' };

const BY_CODE: ReadonlyMap<YAMLError['code'], Worded> = new Map([
  ['TAB_AS_INDENT', TAB],
  ['MULTIPLE_DOCS', { message: 'a second YAML document starts here; a file can have only one' }],
  [
    'MULTILINE_IMPLICIT_KEY',
    { message: 'expected "name: value" on this line, as on the next one', hint: 'is a ":" missing at its end?' },
  ],
  [
    'BAD_DQ_ESCAPE',
    { message: 'invalid escape sequence between double quotes', hint: 'double the backslash, or use single quotes' },
  ],
]);

/** Rewords frequent errors of the YAML parser; others keep the parser's words. */
export function worded(error: YAMLError, text: string): Wording {
  const [offset] = error.pos;
  const known = tabBefore(offset, text) ?? BY_CODE.get(error.code) ?? byMessage(error, text) ?? plain(error);
  return { offset, ...known };
}

function plain({ message }: YAMLError): Worded {
  return { message: `YAML: ${message}` };
}

/** The parser words this error in several ways; the cause is always the tab. */
function tabBefore(offset: number, text: string): Worded | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const indent = /^ *\t/.exec(text.slice(start, Math.max(offset, start) + 1));
  return indent === null ? undefined : { ...TAB, offset: start + indent[0].length - 1 };
}

function byMessage({ code, message, pos: [offset] }: YAMLError, text: string): Worded | undefined {
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return secondColon(offset, text);
  const opened = /end with a ([}\]])/.exec(message)?.[1];
  if (opened !== undefined) return unclosed(opened);
  if (message.startsWith('Missing closing ')) return openQuote(message.includes('"') ? '"' : "'", offset, text);
  const reserved = /cannot start with .* (\S+)$/.exec(message)?.[1];
  if (reserved !== undefined)
    return { message: `a value that starts with ${reserved} must be quoted`, hint: 'quote the value' };
  if (/same column|without - indicator/.test(message)) return { ...MISPLACED, offset: firstOfLine(offset, text) };
  return message.endsWith('at node end') ? behind(offset, text) : undefined;
}

/** The next line may be indented too far. */
function secondColon(offset: number, text: string): Worded {
  const next = /^[^\n]*\n( *)[^\s#][^\n]*:(?:\s|$)/.exec(text.slice(offset));
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? '';
  if (line.split(/:(?:\s|$)/).length - 1 > 1) return SECOND_COLON;
  // The value before continues on this line.
  if (next === null) return { ...MISPLACED, offset: firstOfLine(offset, text) };
  return { ...MISPLACED, offset: offset + next[0].indexOf('\n') + 1 + (next[1]?.length ?? 0) };
}

function unclosed(closing: string): Worded {
  const opening = closing === ']' ? '[' : '{';
  return { message: `"${opening}" is not closed before this`, hint: `write "${closing}" where it ends` };
}

/** The parser reports the end of the text, but the mistake is at the last quote. */
function openQuote(quote: string, offset: number, text: string): Worded {
  const opening = text.lastIndexOf(quote, offset - 1);
  const unclosedText = { message: `${quote} is not closed`, hint: `write another ${quote} where the text ends` };
  return opening === -1 ? unclosedText : { ...unclosedText, offset: opening };
}

/** Text after a complete value. */
function behind(offset: number, text: string): Worded | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trimEnd();
  if (before === '') return MISPLACED;
  const last = before.at(-1);
  if (last === '"' || last === "'") {
    const around =
      last === '"' ? "single quotes around the whole value: '…'" : 'double quotes around the whole value: "…"';
    return { message: `unexpected text after the closing ${last}`, hint: `put ${around}` };
  }
  if (last === ']' || last === '}')
    return { message: `unexpected text after the closing "${last}"`, hint: 'quote the whole value' };
  return { message: `"${text[offset] ?? ''}" is not allowed in an unquoted value`, hint: 'quote the value' };
}

function firstOfLine(offset: number, text: string): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return start + (/^ */.exec(text.slice(start))?.[0].length ?? 0);
}
