/** Nearly all text matches this, so one cheap test suffices for most texts. */
const PRINTABLE_ASCII = /^[ -~]*$/;
const ASCII_LINES = /^[ -~\n\t]*$/;
/** Sequences that terminals interpret without showing them: colours, cursor movements, titles, links. */
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

/** Whether a text is printable ASCII on one or more lines, with tabs. */
export function areAsciiLines(text: string): boolean {
  return ASCII_LINES.test(text);
}

/** Removes sequences that terminals interpret. */
export function withoutSequences(text: string): string {
  return text.replace(SEQUENCE, '');
}

/** The text as a reader sees it, without invisible characters. */
export function withoutInvisible(text: string): string {
  return areAsciiLines(text) ? text : withoutSequences(text).replace(INVISIBLE, '');
}

/** The text with invisible characters as escapes: `\t`, `\u200b`. For messages about a single word. */
export function escapeInvisible(text: string): string {
  if (isPrintableAscii(text)) return text;
  return text.replace(/(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, (one) => {
    const short = JSON.stringify(one).slice(1, -1);
    return short.startsWith('\\') ? short : String.raw`\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}

/**
 * What readers or displays may drop from a text, which can join the pieces of a secret again. Each list is one sequence
 * of passes.
 */
export function removalsIn(text: string): readonly (readonly RegExp[])[] {
  const invisible = text.search(INVISIBLE) >= 0;
  const ways = invisible ? [[INVISIBLE]] : [];
  if (invisible && text.search(SEQUENCE) >= 0) ways.push([SEQUENCE, INVISIBLE]);
  if (SPELLED_OUT.test(invisible ? text.replace(INVISIBLE, '') : text)) ways.push([INVISIBLE, BESIDE_ONE]);
  return ways;
}
