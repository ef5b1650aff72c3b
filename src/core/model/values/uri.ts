/** Half of a character beyond U+FFFF without its other half. Texts of YAML and JSON can contain it, addresses cannot. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The text as a part of an address. Halves of characters become U+FFFD, as in UTF-8: a controller finds no such object. */
export function encodedPart(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

/** The text with its percent escapes decoded; unchanged if they are malformed. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function wellFormed(text: string): string {
  return text.replaceAll(LONE_SURROGATES, '\ufffd');
}

/** The first half of a character without its other half, as `\ud800`; undefined if there is none. */
export function halfCharacter(text: string): string | undefined {
  const [half] = LONE_SURROGATE.exec(text) ?? [];
  return half === undefined ? undefined : String.raw`\u${half.charCodeAt(0).toString(16)}`;
}
