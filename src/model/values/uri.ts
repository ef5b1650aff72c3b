/** The text with its percent escapes decoded; unchanged if they are malformed. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
