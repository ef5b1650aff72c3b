import { isPluralOfSecret, isSecretName } from '../model/secret_names.js';
import { MASK } from '../model/secrets.js';

interface Patterns {
  /** `"name": value`. */
  readonly pair: RegExp;
  /** What `dict2items` makes: `"key": "name", "value": value`. */
  readonly entry: RegExp;
}

const PLAIN = patterns(String.raw`["']`, String.raw`(?!\k<quote>)[^\\]|\\.`);
/** Inside of a quoted text: three backslashes before a quote make it part of the inner text. */
const ESCAPED = patterns(String.raw`\\["']`, String.raw`\\{3}["']|(?!\k<quote>)(?:\\.|[^\\])`);
const VALUE_FOLLOWS = /^\s*,\s*\\?["']values?\\?["']\s*:/;

/**
 * Each character of a value can be read in one way only, or what a controller sends could make the search take exponential
 * time. Text that was cut may lack the quote at the end.
 */
function patterns(quotes: string, character: string): Patterns {
  const quote = `(?<quote>${quotes})`;
  const ends = String.raw`\k<quote>(?:${character})*\k<quote>|\k<quote>(?:(?!…)(?:${character}))*\\?(?=…|$)`;
  const colon = String.raw`\k<quote>\s*:\s*`;
  const name = String.raw`${quote}(?:key|name)${colon}\k<quote>(?<name>(?:${character})*)\k<quote>`;
  const value = String.raw`${ends}|\[[^\]]*\]?|\{[^}]*\}?|-?[\d.]+`;
  return {
    pair: new RegExp(String.raw`(?<before>${quote}(?<name>[\w.-]+)${colon})(?:${ends}|\d+)`, 'gs'),
    entry: new RegExp(String.raw`(?<before>${name}\s*,\s*\k<quote>values?${colon})(?<value>${value})`, 'gs'),
  };
}

/** Masks what stands behind the names of secrets in JSON, and in text that looks like it. */
export function redactQuotedPairs(text: string): string {
  return [PLAIN, ESCAPED].reduce((done, { pair, entry }) => redactOne(redactEntries(done, entry), pair), text);
}

function redactEntries(text: string, entry: RegExp): string {
  return text.replace(entry, (all, before: string, quote: string, name: string, value: string) => {
    const secret = isSecretName(name) || (/^[[{]/.test(value) && isPluralOfSecret(name));
    return secret ? `${before}${quote}${MASK}${quote}` : all;
  });
}

function redactOne(text: string, pair: RegExp): string {
  return text.replace(pair, (all, before: string, quote: string, name: string, at: number) => {
    const namesAnother = name === 'key' && VALUE_FOLLOWS.test(text.slice(at + all.length));
    return isSecretName(name) && !namesAnother ? `${before}${quote}${MASK}${quote}` : all;
  });
}
