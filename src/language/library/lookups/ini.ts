import type { Value } from '../../../core/model/values/value.js';
import type { Arguments } from '../../runtime/arguments.js';
import { isTrue } from '../../runtime/comparison.js';
import { asText } from '../../runtime/text.js';
import { pattern } from '../texts/regexes.js';
import { findFile, readText } from './file_search.js';
import { inlineOptions, termsOf, textOption, type LookupCall } from './lookup.js';

export const INI_OPTIONS = [
  ...['type', 'file', 'section', 're', 'encoding', 'default', 'case_sensitive'],
  ...['allow_no_value', 'allow_none', 'interpolation'],
];

/** `lookup("ini", key, section="web", file="settings.ini")`; with `re=true`, every value whose key matches. */
export function readIni(call: LookupCall): readonly Value[] {
  return termsOf(call).flatMap((term): readonly Value[] => {
    const { key, call: whole } = inlineOptions(asText(term), call, INI_OPTIONS);
    const section = sectionOf(whole);
    const known = (name: string): readonly Value[] => {
      const value = section.get(name);
      if (value === undefined || value === null) return [];
      return [flag(whole, 'interpolation', true) ? interpolated(value, section, whole.args) : value];
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
function sectionOf(call: LookupCall): ReadonlyMap<string, string | null> {
  const { args } = call;
  const file = textOption(call, 'file', 'ansible.ini');
  const text = readText(args, findFile(args, file), textOption(call, 'encoding', 'utf-8'));
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
  for (const line of text.split(/\r?\n/)) {
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
    } else if (section === undefined) throw call.args.error(`"${file}" has "${line.trim()}" before any section`);
    else if (key === undefined || (value === undefined && !allowsNone))
      throw call.args.error(`"${file}" has "${line.trim()}", which has no value`, 'write allow_no_value=true');
    else {
      last = caseSensitive ? key : key.toLowerCase();
      if (section.has(last)) throw call.args.error(`"${file}" has "${last}" twice in a section`);
      section.set(last, value ?? null);
    }
  }
  return found;
}

/** Maximum depth of references. Only a value that refers to itself reaches it. */
const DEEPEST = 10;

/** `%(name)s` is the value of another key, `%%` a percent sign. */
function interpolated(text: string, section: ReadonlyMap<string, string | null>, args: Arguments, depth = 0): string {
  if (depth > DEEPEST) throw args.error(`"${text}" refers to itself`);
  return text.replaceAll(/%(?:%|\(([^)]+)\)s|)/g, (all, name?: string) => {
    if (all === '%%') return '%';
    const value = name === undefined ? undefined : section.get(name.toLowerCase());
    if (value !== undefined) return interpolated(value ?? '', section, args, depth + 1);
    throw args.error(
      name === undefined ? `"${text}" has a "%" without a meaning` : `"${text}": there is no "${name}"`,
      'write %%, or interpolation=false',
    );
  });
}
