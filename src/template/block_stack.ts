import { didYouMean } from '../model/suggestion.js';
import { TemplateError } from './errors.js';

const BLOCKS = ['if', 'unless', 'each', 'with'] as const;

export interface Head {
  readonly name: string;
  readonly expression: string;
  /** ` as |item index|`, or nothing. */
  readonly params: string;
}

/** Far deeper than anybody writes; keeps the parser off the end of the stack. */
const DEEPEST = 50;

/** The blocks that are open at some point of a template, for messages that name them. */
export class BlockStack {
  readonly #open: { readonly name: string; otherwise: boolean }[] = [];

  /** `each items as |item|`, after `{{#` or `{{^`. */
  open(sigil: string, content: string): Head {
    const head = parseHead(sigil, content);
    if (this.#open.length >= DEEPEST) throw new TemplateError('the blocks are nested too deeply');
    this.#open.push({ name: head.name, otherwise: false });
    return head;
  }

  /** `else if x` */
  chain(content: string): Head {
    const head = parseHead('else ', content.slice('else'.length).trim());
    this.#inside(`{{${content}}}`);
    return head;
  }

  /** `else` */
  otherwise(): string {
    const block = this.#inside('{{else}}');
    if (block.otherwise) throw new TemplateError(`{{#${block.name}}} has two {{else}}`);
    block.otherwise = true;
    return 'else';
  }

  close(name: string): string {
    const block = this.#open.pop();
    if (block === undefined) throw new TemplateError(`{{/${name}}} closes a block that was never opened`);
    if (block.name !== name)
      throw new TemplateError(`{{/${name}}} stands where {{#${block.name}}} has to be closed`, {
        hint: `write {{/${block.name}}}`,
      });
    return `/${name}`;
  }

  finish(): void {
    const block = this.#open.at(-1);
    if (block)
      throw new TemplateError(`{{#${block.name}}} is never closed`, { hint: `write {{/${block.name}}} where it ends` });
  }

  #inside(written: string): { readonly name: string; otherwise: boolean } {
    const block = this.#open.at(-1);
    if (block === undefined) throw new TemplateError(`${written} stands outside of any block`);
    return block;
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

/** An expression and the ` as |item index|` behind it. */
function splitParams(text: string): readonly [string, string] {
  const open = text.endsWith('|') ? text.lastIndexOf('|', text.length - 2) : -1;
  if (open < 0) return [text, ''];
  const before = text.slice(0, open).trimEnd();
  if (!/(?:^|\s)as$/.test(before)) return [text, ''];
  return [before.slice(0, -'as'.length).trim(), ` as ${text.slice(open)}`];
}
