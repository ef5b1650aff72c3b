import { MOST_SHOWN_CHARACTERS } from './words.js';

/** Parts of a message that differ between controllers although the cause is the same. */
const ADDRESS = /\bhttps?:\/\/[^\s/"'<>]+/g;
const HOST_AND_PORT = /(?:\[[0-9a-f:]+\]|\b\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?/gi;
const UUID = /\b(?:[a-z]+-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** A controller, and the one to which it delegated the task. */
export interface ActingController {
  readonly controller: string;
  readonly delegatedTo?: string | undefined;
}

/** `lb1`, or `lb1 → lb2` if the task was delegated: the object is on lb2. */
export function actingController({ controller, delegatedTo }: ActingController): string {
  return delegatedTo === undefined ? controller : `${controller} → ${delegatedTo}`;
}

/** Numbers of attempts and seconds, which vary by chance even if the cause is the same. */
const PATIENCE = /\b\d+(?= attempts\b)|(?<=\bto wait another )\d+/g;

/** The shown part of a message, without parts that are specific to the controller. Equal for the same cause. */
export function generalMessage(message: string, controller: string): string {
  return withoutNumbers(generalText(message, controller)).slice(0, MOST_SHOWN_CHARACTERS);
}

/** A text without addresses, uuids and the name of its controller. */
export function generalText(text: string, controller: string): string {
  return withoutName(withoutAddresses(text), controller);
}

export function withoutNumbers(text: string): string {
  return text.replace(PATIENCE, '<number>');
}

export function withoutAddresses(text: string): string {
  return text.replace(ADDRESS, '<url>').replace(HOST_AND_PORT, '<address>').replace(UUID, '<uuid>');
}

/** A text about several controllers, with `<controller>` in place of the name of one. */
export function withoutName(text: string, controller: string): string {
  return nameReplacer(controller, [CONTROLLER, CONTROLLER])(text);
}

/** Stands for a controller's name in a text about several controllers. */
export const CONTROLLER = '<controller>';

/** Whether a message names a controller. Matches whole words: "variable" does not name `a`. */
export function mentions(message: string, controller: string): boolean {
  return replaceWord(message, controller, '') !== message;
}

function replaceWord(text: string, word: string, by: string): string {
  return text.replaceAll(word, (found: string, at: number) =>
    isLetter(text[at - 1]) || isLetter(text[at + found.length]) ? found : by,
  );
}

function isLetter(character = ''): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}

/** Replaces the controller's name, so that texts that differ only by it become equal. */
export function nameReplacer(
  controller: string,
  [wholeTemplate, shortTemplate]: readonly [string, string] = [
    '{{inventory_hostname}}',
    '{{inventory_hostname_short}}',
  ],
): (text: string) => string {
  const short = shortName(controller);
  return (text) => {
    const general = replaceWord(text, controller, wholeTemplate);
    return short === controller ? general : replaceWord(general, short, shortTemplate);
  };
}

/** The part before the first dot; an IP address has no short name. */
export function shortName(controller: string): string {
  const first = controller.split('.')[0] ?? '';
  return /[a-z]/i.test(first) ? first : controller;
}

const ANSWERED = /^([A-Z]+ \/\S*?):? (?:the controller )?answered (\d{3})(?:: (.+))?$/;
const ANYTHING = /^([A-Z]+ \/\S*?): (.+)$/;

/**
 * The message of a failed request with the cause before the request: `400 name is reserved (POST /api/cloud/)`. A narrow screen then cuts
 * off what matters least. Other messages stay as they are.
 */
export function causeFirst(message: string): string {
  const [first = '', ...more] = message.split('\n');
  return [firstLine(first), ...more].join('\n');
}

/** The same on one line. A further sentence is set apart. */
export function causeLine(message: string): string {
  return causeFirst(message).replaceAll(
    /([.:;,]?)\s*\n\s*(?=\p{Lu})/gu,
    (_, end: string) => `${end === '' ? ';' : end} `,
  );
}

function firstLine(line: string): string {
  const answered = ANSWERED.exec(line);
  if (answered !== null) {
    const [, call = '', status = '', text] = answered;
    return `${status}${text === undefined ? '' : ` ${text}`} (${call})`;
  }
  const [, call, what = ''] = ANYTHING.exec(line) ?? [];
  return call === undefined ? line : `${what} (${call})`;
}
