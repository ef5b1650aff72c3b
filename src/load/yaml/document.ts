import { parseDocument, type Document } from 'yaml';

/**
 * The failsafe schema makes every scalar a text: `scalars.ts` converts plain scalars. The library needs quadratic time
 * to find duplicate keys, so `values.ts` finds them instead.
 */
export function parseText(text: string): Document.Parsed {
  return parseDocument(text, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
}
