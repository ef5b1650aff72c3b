import { didYouMean } from '../../core/model/source/suggestion.js';
import { TemplateError } from '../runtime/errors.js';
import type { TextLines } from './lines.js';

const BLOCKS = ['if', 'unless', 'each', 'with'] as const;

export interface Head {
  readonly name: string;
  readonly expression: string;
  /** ` as |item index|`, or nothing. */
  readonly params: string;
}

/** Far deeper than real templates; keeps the parser from overflowing the stack. */
const MOST_OPEN_BLOCKS = 50;

interface Open {
  /** As written, for messages: `{{#if}}`, `{% for x in list %}`. */
  readonly written: string;
  readonly closing: string;
  /** The words that may divide it. */
  readonly dividers: readonly string[];
  readonly at: number;
  otherwise: boolean;
}

const STATEMENT_DIVIDERS = new Map(Object.entries({ if: ['elif', 'else'], for: ['else'] }));

/** The blocks and statements that are open at some point of a template, for messages that name them. */
export class BlockStack {
  readonly #open: Open[] = [];

  constructor(private readonly lines: TextLines) {}

  /** `each items as |item|`, after `{{#` or `{{^`. */
  open(sigil: string, content: string, at: number): Head {
    const head = parseHead(sigil, content);
    this.#push({ written: `{{#${head.name}}}`, closing: `{{/${head.name}}}`, dividers: ['{{else}}'], at });
    return head;
  }

  /** `{% for … %}` */
  openStatement(word: string, written: string, at: number): void {
    const dividers = (STATEMENT_DIVIDERS.get(word) ?? []).map((one) => `{% ${one} %}`);
    this.#push({ written, closing: `{% end${word} %}`, dividers, at });
  }

  /** `else if x` */
  chain(content: string, at: number): Head {
    const head = parseHead('else ', content.slice('else'.length).trim());
    this.#inside(`{{${content}}}`, '{{else}}', at);
    return head;
  }

  /** `else` */
  otherwise(at: number): string {
    this.#divide('{{else}}', at);
    return 'else';
  }

  /** `{% elif %}` or `{% else %}` */
  divide(word: string, at: number): void {
    const written = `{% ${word} %}`;
    if (word === 'else') this.#divide(written, at);
    else if (this.#inside(written, written, at).otherwise) throw this.lines.error(`${written} after {% else %}`, at);
  }

  close(name: string, at: number): string {
    this.#close(`{{/${name}}}`, at);
    return `/${name}`;
  }

  /** `endif`, `endfor`, … */
  closeStatement(word: string, at: number): void {
    this.#close(`{% ${word} %}`, at);
  }

  finish(): void {
    const block = this.#open.at(-1);
    if (block)
      throw this.lines.error(`${block.written} is never closed`, block.at, `write ${block.closing} where it ends`);
  }

  #push(block: Omit<Open, 'otherwise'>): void {
    if (this.#open.length >= MOST_OPEN_BLOCKS) throw this.lines.error('the blocks are nested too deeply', block.at);
    this.#open.push({ ...block, otherwise: false });
  }

  #divide(written: string, at: number): void {
    const block = this.#inside(written, written, at);
    if (block.otherwise) throw this.lines.error(`${block.written} has two ${written}`, at);
    block.otherwise = true;
  }

  #close(written: string, at: number): void {
    const block = this.#open.pop();
    if (block === undefined) throw this.lines.error(`${written} closes a block that was never opened`, at);
    if (block.closing === written) return;
    const problem = `${written} cannot close ${block.written}${this.lines.linesAboveText(block.at, at)}`;
    throw this.lines.error(problem, at, `write ${block.closing}`);
  }

  /** The innermost block, if this may divide it. */
  #inside(written: string, divider: string, at: number): Open {
    const block = this.#open.at(-1);
    if (block === undefined) throw this.lines.error(`${written} is outside of any block`, at);
    if (block.dividers.includes(divider)) return block;
    const belongs = block.dividers.length > 0 ? block.dividers.join(' or ') : `${block.closing} first`;
    const problem = `${written} does not belong to ${block.written}${this.lines.linesAboveText(block.at, at)}`;
    throw this.lines.error(problem, at, `write ${belongs}`);
  }
}

function parseHead(sigil: string, content: string): Head {
  const name = /^\S*/.exec(content)?.[0] ?? '';
  const [expression, params] = splitParams(content.slice(name.length).trim());
  const written = `{{${sigil}${name}}}`;
  if (!BLOCKS.some((block) => block === name)) {
    const hint = didYouMean(name, BLOCKS) ?? 'blocks are {{#if}}, {{#unless}}, {{#each}} and {{#with}}';
    throw new TemplateError(`there is no block "${written}"`, { hint });
  }
  if (expression === '')
    throw new TemplateError(`${written} needs an expression`, { hint: `write {{${sigil}${name} expression}}` });
  if (params !== '' && (name === 'if' || name === 'unless'))
    throw new TemplateError(`${written} has no block parameters`);
  return { name, expression, params };
}

/** An expression and the ` as |item index|` that follows it. */
function splitParams(text: string): readonly [string, string] {
  const open = text.endsWith('|') ? text.lastIndexOf('|', text.length - 2) : -1;
  if (open < 0) return [text, ''];
  const before = text.slice(0, open).trimEnd();
  if (!/(?:^|\s)as$/.test(before)) return [text, ''];
  return [before.slice(0, -'as'.length).trim(), ` as ${text.slice(open)}`];
}
