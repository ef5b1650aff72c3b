import { isList, isMapping } from '../model/values/value.js';

/**
 * The texts and numbers of a value that nobody can read in what is shown of it: whoever has the whole of it must keep them secret.
 * @param shown the same value, redacted; undefined if nothing of it is shown
 */
export function maskedTexts(whole: unknown, shown: unknown): readonly string[] {
  if (typeof whole === 'string') return whole === shown ? [] : [whole];
  if (typeof whole === 'number') return whole === shown ? [] : [String(whole)];
  if (isList(whole)) return whole.flatMap((item, at) => maskedTexts(item, isList(shown) ? shown[at] : undefined));
  if (!isMapping(whole)) return [];
  return Object.entries(whole).flatMap(([name, item]) =>
    maskedTexts(item, isMapping(shown) && Object.hasOwn(shown, name) ? shown[name] : undefined),
  );
}
