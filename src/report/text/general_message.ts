import { LONGEST } from './shorten.js';

/** Parts of a message that differ between controllers although the cause is the same. */
const ADDRESS = /\bhttps?:\/\/[^\s/"'<>]+/g;
const HOST_AND_PORT = /(?:\[[0-9a-f:]+\]|\b\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?/gi;
const UUID = /\b(?:[a-z]+-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** The shown part of a message, without parts that are specific to the controller. Equal for the same cause. */
export function generalMessage(message: string, controller: string): string {
  return generalText(message, controller).slice(0, LONGEST);
}

/** A text without addresses, uuids and the name of its controller. */
export function generalText(text: string, controller: string): string {
  const general = text.replace(ADDRESS, '<url>').replace(HOST_AND_PORT, '<address>').replace(UUID, '<uuid>');
  return replaceWord(general, controller, '<controller>');
}

/** Whether a message names a controller. Matches whole words: "variable" does not name `a`. */
export function mentions(message: string, controller: string): boolean {
  return replaceWord(message, controller, '') !== message;
}

const LETTER = /[\p{L}\p{N}_]/u;

function replaceWord(text: string, word: string, by: string): string {
  return text.replaceAll(word, (found: string, at: number) =>
    LETTER.test(text[at - 1] ?? '') || LETTER.test(text[at + found.length] ?? '') ? found : by,
  );
}
