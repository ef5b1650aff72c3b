/** Half of a character beyond U+FFFF without its other half. Texts of YAML and JSON can contain it, addresses cannot. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The text as a part of an address. Halves of characters become U+FFFD, as in UTF-8: a controller finds no such object. */
export function encodedPart(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

/** The text as a path that a user or a controller wrote: what is no part of an address is encoded, `%2F` stays. */
export function encodedPath(path: string): string {
  return encodeURI(wellFormed(path)).replaceAll('%25', '%');
}

/** The path with more parameters. */
export function pathWithQuery(path: string, query: string): string {
  return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** Whether its percent escapes are well-formed. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The text with its percent escapes decoded; unchanged if they are malformed. */
export function decodedUri(text: string): string {
  return isDecodable(text) ? decodeURIComponent(text) : text;
}

function wellFormed(text: string): string {
  return text.replaceAll(LONE_SURROGATES, '\ufffd');
}

/** The first half of a character without its other half, as `\ud800`; undefined if there is none. */
export function halfCharacter(text: string): string | undefined {
  const [half] = LONE_SURROGATE.exec(text) ?? [];
  return half === undefined ? undefined : String.raw`\u${half.charCodeAt(0).toString(16)}`;
}
