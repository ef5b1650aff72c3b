/** Surrogates. Most texts have none, so each character is one UTF-16 unit. */
const PAIRS = /[\ud800-\udfff]/;

/** The characters as Python counts them: an emoji is one. */
export function characters(text: string): readonly string[] {
  return PAIRS.test(text) ? Array.from(text) : text.split('');
}

export function lengthOf(text: string): number {
  return PAIRS.test(text) ? Array.from(text).length : text.length;
}

/** A negative index counts from the end. */
export function characterAt(text: string, index: number): string | undefined {
  return PAIRS.test(text) ? Array.from(text).at(index) : text.at(index);
}
