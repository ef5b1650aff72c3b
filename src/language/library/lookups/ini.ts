import { isList, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { isTrue } from '../../runtime/comparison.js';
import { asKey, asText } from '../../runtime/result.js';
import { pattern } from '../texts/regexes.js';
import { findFile, flattenTerms, inlineOptions, readLookupFile, textOption, type LookupCall } from './lookup.js';

export const INI_OPTIONS =
  'type file section re encoding default case_sensitive allow_no_value allow_none interpolation'.split(' ');

/** `lookup("ini", key, section="web", file="settings.ini")`; with `re=true`, every value whose key matches. */
export function readIni(call: LookupCall): readonly Value[] {
  return flattenTerms(call).flatMap((term): readonly Value[] => {
    const { key, call: whole } = inlineOptions(asText(term), call, INI_OPTIONS);
    const section = readSection(whole);
    const known = (name: string): readonly Value[] => {
      const value = section.get(name);
      if (value === undefined || value === null) return [];
      return [flag(whole, 'interpolation', true) ? interpolated(name, section, whole.args) : value];
    };
    if (flag(whole, 're', false)) {
      const shape = pattern(`^(?:${key})`);
      return [...section.keys()].filter((name) => shape.test(name)).flatMap(known);
    }
    const name = flag(whole, 'case_sensitive', false) ? key : key.toLowerCase();
    return section.has(name) ? known(name) : [whole.options.get('default') ?? ''];
  });
}

function flag(call: LookupCall, name: string, otherwise: boolean): boolean {
  const value = call.options.get(name);
  return value === undefined || value === null ? otherwise : isTrue(call.args.call('bool', value));
}

/** A key without a value has null. */
type Section = Map<string, string | null>;

/** One section with the values of `[DEFAULT]`; for a Java properties file, the whole file. */
function readSection(call: LookupCall): ReadonlyMap<string, string | null> {
  const { args } = call;
  const file = textOption(call, 'file', 'ansible.ini');
  const text = readLookupFile(args, findFile(args, file), textOption(call, 'encoding', 'utf-8'));
  const type = textOption(call, 'type', 'ini');
  if (type !== 'ini' && type !== 'properties') throw args.error(`type cannot be "${type}"`, 'it is ini or properties');
  const title = type === 'properties' ? 'java_properties' : textOption(call, 'section', 'global');
  const all = sections(type === 'properties' ? `[${title}]\n${text}` : text, file, call);
  const section = all.get(title);
  if (section === undefined) throw args.error(`"${file}" has no section "${title}"`);
  return new Map([...(all.get('DEFAULT') ?? []), ...section]);
}

/** Python's `configparser`: `key = value` or `key: value`; indented lines continue the value above. */
function sections(text: string, file: string, call: LookupCall): ReadonlyMap<string, Section> {
  const caseSensitive = flag(call, 'case_sensitive', false);
  const allowsNone = flag(call, 'allow_no_value', flag(call, 'allow_none', false));
  const found = new Map<string, Section>();
  let section: Section | undefined;
  let last: string | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    if (/^\s/.test(line) && section !== undefined && last !== undefined) {
      section.set(last, `${section.get(last) ?? ''}\n${line.trim()}`);
      continue;
    }
    const [, title] = /^\s*\[(.+)\]/.exec(line) ?? [];
    const [, key, value] = /^\s*([^=:\s](?:[^=:]*?[^=:\s])?)\s*(?:[=:]\s*(.*?)\s*)?$/.exec(line) ?? [];
    if (title !== undefined) {
      if (found.has(title) && title !== 'DEFAULT') throw call.args.error(`"${file}" has the section "${title}" twice`);
      section = found.get(title) ?? new Map();
      found.set(title, section);
      last = undefined;
    } else if (section === undefined) throw call.args.error(`line ${index + 1} of "${file}" is before any section`);
    else if (key === undefined || (value === undefined && !allowsNone))
      throw call.args.error(`line ${index + 1} of "${file}" has no value`, 'write allow_no_value=true');
    else {
      last = caseSensitive ? key : key.toLowerCase();
      if (section.has(last)) throw call.args.error(`"${file}" has "${last}" twice in a section`);
      section.set(last, value ?? null);
    }
  }
  return found;
}

/** Maximum depth of references. Only a value that refers to itself reaches it. */
const MOST_INTERPOLATIONS = 10;

/** `%(name)s` is the value of another key, `%%` a percent sign. Errors name the key, because the value may be a secret. */
function interpolated(
  key: string,
  section: ReadonlyMap<string, string | null>,
  args: CallableArguments,
  depth = 0,
): string {
  if (depth > MOST_INTERPOLATIONS) throw args.error(`the value of "${key}" refers to itself`);
  return (section.get(key) ?? '').replaceAll(/%(?:%|\(([^)]+)\)s|)/g, (all, written?: string) => {
    if (all === '%%') return '%';
    const name = written?.toLowerCase();
    if (name !== undefined && section.has(name)) return interpolated(name, section, args, depth + 1);
    const problem = name === undefined ? 'has a "%" without a meaning' : 'refers to a key that does not exist';
    throw args.error(`the value of "${key}" ${problem}`, 'write %%, or interpolation=false');
  });
}

export const CSV_OPTIONS = ['file', 'delimiter', 'col', 'default', 'encoding', 'keycol'];

/** `lookup("csvfile", key, file="fleet.csv", delimiter=",", col=2)`: a cell of the row whose first cell is the key. */
export function readCell(call: LookupCall): readonly Value[] {
  return flattenTerms(call).flatMap((term) => {
    const { key, call: whole } = inlineOptions(asText(term), call, CSV_OPTIONS);
    const delimiter = textOption(whole, 'delimiter', 'TAB');
    const file = findFile(call.args, textOption(whole, 'file', 'ansible.csv'));
    const text = readLookupFile(call.args, file, textOption(whole, 'encoding', 'utf-8'));
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
  from_csv: callable('text, dialect?, fieldnames?, delimiter?, skipinitialspace?, strict?', fromCsv),
} satisfies Family;

const DIALECTS: ReadonlyMap<string, string> = new Map(Object.entries({ excel: ',', 'excel-tab': '\t', unix: ',' }));

function fromCsv(args: CallableArguments): Value {
  const dialect = args.text(1, 'excel');
  const usual = DIALECTS.get(dialect);
  if (usual === undefined)
    throw args.error(`there is no dialect "${dialect}"`, `use one of ${[...DIALECTS.keys()].join(', ')}`);
  const delimiter = args.value(3) === null ? usual : args.text(3);
  const text = args.string(0).replace(/^\ufeff/, '');
  const found = rows(text, delimiter, args.flag(4)).filter((cells) => cells.length > 1 || cells[0] !== '');
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
