import type { WholeNumber } from '../../../core/model/values/json.js';

/**
 * The syntax tree of an expression: Handlebars' own expression nodes. The prefix form (`eq env "prod"`) and the infix form
 * (`env == "prod"`) of an expression give the same tree.
 */
export type Expression =
  | PathExpression
  | SubExpression
  | { readonly type: 'StringLiteral'; readonly value: string }
  | { readonly type: 'NumberLiteral'; readonly value: WholeNumber }
  | { readonly type: 'BooleanLiteral'; readonly value: boolean }
  | { readonly type: 'NullLiteral' }
  | { readonly type: 'UndefinedLiteral' };

/** `servers[0].addr`, `../name`, `@index`, `this`. */
export interface PathExpression {
  readonly type: 'PathExpression';
  /** `@index`: about the loop, not about its item. */
  readonly data: boolean;
  /** How many blocks up: one for each `../`. */
  readonly depth: number;
  /** `this.x` and `./x`: of the block's own value, never a block parameter or a filter. */
  readonly own: boolean;
  readonly parts: readonly string[];
  /** As written, for messages. */
  readonly original: string;
}

/** The call of a filter: `(join names ",")`, `names | join(",")`, `join(names, ",")` or an operator. */
export interface SubExpression {
  readonly type: 'SubExpression';
  readonly name: string;
  /** `x is NAME`: only tests have this name, because some tests share their names with filters (`lower`). */
  readonly test: boolean;
  readonly params: readonly Expression[];
  readonly hash: readonly MappingPair[];
}

export interface MappingPair {
  /** `*` and `**`: the value is unpacked, `f(*list, **mapping)`. */
  readonly key: string;
  readonly value: Expression;
}

/** Whether a call unpacks arguments, so that their number and names are known only when it is evaluated. */
export function isUnpacked({ hash }: SubExpression): boolean {
  return hash.some(({ key }) => key.startsWith('*'));
}

/** A filter's call with positional arguments only. */
export function call(name: string, ...params: readonly Expression[]): SubExpression {
  return { type: 'SubExpression', name, test: false, params, hash: [] };
}

/** Extends a path by one piece; for any other expression, the value is accessed when it is known. */
export function extendPath(from: Expression, part: string, written: string): PathExpression | undefined {
  if (from.type !== 'PathExpression') return undefined;
  return { ...from, parts: [...from.parts, part], original: `${from.original}${written}` };
}

export function variable(name: string): PathExpression {
  return pathNode({ parts: [name], original: name });
}

export function pathNode(fields: Partial<PathExpression> & { original: string }): PathExpression {
  return { type: 'PathExpression', data: false, depth: 0, own: false, parts: [], ...fields };
}
