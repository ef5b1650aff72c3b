import { parseDocument, type Document } from 'yaml';

/**
 * The failsafe schema leaves every scalar text: `scalars.ts` says what plain ones mean. The library compares keys in
 * quadratic time, so `values.ts` looks for duplicates itself.
 */
export function parseText(text: string): Document.Parsed {
  return parseDocument(text, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
}
