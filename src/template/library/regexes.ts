import type { Value } from '../../model/value.js';
import { TemplateError } from '../errors.js';
import { asText } from '../text.js';
import type { Arguments } from './arguments.js';
import { helper, type Family } from './helper.js';

/** Helpers with regular expressions; Python's way of writing groups is understood. */
export const regexes = {
  regex_replace: helper('text, pattern, replacement?, ignorecase?, multiline?', (args) => {
    const replacement = args.text(2, '');
    return args
      .string(0)
      .replaceAll(pattern(args.text(1), options(args, 3, 4)), (...match: readonly unknown[]) =>
        expand(replacement, match),
      );
  }),
  regex_search: helper('text, pattern, ...groups, **', search),
  regex_findall: helper('text, pattern, multiline?, ignorecase?', (args) =>
    Array.from(args.string(0).matchAll(pattern(args.text(1), options(args, 3, 2))), (match) => {
      const groups = match.slice(1).map((group: string | undefined) => group ?? '');
      return groups.length === 0 ? match[0] : groups.length === 1 ? (groups[0] ?? '') : groups;
    }),
  ),
  regex_escape: helper('text, re_type?', escape),
} satisfies Family;

/** What stands after `is`: at the start of the text, or anywhere in it. */
export const regexTests = {
  match: helper('text, pattern, ignorecase?, multiline?', (args) =>
    pattern(`^(?:${args.text(1)})`, options(args, 2, 3).replace('m', '')).test(args.string(0)),
  ),
  search: helper('text, pattern, ignorecase?, multiline?', (args) =>
    pattern(args.text(1), options(args, 2, 3)).test(args.string(0)),
  ),
  regex: helper('text, pattern, ignorecase?, multiline?, match_type?', (args) => {
    const [before, after] = EXTENTS.get(args.text(4, 'search')) ?? ['', ''];
    return pattern(`${before}${args.text(1)}${after}`, options(args, 2, 3)).test(args.string(0));
  }),
} satisfies Family;

/** What `match_type` puts around a pattern. */
const EXTENTS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['match', ['^(?:', ')']],
  ['fullmatch', ['^(?:', ')$']],
]);

function escape(args: Arguments): Value {
  const type = args.text(1, 'python');
  if (type === 'python') return args.string(0).replaceAll(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, String.raw`\$&`);
  if (type === 'posix_basic') return args.string(0).replaceAll(/[\].[^$*\\]/g, String.raw`\$&`);
  throw args.error(`there is no re_type "${type}"`, 'it is python or posix_basic');
}

function options(args: Arguments, ignoreCase: number, multiline: number): string {
  return (args.flag(ignoreCase) ? 'i' : '') + (args.flag(multiline) ? 'm' : '');
}

const INLINE_FLAGS = /^\(\?([aimsux]+)\)/;

/** An expression to test texts with. */
export function searchPattern(text: string): RegExp {
  const { source, flags } = pattern(text, '');
  return new RegExp(source, flags.replace('g', ''));
}

/** A global expression from Python's notation: `(?P<name>…)`, `(?i)` at the start, `\A`, `\Z`. */
function pattern(text: string, flags: string): RegExp {
  const inline = (INLINE_FLAGS.exec(text)?.[1] ?? '').replaceAll(/[aux]/g, '');
  const translated = text
    .replace(INLINE_FLAGS, '')
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?P=(\w+)\)/g, String.raw`\k<$1>`)
    .replaceAll(/(?<!\\)((?:\\\\)*)\\A/g, '$1^')
    .replaceAll(/(?<!\\)((?:\\\\)*)\\Z/g, '$1$$');
  try {
    return new RegExp(translated, [...new Set(`g${flags}${inline}`)].join(''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TemplateError(
      `"${text}" is no regular expression: ${reason.replace(/^Invalid regular expression: /, '')}`,
    );
  }
}

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\v'],
]);

/** The replacement with `\1`, `\g<1>` and `\g<name>` filled in; a `$` is nothing special. */
function expand(replacement: string, match: readonly unknown[]): string {
  const named = match.at(-1);
  return replacement.replaceAll(
    /\\(?:(\\)|([1-9]\d?)|g<(\w+)>|([nrtfv]))/g,
    (_, backslash?: string, number?: string, name?: string, letter?: string) => {
      if (backslash !== undefined) return backslash;
      if (letter !== undefined) return CONTROLS.get(letter) ?? '';
      const group = number ?? name ?? '';
      if (/^\d+$/.test(group)) return groupText(match[Number(group)]);
      return typeof named === 'object' && named !== null
        ? groupText(Object.getOwnPropertyDescriptor(named, group)?.value)
        : '';
    },
  );
}

function groupText(group: unknown): string {
  return typeof group === 'string' ? group : '';
}

/** The whole match, or the groups asked for (`"\\1"`, `"\\g<name>"`); null if there is no match. */
function search(args: Arguments): Value {
  const on = (name: string, flag: string): string => (args.named.get(name) === true ? flag : '');
  const expression = pattern(args.text(1), on('ignorecase', 'i') + on('multiline', 'm'));
  const match = expression.exec(args.string(0));
  if (match === null) return null;
  if (args.rest.length === 0) return match[0];
  return args.rest.map((group) => {
    const name = asText(group).replace(/^\\+(?:g<(\w+)>)?/, '$1');
    return (/^\d+$/.test(name) ? match[Number(name)] : match.groups?.[name]) ?? null;
  });
}
