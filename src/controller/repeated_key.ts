/**
 * Returns the first of these field names that a JSON object has twice. Parsers silently use the last one, so a list could wrongly appear
 * empty.
 * @param json text of a valid JSON object
 */
export function repeatedKey(json: string, names: readonly string[]): string | undefined {
  // Nearly always there is nothing to look at: the name does not even occur twice. With escapes it can be written in many ways.
  const isPlain = !json.includes('\\u');
  const suspects = names.filter((name) => !isPlain || json.indexOf(`"${name}"`) !== json.lastIndexOf(`"${name}"`));
  if (suspects.length === 0) return undefined;
  const keys = outerKeys(json);
  return suspects.find((name) => keys.indexOf(name) !== keys.lastIndexOf(name));
}

/** Texts, the colon after a key, and what opens and closes. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[[{]|[\]}]/g;

function outerKeys(json: string): readonly string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (text === undefined) depth += token === '[' || token === '{' ? 1 : -1;
    else if (depth === 1 && colon !== undefined)
      keys.push(text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1));
  }
  return keys;
}
