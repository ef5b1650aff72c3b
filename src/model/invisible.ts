/** Nearly all text is one of these, and one look at it has to tell. */
const PRINTABLE_ASCII = /^[ -~]*$/;
const ASCII_LINES = /^[ -~\n\t]*$/;
/** What terminals act upon without showing it: colours, cursor movements, titles, links. */
const SEQUENCE = new RegExp(
  [
    String.raw`[\u001b\u009b][[\]()#;?]*(?:`,
    String.raw`(?:(?:;[-a-zA-Z\d/#&.:=?%@~_]+)*|[a-zA-Z\d]+(?:;[-a-zA-Z\d/#&.:=?%@~_]*)*)?(?:\u0007|\u001b\\|\u009c)`,
    String.raw`|(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-ntqry=><~])`,
  ].join(''),
  'g',
);
/** Control characters, soft hyphens, zero-width and direction marks, variation selectors, joiners, fillers, tags. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;
const SPELLED_OUT = /\S[\n\t] {0,16}\S[\n\t] {0,16}\S[\n\t]/;
/** A line break or a tab beside a single character. */
const BESIDE_ONE = /[\n\t] {0,16}(?=\S(?:[\n\t]|$))|(?<=(?:^|[\n\t ])\S)[\n\t] {0,16}/g;

/** Whether a text is printable ASCII on a single line. */
export function isPrintableAscii(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
}

/** The same of one or more lines, with tabs: nothing in it is invisible. */
export function areAsciiLines(text: string): boolean {
  return ASCII_LINES.test(text);
}

/** Removes what terminals act upon: escape sequences, with what belongs to them. */
export function withoutSequences(text: string): string {
  return text.replace(SEQUENCE, '');
}

/** The text as a reader sees it once nothing invisible is left in it. */
export function withoutInvisible(text: string): string {
  return areAsciiLines(text) ? text : withoutSequences(text).replace(INVISIBLE, '');
}

/**
 * What a reader, or whatever shows the text to one, may leave out of it, and which passes join the pieces of a secret again: each
 * list is one way, pass by pass.
 */
export function removalsIn(text: string): readonly (readonly RegExp[])[] {
  const invisible = text.search(INVISIBLE) >= 0;
  const ways = invisible ? [[INVISIBLE]] : [];
  if (invisible && text.search(SEQUENCE) >= 0) ways.push([SEQUENCE, INVISIBLE]);
  if (SPELLED_OUT.test(invisible ? text.replace(INVISIBLE, '') : text)) ways.push([INVISIBLE, BESIDE_ONE]);
  return ways;
}
