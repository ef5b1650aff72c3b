import stringWidth from 'fast-string-width';

/** The widest line of a log. Pages of CI systems wrap longer ones in the middle of a word. */
export const LOG_COLUMNS = 160;

/** The number of terminal columns of a text: wide characters take two, combining marks and colours none. */
export function displayWidth(text: string): number {
  // Nearly all text without colours is so, our marks (… ■ ✔ ✖) included. The package is loaded with the first that is not.
  return /^[ -~\u00a0-\u00ff\u2026\u25a0\u2714\u2716]*$/.test(text) ? text.length : stringWidth(text);
}

/** Cuts uncoloured text to this many columns; ends it with an ellipsis if something is missing. */
export function truncate(text: string, columns: number): string {
  if (columns <= 0) return '';
  return displayWidth(text) <= columns ? text : `${fitting(text, columns - 1)}…`;
}

/** The beginning of uncoloured text that fits into this many columns. */
function fitting(text: string, columns: number): string {
  let used = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += displayWidth(segment);
    if (used > columns) break;
    kept += segment;
  }
  return kept;
}

/** Columns that the name of a task keeps. */
const LEAST_TASK = 20;

/** `Create the cloud: 400 name is reserved`. If that is too long, the name of the task is cut first: the result says more. */
export function resultText(task: string, result: string, columns: number): string {
  const room = Math.max(Math.min(LEAST_TASK, Math.floor(columns / 2)), columns - displayWidth(result) - 2);
  return truncate(`${truncate(task, room)}: ${result}`, Math.max(4, columns));
}

/** Characters of the beginning that cut names share, kept before what differs. */
const KEPT_BEFORE = 8;

/**
 * Names in at most this many columns each. Of a name that is too long, most of the beginning that it shares with another is left out, so that they
 * differ; if some still do not, the middle.
 */
export function distinctNames(names: readonly string[], columns: number): readonly string[] {
  const long = [...new Set(names.filter((name) => displayWidth(name) > columns))].toSorted();
  const shortened = (cut: (name: string, at: number) => string): readonly string[] => {
    const shown = new Map(long.map((name, at) => [name, truncate(cut(name, at), columns)]));
    return names.map((name) => shown.get(name) ?? name);
  };
  const withoutBeginning = shortened((name, at) => {
    const shared = Math.max(sharedBeginning(name, long[at - 1]), sharedBeginning(name, long[at + 1]));
    return shared > KEPT_BEFORE + 1 ? `…${endFrom(name, shared - KEPT_BEFORE)}` : name;
  });
  const different = (shown: readonly string[]): number => new Set(shown).size;
  if (different(withoutBeginning) === different(names)) return withoutBeginning;
  const half = Math.floor(columns / 2);
  const withoutMiddle = shortened((name) => truncate(name, half) + endFrom(name, half - columns));
  return different(withoutMiddle) > different(withoutBeginning) ? withoutMiddle : withoutBeginning;
}

/** @param from the first character; negative: counted from the end */
function endFrom(name: string, from: number): string {
  return Array.from(name).slice(from).join('');
}

/** The number of characters with which both begin. */
function sharedBeginning(name: string, other = ''): number {
  const letters = Array.from(other);
  const all = Array.from(name);
  const differs = all.findIndex((letter, at) => letter !== letters[at]);
  return differs === -1 ? all.length : differs;
}

/** Pads the text with spaces to this many columns. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

/** The width of a column for these texts: the widest, up to the limit. */
export function columnWidth(texts: Iterable<string>, limit: number): number {
  let widest = 0;
  for (const text of texts) {
    if (text.length > widest || displayWidth(text) > widest) widest = Math.max(widest, displayWidth(text));
    if (widest >= limit) return limit;
  }
  return widest;
}

/** Rows with their cells in columns. @param widest of a column: a longer cell moves the rest of its row */
export function tableLines(rows: readonly (readonly string[])[], indent = '', widest = Infinity): readonly string[] {
  const column = (at: number): readonly string[] => rows.map((row) => row[at] ?? '');
  const widths = (rows[0] ?? []).map((_, at) => columnWidth(column(at), widest));
  return rows.map((row) => (indent + row.map((cell, at) => pad(cell, widths[at] ?? 0)).join('  ')).trimEnd());
}

/**
 * A line in lines of at most this many columns, broken between words, the others indented further. Words that are too long are broken, too,
 * unless they are coloured.
 */
export function wrapped(line: string, columns: number): readonly string[] {
  if (displayWidth(line) <= columns) return [line];
  const indent = fitting(`${/^\s*/.exec(line)?.[0] ?? ''}  `, columns / 2);
  const lines: string[] = [];
  let current = '';
  for (const word of line.match(/\s*\S+/g) ?? []) {
    if (displayWidth(current + word) <= columns) current += word;
    else {
      if (current !== '') lines.push(current);
      current = current === '' ? word : indent + word.trimStart();
    }
    while (displayWidth(current) > columns && !current.includes('\u001b')) {
      const begin = fitting(current, columns);
      // Nothing but the indentation fits: the terminal breaks it.
      if (begin.trim() === '') break;
      lines.push(begin);
      current = indent + current.slice(begin.length);
    }
  }
  return [...lines, current];
}

/** The text in lines of at most this many columns, broken between words. A longer word has a line of its own. */
export function wordLines(text: string, columns: number): readonly string[] {
  if (!text.includes('\n') && displayWidth(text) <= columns) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
