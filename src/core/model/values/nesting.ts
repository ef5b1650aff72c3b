/**
 * Maximum depth of a text. Libraries use stack in proportion to the depth, and quadratic time; V8 ends the process if
 * it exhausts the stack while it compiles a regular expression.
 */
export const MOST_TEXT_LEVELS = 300;

export const TOO_DEEP = `this is nested more than ${MOST_TEXT_LEVELS} levels deep`;

const ROOT_IN_BRACKETS = /^\s*(?:---\s)?\s*[[{]/;
/** `- - - …`, `? ? ? …`, and consecutive tags and anchors. */
const LEVELS_OF_A_LINE = new RegExp(
  String.raw`^[ ]*(?:(?:[-?]|[!&]\S*)[ ]+){${MOST_TEXT_LEVELS}}(?:[-?]|[!&]\S*)[ ]`,
  'm',
);
/** A block that exceeds the depth has at least this indentation. */
const DEEP_LINE = new RegExp(`^ {${MOST_TEXT_LEVELS}}`, 'm');
const INDENTED = /^( *)[^\s#]/gm;
const INTERESTING = /[[\]{}"'\n#]/g;

/**
 * The offset where a YAML or JSON text is nested too deeply; undefined if it is not. Checks brackets, blocks, and lists
 * on one line.
 */
export function tooDeepAt(text: string): number | undefined {
  return LEVELS_OF_A_LINE.exec(text)?.index ?? blocksTooDeep(text) ?? bracketsTooDeep(text);
}

/** Each line with more indentation than all open blocks opens another block. */
function blocksTooDeep(text: string): number | undefined {
  if (!DEEP_LINE.test(text)) return undefined;
  const open: number[] = [];
  for (const { 1: spaces = '', index } of text.matchAll(INDENTED)) {
    while ((open.at(-1) ?? -1) >= spaces.length) open.pop();
    open.push(spaces.length);
    if (open.length > MOST_TEXT_LEVELS) return index + spaces.length;
  }
  return undefined;
}

/** Ignores brackets in quotes and comments; those in a block text (`|`) count only until its lines end. */
function bracketsTooDeep(text: string): number | undefined {
  const rootInBrackets = ROOT_IN_BRACKETS.test(text);
  let depth = 0;
  /** The indentation of the line with the outermost open bracket. */
  let indent = 0;
  let lineStart = 0;
  INTERESTING.lastIndex = 0;
  for (let match = INTERESTING.exec(text); match !== null; match = INTERESTING.exec(text)) {
    const at = match.index;
    switch (match[0]) {
      case '\n':
        lineStart = at + 1;
        if (!rootInBrackets && depth > 0 && indentAt(text, lineStart) <= indent) depth = 0;
        break;
      case '[':
      case '{':
        if (depth === 0) indent = indentAt(text, lineStart);
        depth += 1;
        if (depth > MOST_TEXT_LEVELS) return at;
        break;
      case ']':
      case '}':
        depth = Math.max(0, depth - 1);
        break;
      case '#':
        if (depth > 0 && /\s/.test(text[at - 1] ?? ' ')) INTERESTING.lastIndex = findEnd(text, '\n', at);
        break;
      default:
        if (startsScalar(text, at)) INTERESTING.lastIndex = afterQuote(text, at);
    }
  }
  return undefined;
}

function indentAt(text: string, lineStart: number): number {
  let at = lineStart;
  while (text[at] === ' ') at += 1;
  // An empty line does not end a block.
  return text[at] === '\n' || text[at] === '\r' ? Number.POSITIVE_INFINITY : at - lineStart;
}

/** Elsewhere a quote is an ordinary character: `don't`. */
function startsScalar(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before -= 1;
  const character = text[before] ?? '\n';
  return '[{,\n\r'.includes(character) || (':-?'.includes(character) && (before < at - 1 || character === ':'));
}

/** The offset after the quote that closes the one at `start`. */
function afterQuote(text: string, start: number): number {
  const quote = text.charAt(start);
  // Two single quotes are one in the text.
  const continues = (at: number): boolean => (quote === "'" ? text[at + 1] === quote : isEscaped(text, at));
  let end = findEnd(text, quote, start + 1);
  while (end < text.length && continues(end)) end = findEnd(text, quote, end + (quote === "'" ? 2 : 1));
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function findEnd(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found === -1 ? text.length : found;
}
