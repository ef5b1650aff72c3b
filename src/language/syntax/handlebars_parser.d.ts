/** Handlebars' parser alone: importing the whole of Handlebars (compiler, code generator, source maps) takes four times as long. */
declare module 'handlebars/dist/cjs/handlebars/compiler/base.js' {
  interface Program {
    readonly body: readonly Statement[];
    readonly blockParams?: readonly string[];
  }

  type Statement =
    | { readonly type: 'ContentStatement'; readonly value: string }
    | { readonly type: 'CommentStatement' }
    | { readonly type: 'MustacheStatement'; readonly path: { readonly original: string } }
    | BlockStatement;

  interface BlockStatement {
    readonly type: 'BlockStatement';
    readonly path: { readonly original: string };
    readonly params: readonly { readonly original: string }[];
    /** Absent in `{{^if}}`. */
    readonly program?: Program;
    readonly inverse?: Program;
  }

  /** Throws an Error whose message is several lines long. */
  function parse(text: string): Program;
}
