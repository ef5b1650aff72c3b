import type { Value } from '../../model/value.js';
import { isTrue } from '../comparison.js';
import { asText } from '../text.js';
import { findFile, readText } from './file_search.js';
import { inlineOptions } from './inline_options.js';
import { termsOf, textOption, type LookupCall } from './lookup.js';
import { pattern } from './regexes.js';

/** `lookup("ini", key, section="web", file="settings.ini")`; with `re=true`, every value whose key matches. */
export function readIni(call: LookupCall): readonly Value[] {
  return termsOf(call).flatMap((term): readonly Value[] => {
    const names = ['file', 'section', 'default', 're'];
    const { key, call: whole } = inlineOptions(asText(term), call, names);
    const file = textOption(whole, 'file', 'ansible.ini');
    const name = textOption(whole, 'section', 'global');
    const section = sections(
      readText(call.args, findFile(call.args, file)),
      isTrue(whole.options.get('case_sensitive') ?? false),
    ).get(name);
    if (section === undefined) throw call.args.error(`"${file}" has no section "${name}"`);
    if (/^(?:true|yes|on|1)$/i.test(textOption(whole, 're', 'no'))) return matching(section, key);
    const value = section.get(isTrue(whole.options.get('case_sensitive') ?? false) ? key : key.toLowerCase());
    return [value ?? whole.options.get('default') ?? ''];
  });
}

type Section = Map<string, string>;

function matching(section: Section, key: string): readonly string[] {
  const shape = pattern(key, '', 'match');
  return [...section].filter(([name]) => shape.test(name)).map(([, value]) => value);
}

/** Python's `configparser`: `key = value` or `key: value`; lines that are indented go on with the value before. */
function sections(text: string, caseSensitive: boolean): ReadonlyMap<string, Section> {
  const found = new Map<string, Section>();
  let section: Section | undefined;
  let last: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    const [, title] = /^\[([^\]]+)\]/.exec(line) ?? [];
    const [, key, value = ''] = /^(\S[^=:]*?)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (title !== undefined) {
      section = found.get(title) ?? new Map();
      found.set(title, section);
      last = undefined;
    } else if (/^\s/.test(line) && last !== undefined) section?.set(last, `${section.get(last) ?? ''}\n${line.trim()}`);
    else if (key !== undefined) {
      last = caseSensitive ? key : key.toLowerCase();
      section?.set(last, value);
    }
  }
  return found;
}
