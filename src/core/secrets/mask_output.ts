import { maskText, maskTitle } from './mask_text.js';
import { maskLeaf } from './mask_value.js';
import { holdsSecret } from './names.js';
import type { Secrets } from './secrets.js';

/** Lines of text. The name of a secret masks to the end of its line at most, even if a quote is not closed. */
export function maskLines(text: string, secrets: Secrets): string {
  const lines = secrets.mask(text).split('\n');
  return lines.map((line) => maskText(line, secrets)).join('\n');
}

/** Keys and texts, and numbers. */
const TOKEN = /(?<text>"(?:[^"\\]|\\.)*")(?<colon>\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON, or a part of it that begins and ends between two tokens: it stays JSON. */
export function maskJson(json: string, secrets: Secrets): string {
  let key = '';
  return json.replaceAll(TOKEN, (token: string, text: string | undefined, colon: string | undefined) => {
    const value = text === undefined ? token : String(JSON.parse(text));
    if (colon !== undefined) {
      key = value;
      const name = secrets.maskName(value);
      return name === value ? token : JSON.stringify(name) + colon;
    }
    // A secret that is a word of Evenkeel: whoever made the JSON has masked it where it is a value.
    const shown = isSecret(key, value) ? maskLeaf(value) : maskTitle(value, secrets);
    return shown === value ? token : JSON.stringify(shown);
  });
}

/** In `{"key": …, "value": …}` the other one decides, and that takes the whole mapping. */
function isSecret(key: string, value: string): boolean {
  return holdsSecret(key, value, { value: null });
}
