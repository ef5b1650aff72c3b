import { isList, type Value } from '../../../core/model/values/value.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';
import { asKey, asText } from '../../runtime/text.js';
import { findFile, readText } from './file_search.js';
import { inlineOptions, termsOf, textOption, type LookupCall } from './lookup.js';

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

export const csv = {
  /** A mapping for each row; the first row has the names unless `fieldnames` does. */
  from_csv: helper('text, dialect?, fieldnames?, delimiter?, skipinitialspace?, strict?', fromCsv),
} satisfies Family;

const DIALECTS: ReadonlyMap<string, string> = new Map([
  ['excel', ','],
  ['excel-tab', '\t'],
  ['unix', ','],
]);

function fromCsv(args: Arguments): Value {
  const dialect = args.text(1, 'excel');
  const usual = DIALECTS.get(dialect);
  if (usual === undefined)
    throw args.error(`there is no dialect "${dialect}"`, `it is one of ${[...DIALECTS.keys()].join(', ')}`);
  const delimiter = args.value(3) === null ? usual : args.text(3);
  const text = args.text(0).replace(/^\ufeff/, '');
  const skipsBlanks = args.flag(4);
  const found = rows(text, delimiter, skipsBlanks).filter((cells) => cells.length > 1 || cells[0] !== '');
  const [first = [], ...others] = found;
  const names = args.value(2);
  if (names === null) return others.map((cells) => record(first, cells));
  if (!isList(names)) throw args.error('"fieldnames" must be a list');
  return found.map((cells) => record(names.map(asKey), cells));
}

/** As Python's `DictReader`: missing cells are null, further ones have the name null. */
function record(names: readonly string[], cells: readonly string[]): Value {
  const more = cells.slice(names.length);
  const known = names.map((name, index): [string, Value] => [name, cells[index] ?? null]);
  return Object.fromEntries(more.length === 0 ? known : [...known, [asKey(null), more]]);
}

/** Cells may be in double quotes; a doubled quote is one quote. */
function rows(text: string, delimiter: string, skipsBlanks = false): readonly (readonly string[])[] {
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
    else if (character === ' ' && cell === '' && skipsBlanks) continue;
    else if (character === delimiter || character === '\n') {
      found.at(-1)?.push(cell.replace(/\r$/, ''));
      cell = '';
      if (character === '\n') found.push([]);
    } else cell += character;
  }
  found.at(-1)?.push(cell);
  return found;
}
