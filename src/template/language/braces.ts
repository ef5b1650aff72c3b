/** The text between braces, starting at `from`, and where `close` ends; braces inside texts and mappings are skipped. */
export function insideOf(text: string, from: number, close: string): readonly [inner: string, end: number] | undefined {
  let depth = 0;
  let quotes = true;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (depth === 0 && text.startsWith(close, at)) return [text.slice(from, at), at + close.length];
    if (quotes && (character === '"' || character === "'")) {
      const end = stringEnd(text, at);
      // An unclosed quote does not begin a text. Ignore the others, because a search from each one takes quadratic time.
      if (end === at) quotes = false;
      at = end;
    }
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
  }
  return undefined;
}

/** The end of the text that begins with the quote at `start`; an unclosed quote ends nowhere. */
function stringEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return start;
}
