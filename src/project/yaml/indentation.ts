import { isMap, isScalar, isSeq, visit, type Document } from 'yaml';

/** A text with additional indentation on some lines. */
interface Indented {
  readonly text: string;
  readonly document: Document.Parsed;
  /** The number of added characters by line, counted from 0. */
  readonly added: ReadonlyMap<number, number>;
}

/** Limits the rounds, because each one parses the whole text. */
const MOST_ROUNDS = 20;

/**
 * PyYAML, and so Ansible, ignores the indentation of lines inside quotes and brackets; our library rejects lines that begin too far left or
 * with a tab. Indents such lines; undefined if that does not help.
 */
export function indented(
  text: string,
  document: Document.Parsed,
  parse: (text: string) => Document.Parsed | undefined,
): Indented | undefined {
  let current: Indented = { text, document, added: new Map() };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const [error] = current.document.errors;
    const start = error && openBefore(current.document, error.pos[0]);
    const moved = start === undefined ? undefined : indentFrom(current, start);
    const again = moved && parse(moved.text);
    if (moved === undefined || again === undefined) break;
    current = { ...moved, document: again };
  }
  return current.text === text ? undefined : current;
}

/** The start of the last quoted text, or of the last outermost bracket, before an offset. */
function openBefore(document: Document.Parsed, offset: number): number | undefined {
  let last: number | undefined;
  visit(document, {
    Node(_, node) {
      const start = node.range?.[0];
      if (start === undefined || start >= offset) return undefined;
      const isFlow = (isMap(node) || isSeq(node)) && node.flow === true;
      const isQuoted = isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
      if (isFlow || isQuoted) last = Math.max(last ?? 0, start);
      return isFlow ? visit.SKIP : undefined;
    },
  });
  return last;
}

/** A line that looks like the next entry: the closing quote is probably missing. */
const ENTRY = /^[ \t]*(?:- |[\w.-]+:(?:\s|$))/;

/** Indents the lines of the quotes or brackets that open at `start`. Undefined if they are not closed, or no line needs indentation. */
function indentFrom({ text, added }: Indented, start: number): Omit<Indented, 'document'> | undefined {
  const end = text[start] === '"' || text[start] === "'" ? quoteEnd(text, start) : bracketEnd(text, start);
  if (end === undefined) return undefined;
  const column = start - text.lastIndexOf('\n', start - 1);
  const first = text.slice(0, start).split('\n').length;
  const [head = '', ...lines] = text.slice(start, end).split('\n');
  const isQuoted = /^["']/.test(head);
  const changes = new Map(added);
  const moved = lines.map((line, index) => {
    const blanks = /^[ \t]*/.exec(line)?.[0] ?? '';
    if (line.trim() === '' || (blanks.length >= column && !blanks.includes('\t'))) return line;
    changes.set(first + index, (changes.get(first + index) ?? 0) + column - blanks.length);
    return ' '.repeat(column) + line.slice(blanks.length);
  });
  const same = moved.every((line, index) => line === lines[index]);
  if (same || (isQuoted && lines.some((line) => ENTRY.test(line)))) return undefined;
  return { text: [text.slice(0, start) + head, ...moved].join('\n') + text.slice(end), added: changes };
}

/** The index after the closing quote. */
function quoteEnd(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\' && quote === '"') at += 1;
    else if (text[at] !== quote) continue;
    else if (quote === "'" && text[at + 1] === "'") at += 1;
    else return at + 1;
  }
  return undefined;
}

/** The index after the closing bracket. */
function bracketEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    const begins = /[\s[{,:]/.test(text.charAt(at - 1));
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    else if (begins && (character === '"' || character === "'")) at = (quoteEnd(text, at) ?? text.length) - 1;
    else if (begins && character === '#') at = (text.indexOf('\n', at) + 1 || text.length) - 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}
