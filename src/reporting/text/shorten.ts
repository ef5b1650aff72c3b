import { withTexts, type Event } from '../../core/model/run/event.js';
import { isOwnWord } from '../../core/secrets/secrets.js';
import { oneLine } from './plain.js';
import { MOST_SHOWN_CHARACTERS } from './words.js';

/** Limit for the output of `debug`, which the user asked for. */
const LONGEST_OUTPUT = 64 * 2 ** 10;
/**
 * Text may be masked again before it is shown, with secrets learned since. Half of a secret would not be recognised, so more is kept than
 * is shown.
 */
const MARGIN = 6_000;
/** Of a line or a word. */
const LONGEST_PART = 1_500;

/**
 * Returns the event with its long texts cut, or the same event if all are short. Bodies, changes and values are cut when they are shown.
 * @param longest of what will be shown of a text
 */
export function withShortTexts(event: Event, longest = MOST_SHOWN_CHARACTERS): Event {
  const isOutput = event.type === 'task-finished' && event.spoken === true;
  return withTexts(event, (text, kind, name) => {
    if (kind === 'body') return text;
    return isOutput && name === 'message' ? shorten(text, LONGEST_OUTPUT) : keptStart(text, longest);
  });
}

/** The shown part of an event's text, of which `keptStart` kept enough. */
export function shownStart(
  text: string,
  mask = (own: string): string => own,
  longest = MOST_SHOWN_CHARACTERS,
  remark?: string,
): string {
  const masked = mask(text);
  if (text.length < mostKept(longest)) return shorten(masked, longest, remark);
  // Masking may have shortened the text. Cut at the limit anyway, so that nothing near the first cut is shown.
  return shorten(masked, Math.max(0, Math.min(longest, masked.length - MARGIN)), remark);
}

/** Cuts a text and adds a remark. The remark has no number, so that equal beginnings stay equal across controllers. */
export function shorten(text: string, longest: number, remark = 'cut here: -o json shows all'): string {
  if (text.length <= longest) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text[longest - 1] ?? '');
  return `${beginning(text, splitsPair ? longest - 1 : longest)}… (${remark})`;
}

/** All of a text of which `longest` characters can be shown, also if it is masked again. */
export function keptStart(text: string, longest = MOST_SHOWN_CHARACTERS): string {
  return text.length <= mostKept(longest) ? text : beginning(text, mostKept(longest));
}

function mostKept(longest: number): number {
  return Math.max(longest, MOST_SHOWN_CHARACTERS) + MARGIN;
}

/**
 * Where the line around a place far into a text begins; the word, if the line is long. What is masked only after the cut is cut there, because
 * half of a secret would not be recognised. The place itself, if the word is longer than any token.
 */
export function lineStart(text: string, at: number): number {
  const before = text.slice(at - LONGEST_PART, at);
  const begin = before.lastIndexOf('\n') + 1 || before.search(/\S*$/);
  return begin === 0 ? at : at - before.length + begin;
}

/** A copy, because a slice would keep the whole text in memory. With two bytes a character only if it needs them. */
function beginning(text: string, length: number): string {
  const start = text.slice(0, length);
  const encoding = /[\u0100-\uffff]/.test(start) ? 'utf16le' : 'latin1';
  return Buffer.from(start, encoding).toString(encoding);
}

/**
 * The name of a play or task that is shown after its event: masks what has become secret since, but not Evenkeel's own words, such as
 * the names of modules.
 */
export function titleText(title: string, mask: (text: string) => string): string {
  return oneLine(isOwnWord(title) ? title : shownStart(title, mask));
}
