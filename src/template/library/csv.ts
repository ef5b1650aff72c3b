import type { Value } from '../../model/values/value.js';
import { asText } from '../text.js';
import { findFile, readText } from './file_search.js';
import { inlineOptions } from './inline_options.js';
import { termsOf, textOption, type LookupCall } from './lookup.js';

export const CSV_OPTIONS = ['file', 'delimiter', 'col', 'default', 'encoding', 'keycol'];

/** `lookup("csvfile", key, file="fleet.csv", delimiter=",", col=2)`: a cell of the row whose first cell is the key. */
export function readCell(call: LookupCall): readonly Value[] {
  return termsOf(call).flatMap((term) => {
    const { key, call: whole } = inlineOptions(asText(term), call, CSV_OPTIONS);
    const delimiter = textOption(whole, 'delimiter', 'TAB');
    const file = findFile(call.args, textOption(whole, 'file', 'ansible.csv'));
    const text = readText(call.args, file, textOption(whole, 'encoding', 'utf-8'));
    const keyColumn = Number(textOption(whole, 'keycol', '0'));
    const found = rows(text, delimiter === 'TAB' ? '\t' : delimiter);
    const row = found.find((cells) => cells.at(keyColumn) === key);
    const column = Number(textOption(whole, 'col', '1'));
    const cell = row === undefined ? (whole.options.get('default') ?? null) : row.at(column);
    if (cell === undefined) throw call.args.error(`the row "${key}" has no column ${column}`);
    return cell === null ? [] : [cell];
  });
}

/** Cells may stand in double quotes; two of them are one. */
function rows(text: string, delimiter: string): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === delimiter || character === '\n') {
      found.at(-1)?.push(cell.replace(/\r$/, ''));
      cell = '';
      if (character === '\n') found.push([]);
    } else cell += character;
  }
  found.at(-1)?.push(cell);
  return found;
}
