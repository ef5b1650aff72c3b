import { holdsSecret, isSecretName } from './names.js';
import { MASK } from './secrets.js';

/** From an option to its value: in a shell, and in a list of arguments (`['--password', 'x']`). */
const NEXT = String.raw`(?:\s+|["']\s*,\s*[uUbB]?(?=["']))`;
const QUOTED = String.raw`"[^"]*"?|'[^']*'?`;
/** `--password x`; not `--password=x`, which is found with the pairs of URLs. */
const OPTION = new RegExp(
  String.raw`(?<before>(?<![\w-])--(?<name>[\w.-]{1,100})${NEXT})(?!\{\{|-)(?<value>${QUOTED}|[^\s"'\\][^\s"']*)`,
  'g',
);
/** Such an option asks for the secret. */
const ASKS = /^(?:ask|no|use|with|without)-/;
/** What follows the name of an option in a sentence. */
const WORD = /^(?:and|are|argument|cannot|for|if|in|is|must|needs|of|option|or|requires|to|was)$/;
/** `curl -u admin:x`. */
const USER = new RegExp(
  String.raw`(?<before>(?<![\w-])(?:-[uU]|--(?:proxy-)?user)(?:\s*=\s*|${NEXT})?)` +
    String.raw`(?<open>["']?)(?<user>(?!\d+:\d+\b)[^\s:"']{1,200}:)(?!//|\{\{)(?:(?<=["']\k<user>)[^"']+|[^\s"']+)`,
  'g',
);

/** Masks passwords in command lines. The short `-p` has too many other meanings. */
export function maskCommands(text: string): string {
  if (!text.includes('-')) return text;
  const shown = text.replaceAll(USER, `$<before>$<open>$<user>${MASK}`);
  return shown.replaceAll(OPTION, (all, before: string, name: string, value: string) =>
    isSecretName(name) && !ASKS.test(name) && !WORD.test(value) ? before + quotedSpelling(value) : all,
  );
}

const CLOSING = new Map(Object.entries({ '“': '”', '‘': '’' }));
const TEXTS = ['""', "''", '``', '“”', '‘’'].map(([from = '', to = '']) => `${from}[^${to}]*(?:${to}|$)`).join('|');
/** `invalid password "x"`, `the API key 'x'`, `password: "x"`. */
const NAMED = new RegExp(
  String.raw`(?<before>(?<![\w.-])(?<name>(?:[A-Za-z]{1,20} )?(?!(?:is|was|of)\b)[\w.-]{1,100})(?:\s?[:=]\s+|\s+(?:(?:is|was)\s+)?)[uUbBrR]{0,2})(?<value>${TEXTS})`,
  'g',
);
/** Of a parser. */
const PUNCTUATION = /\b(?:un)?expected token$/i;

/** Masks a quoted text right after a name that marks a secret. A template is not a secret. */
export function maskProse(text: string): string {
  return text.replaceAll(NAMED, (all, before: string, name: string, value: string) => {
    const isSecret = name !== 'key' && !PUNCTUATION.test(name) && holdsSecret(name, value.slice(1, -1), {});
    return isSecret && !value.startsWith('{{', 1) ? before + quotedSpelling(value) : all;
  });
}

function quotedSpelling(value: string): string {
  const [quote = ''] = /^["'`\u201c\u2018]/.exec(value) ?? [];
  return quote + MASK + (CLOSING.get(quote) ?? quote);
}
