import type { Token } from './tokens.js';

const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['=', 'write == to compare'],
  ['===', 'write =='],
  ['!==', 'write !='],
  ['&&', 'write "and"'],
  ['||', 'write "or"'],
  ['!', 'write "not"'],
  ['??', 'write "a | default(b)"'],
  ['?', 'write "a if b else c"'],
  ['&', 'write "and"'],
]);

/** What to write instead of an operator of another language, or when an operator is missing. */
export function foreignOperatorHint(token: Token, raw: string): string | undefined {
  if (token.type === 'operator') return FOREIGN.get(token.text);
  if (token.type === 'string') return `put an operator before ${raw}, such as == or in`;
  return undefined;
}

const STATEMENTS: ReadonlyMap<string, string> = new Map([
  ['if', 'write {{#if expression}}…{{else if other}}…{{else}}…{{/if}}, or {{a if b else c}}'],
  ['elif', 'write {{else if expression}}'],
  ['else', 'write {{else}}'],
  ['endif', 'write {{/if}}'],
  ['for', 'write {{#each list as |item|}}…{{/each}}'],
  ['endfor', 'write {{/each}}'],
  ['set', 'make it a variable of its own (vars:, set_fact), or write {{#with expression as |name|}}…{{/with}}'],
  ['with', 'write {{#with expression as |name|}}…{{/with}}'],
  ['endwith', 'write {{/with}}'],
  ['raw', 'write {{{{raw}}}}…{{{{/raw}}}}, or \\{{ for single braces'],
  ['endraw', 'write {{{{/raw}}}}'],
  ['macro', 'macros do not exist here: keep the text in a variable and use it where it is needed'],
  ['call', 'macros do not exist here: keep the text in a variable and use it where it is needed'],
  ['include', 'write {{lookup("file", "name")}}'],
  ['import', 'keep what is shared in variables'],
  ['from', 'keep what is shared in variables'],
  ['filter', 'write {{expression | filter}}'],
  ['do', 'make it a variable of its own'],
]);

/** A comment's opening is not the end of `{{#if}}`'s. */
const STATEMENT = /\{%[-+]?\s*([a-z_]+)/;
const COMMENT = /(?<!\{)\{#/;

export interface Foreign {
  readonly message: string;
  readonly hint: string;
}

/** A Jinja statement or comment in a text, with what to write instead. */
export function findJinja(text: string): Foreign | undefined {
  const statement = excerpt(text, STATEMENT, '%}');
  if (statement !== undefined) {
    const word = STATEMENT.exec(statement)?.[1] ?? '';
    const hint = STATEMENTS.get(word) ?? 'statements are written as blocks: {{#if}}, {{#each}}, {{#with}}';
    return { message: `"${statement}" is a Jinja statement; templates here are Handlebars`, hint };
  }
  const comment = excerpt(text, COMMENT, '#}');
  if (comment === undefined) return undefined;
  return { message: `"${comment}" is a Jinja comment; templates here are Handlebars`, hint: 'write {{! comment }}' };
}

/** From the first opening to what closes it. */
function excerpt(text: string, open: RegExp, close: string): string | undefined {
  const start = text.search(open);
  const end = start < 0 ? -1 : text.indexOf(close, start);
  return end < 0 ? undefined : text.slice(start, Math.min(end + close.length, start + 60));
}
