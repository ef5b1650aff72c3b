import type { Match } from '../../../core/model/regular_expression/regular_expression.js';
import { errorMessage } from '../../../core/model/source/diagnostic.js';
import { BoundedMap, getOrAdd } from '../../../core/model/values/groups.js';
import type { Value } from '../../../core/model/values/value.js';
import { PythonExpression, type Extent } from '../../python/regular_expression.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { TemplateError } from '../../runtime/errors.js';
import { asText } from '../../runtime/result.js';

/** Filters with regular expressions; Python's way of writing groups is understood. */
export const regexes = {
  regex_replace: callable('text, pattern, replacement?, ignorecase?, multiline?, count?, mandatory_count?', (args) => {
    const replacement = args.text(2, '');
    const text = args.string(0);
    const [count, mandatory] = [args.number(5, 0), args.number(6, 0)];
    const found = pattern(args.text(1), options(args, 3, 4)).all(text);
    const matches = count === 0 ? found : found.slice(0, Math.max(count, 0));
    if (mandatory !== 0 && mandatory !== matches.length)
      throw args.error(`"${args.text(1)}" should match ${mandatory} times, but matches ${matches.length} times`);
    let replaced = '';
    let end = 0;
    for (const match of matches) {
      replaced += text.slice(end, match.index) + expand(replacement, match);
      end = match.index + (match[0] ?? '').length;
    }
    return replaced + text.slice(end);
  }),
  regex_search: callable('text, pattern, ...groups, **', search),
  regex_findall: callable('text, pattern|regex, multiline?, ignorecase?', (args) =>
    pattern(args.text(1), options(args, 3, 2))
      .all(args.string(0))
      .map(([whole = '', ...found]) => {
        const groups = found.map((group) => group ?? '');
        return groups.length === 0 ? whole : groups.length === 1 ? (groups[0] ?? '') : groups;
      }),
  ),
  regex_escape: callable('text, re_type?', escape),
} satisfies Family;

/** The tests after `is`: at the start of the text, or anywhere in it. */
export const regexTests = {
  match: callable('text, pattern, ignorecase?, multiline?', (args) =>
    pattern(args.text(1), options(args, 2, 3), 'match').test(args.string(0)),
  ),
  search: callable('text, pattern, ignorecase?, multiline?', (args) =>
    pattern(args.text(1), options(args, 2, 3)).test(args.string(0)),
  ),
  regex: callable('text, pattern, ignorecase?, multiline?, match_type?', (args) => {
    const type = args.text(4, 'search');
    const extent = type === 'match' || type === 'fullmatch' ? type : 'search';
    return pattern(args.text(1), options(args, 2, 3), extent).test(args.string(0));
  }),
} satisfies Family;

function escape(args: CallableArguments): Value {
  const type = args.text(1, 'python');
  if (type === 'python') return args.string(0).replaceAll(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, String.raw`\$&`);
  if (type === 'posix_basic') return args.string(0).replaceAll(/[\].[^$*\\]/g, String.raw`\$&`);
  throw args.error(`there is no re_type "${type}"`, 'it is python or posix_basic');
}

function options(args: CallableArguments, ignoreCase: number, multiline: number): string {
  return (args.flag(ignoreCase) ? 'i' : '') + (args.flag(multiline) ? 'm' : '');
}

/** The expressions used last: a run uses the same few for each controller. */
const KNOWN = new BoundedMap<string, PythonExpression>(500);

/** An expression in Python's notation. */
export function pattern(text: string, flags = '', extent: Extent = 'search'): PythonExpression {
  return getOrAdd(KNOWN, `${extent}/${flags}/${text}`, () => fromPython(text, flags, extent));
}

function fromPython(text: string, flags: string, extent: Extent): PythonExpression {
  try {
    return new PythonExpression(text, flags, extent);
  } catch (error) {
    const reason = errorMessage(error).replace(/^Invalid regular expression: /, '');
    throw new TemplateError(`"${text}" is not a regular expression: ${reason}`);
  }
}

const CONTROLS: ReadonlyMap<string, string> = new Map(Object.entries({ n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }));

/** The replacement with `\1`, `\g<1>` and `\g<name>` filled in; a `$` is nothing special. */
function expand(replacement: string, match: Match): string {
  return replacement.replaceAll(
    /\\(?:(\\)|([1-9]\d?)|g<(\w+)>|([nrtfv]))/g,
    (_, backslash?: string, number?: string, name?: string, letter?: string) => {
      if (backslash !== undefined) return backslash;
      if (letter !== undefined) return CONTROLS.get(letter) ?? '';
      const group = number ?? name ?? '';
      return (/^\d+$/.test(group) ? match[Number(group)] : match.groups?.[group]) ?? '';
    },
  );
}

/** The whole match, or the requested groups (`"\\1"`, `"\\g<name>"`); null if there is no match. */
function search(args: CallableArguments): Value {
  const on = (name: string, flag: string): string => (args.named.get(name) === true ? flag : '');
  const expression = pattern(args.text(1), on('ignorecase', 'i') + on('multiline', 'm'));
  const match = expression.first(args.string(0));
  if (match === undefined) return null;
  if (args.rest.length === 0) return match[0] ?? null;
  return args.rest.map((group) => {
    const name = asText(group).replace(/^\\+(?:g<(\w+)>)?/, '$1');
    return (/^\d+$/.test(name) ? match[Number(name)] : match.groups?.[name]) ?? null;
  });
}
