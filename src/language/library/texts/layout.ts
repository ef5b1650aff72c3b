import type { Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { asText } from '../../runtime/result.js';

/** Formatted texts: comments, and lines of a maximum width. */
export const layout = {
  /** `"managed by evenkeel" | comment`, `comment("xml")`; the style's parts can be given by name, as in Ansible. */
  comment: callable('text, style?, **', comment),
  wordwrap: callable('text, width?, break_long_words?, wrapstring?, break_on_hyphens?', wordWrap),
} satisfies Family;

interface Style {
  readonly beginning?: string;
  readonly decoration: string;
  readonly end?: string;
}

const STYLES: ReadonlyMap<string, Style> = new Map([
  ['plain', { decoration: '# ' }],
  ['erlang', { decoration: '% ' }],
  ['c', { decoration: '// ' }],
  ['cblock', { beginning: '/*', decoration: ' * ', end: ' */' }],
  ['xml', { beginning: '<!--', decoration: ' - ', end: '-->' }],
]);

function comment(args: CallableArguments): Value {
  const name = args.text(1, 'plain');
  const style = STYLES.get(name);
  if (style === undefined)
    throw args.error(`there is no style "${name}"`, `use one of ${[...STYLES.keys()].join(', ')}`);
  const part = (key: string, otherwise: string): string => {
    const given = args.named.get(key);
    return given === undefined ? otherwise : asText(given);
  };
  const newline = part('newline', '\n');
  const decoration = part('decoration', style.decoration);
  const bare = decoration.trimEnd();
  const prefix = part('prefix', bare);
  const beginning = part('beginning', style.beginning ?? '');
  const end = part('end', style.end ?? '');
  const before =
    prefix === '' ? '' : `${prefix === newline ? '' : prefix}${newline}`.repeat(Number(part('prefix_count', '1')));
  const decorated = decoration + args.text(0).replaceAll(newline, newline + decoration);
  const body = decorated.replaceAll(decoration + newline, bare + newline);
  const after = `${newline}${part('postfix', bare)}`.repeat(Number(part('postfix_count', '1')));
  return (beginning && beginning + newline) + before + body + after + (end && newline + end);
}

function wordWrap(args: CallableArguments): Value {
  const width = args.number(1, 79);
  if (!(width >= 1)) throw args.error('the width must be at least 1');
  const breaks = args.optional(2) === undefined || args.flag(2);
  const hyphens = args.optional(4) === undefined || args.flag(4);
  const newline = args.value(3) === null ? '\n' : args.text(3);
  const lines = args.text(0).replace(/\n$/, '').split('\n');
  return lines.map((line) => wrap(line, width, breaks, hyphens).join(newline)).join(newline);
}

/** Fills lines with words; a word longer than a line is cut only if `breaks`. */
function wrap(line: string, width: number, breaks: boolean, hyphens: boolean): readonly string[] {
  const words = line.split(/(\s+)/).flatMap((word) => (hyphens ? word.split(/(?<=[^\W\d_]-)(?=[^\W\d_])/) : [word]));
  const rows: string[] = [];
  let row = '';
  for (const word of words) {
    let rest = word;
    if (row !== '' && (row + rest).length > width) {
      if (breaks && rest.length > width && rest.trim() !== '') {
        const room = width - row.length;
        row += rest.slice(0, room);
        rest = rest.slice(room);
      }
      rows.push(row.trimEnd());
      row = '';
    }
    while (breaks && rest.length > width) {
      rows.push(rest.slice(0, width));
      rest = rest.slice(width);
    }
    row += row === '' && rows.length > 0 ? rest.trimStart() : rest;
  }
  return row.trimEnd() === '' ? rows : [...rows, row.trimEnd()];
}
