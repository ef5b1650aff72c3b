import type { BlockStatement, Program, Statement } from 'handlebars/dist/cjs/handlebars/compiler/base.js';
import { TemplateError } from '../runtime/errors.js';
import { call, type Expression } from './expressions/nodes.js';
import type { Binding, CaptureStatement, ForLoop, StatementNode, Store } from './statements.js';

/** A part of a template. Handlebars' blocks and Jinja's statements give the same parts if they mean the same. */
export type TemplatePart = { readonly type: 'text'; readonly text: string } | ActivePart;

/** A part that is evaluated. */
export type ActivePart = {
  /** The position of its braces in the text. */
  readonly at: number;
} & (
  | OutputPart
  | IfPart
  | EachPart
  | ForPart
  | ({ readonly type: 'set' } & Binding)
  | Store
  | (CaptureStatement & { readonly body: readonly TemplatePart[] })
  | { readonly type: 'bind'; readonly bindings: readonly Binding[]; readonly body: readonly TemplatePart[] }
);

export interface OutputPart {
  readonly type: 'output';
  readonly value: Expression;
  /** Without braces. */
  readonly written: string;
}

export interface IfPart {
  readonly type: 'if';
  readonly branches: readonly Branch[];
  readonly otherwise: readonly TemplatePart[];
}

interface Branch {
  readonly condition: Expression;
  readonly body: readonly TemplatePart[];
}

/** Handlebars' `{{#each}}` and `{{#with}}`: names are looked up in the item or value. */
export interface EachPart {
  readonly type: 'each' | 'with';
  readonly value: Expression;
  /** `as |item index|` */
  readonly params: readonly string[];
  readonly body: readonly TemplatePart[];
  readonly otherwise: readonly TemplatePart[];
}

export interface ForPart extends ForLoop {
  readonly body: readonly TemplatePart[];
  readonly otherwise: readonly TemplatePart[];
}

/**
 * The expressions and statements behind the placeholders of an outline: `e0` is the first expression, `s0` the first
 * statement.
 */
export interface Placeholders {
  readonly expressions: readonly (Placed<Expression> & { readonly written: string })[];
  readonly statements: readonly Placed<StatementNode>[];
}

interface Placed<T> {
  readonly node: T;
  /** Its position in the text. */
  readonly at: number;
}

/** The parts of a template or a block. The outline has already checked the nesting of blocks and statements. */
export function buildParts(program: Program | undefined, placeholders: Placeholders): readonly TemplatePart[] {
  return program === undefined ? [] : new Builder(program.body, placeholders).parts();
}

/** Puts a block of names around parts that assign names. */
export function withNameScope(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  return parts.some(bindsNames) ? [{ type: 'bind', at: 0, bindings: [], body: parts }] : parts;
}

/** Whether a part assigns names to the block around it. A name assigned in `{% if %}` remains after `{% endif %}`. */
function bindsNames(part: TemplatePart): boolean {
  if (part.type === 'set' || part.type === 'capture') return true;
  if (part.type !== 'if') return false;
  return part.otherwise.some(bindsNames) || part.branches.some(({ body }) => body.some(bindsNames));
}

/** Reads the statements of one program in order; those between `{% if %}` and `{% endif %}` become the parts of its body. */
class Builder {
  #position = 0;

  constructor(
    private readonly body: readonly Statement[],
    private readonly placeholders: Placeholders,
  ) {}

  /** Reads up to the end, or up to a statement that ends or divides the current one. */
  parts(): readonly TemplatePart[] {
    const parts: TemplatePart[] = [];
    for (let one = this.body[this.#position]; one !== undefined; one = this.body[this.#position]) {
      const statement = this.#statement(one);
      const type = statement?.node.type;
      if (type === 'elif' || type === 'else' || type === 'end') break;
      this.#position += 1;
      const part = statement === undefined ? this.#part(one) : this.#statementPart(statement);
      if (part !== undefined) parts.push(part);
    }
    return parts;
  }

  #statement(one: Statement): Placed<StatementNode> | undefined {
    if (one.type !== 'MustacheStatement' || !one.path.original.startsWith('s')) return undefined;
    return this.placeholders.statements[Number(one.path.original.slice(1))];
  }

  #part(one: Statement): TemplatePart | undefined {
    if (one.type === 'ContentStatement') return { type: 'text', text: one.value };
    if (one.type === 'CommentStatement') return undefined;
    if (one.type === 'BlockStatement') return this.#block(one);
    const { node, at, written } = this.#expression(one.path.original);
    return { type: 'output', at, value: node, written };
  }

  #block(block: BlockStatement): TemplatePart | undefined {
    const name = block.path.original;
    const body = buildParts(block.program, this.placeholders);
    if (name === 'raw')
      return { type: 'text', text: body.map((one) => (one.type === 'text' ? one.text : '')).join('') };
    const otherwise = buildParts(block.inverse, this.placeholders);
    const { node: value, at } = this.#expression(block.params[0]?.original ?? '');
    if (name === 'each' || name === 'with') {
      const params = block.program?.blockParams ?? [];
      return { type: name, at, value, params, body: withNameScope(body), otherwise: withNameScope(otherwise) };
    }
    const condition = name === 'if' ? value : call('not', value);
    return { type: 'if', at, branches: [{ condition, body }], otherwise };
  }

  #statementPart({ node: statement, at }: Placed<StatementNode>): TemplatePart | undefined {
    if (statement.type === 'if') return this.#if(statement.condition, at);
    if (statement.type === 'text') return statement;
    if (statement.type === 'set' || statement.type === 'store') return { ...statement, at };
    if (statement.type !== 'for' && statement.type !== 'capture' && statement.type !== 'bind') {
      statement.type satisfies 'comment' | 'elif' | 'else' | 'end';
      return undefined;
    }
    const body = this.parts();
    const next = this.#next();
    if (statement.type !== 'for') return { ...statement, at, body };
    const otherwise = next.type === 'else' ? this.parts() : [];
    if (next.type === 'else') this.#next();
    return { ...statement, at, body, otherwise: withNameScope(otherwise) };
  }

  #if(first: Expression, at: number): TemplatePart {
    const branches: Branch[] = [{ condition: first, body: this.parts() }];
    let otherwise: readonly TemplatePart[] = [];
    for (let next = this.#next(); next.type !== 'end'; next = this.#next()) {
      if (next.type === 'elif') branches.push({ condition: next.condition, body: this.parts() });
      else otherwise = this.parts();
    }
    return { type: 'if', at, branches, otherwise };
  }

  /** Returns the statement at which `parts` stopped, and moves past it. */
  #next(): StatementNode {
    const one = this.body[this.#position];
    this.#position += 1;
    return (one && this.#statement(one)?.node) ?? { type: 'end' };
  }

  #expression(placeholder: string): Placeholders['expressions'][number] {
    const found = this.placeholders.expressions[Number(placeholder.slice(1))];
    if (found === undefined) throw new TemplateError(`the template cannot be read: "${placeholder}" is out of place`);
    return found;
  }
}
