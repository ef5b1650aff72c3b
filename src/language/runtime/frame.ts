import type { Meter } from '../../core/model/run/controller_event.js';
import type { Source } from '../../core/model/source/diagnostic.js';
import type { Value } from '../../core/model/values/value.js';
import { step, type Result } from './result.js';

/** Evaluates values before the run, from the environment only. A value that needs more throws `NotKnownYet`. */
export interface Preview {
  /** A lookup needed this environment variable, and it is not set. */
  unset(name: string): void;
  /** Whether lookups read files and, if that is allowed, run commands. Nothing is written, and no URL is requested. */
  readonly readsLocal: boolean;
}

/** The folder of a role or a playbook that is searched first for files. */
export type SearchFolder = 'files' | 'templates' | 'vars';

/** How lookups handle secrets. */
interface SecretKeeper {
  /** The content of an encrypted file. Throws an Error with a sentence if no password fits. */
  decrypt(envelope: string): string;
  /** Masks the text in all output from now on. */
  learn(secret: string): void;
}

/**
 * How a request of the lookup `url` is sent: as requests to the controller of these variables are, else directly. Throws
 * an Error with a sentence, and maybe a `hint`, if the URL is forbidden.
 */
export type RouteUrl = (url: URL, variables: EvaluationScope | undefined) => { readonly proxies: readonly string[] };

/** What lookups need from the command that renders templates. */
export interface LookupServices {
  /** Absent: nothing can be decrypted. */
  readonly secrets?: SecretKeeper | undefined;
  /** Absent: no URL can be reached. */
  readonly routeUrl?: RouteUrl | undefined;
  /** Other machines have other shards of the fleet: passwords that all of them need are not created. */
  readonly inShard?: boolean | undefined;
  /** The working directory: messages name files in it from there. Absent: in full. */
  readonly cwd?: string | undefined;
  /** Answers a question about this machine from a plan, or keeps the answer for one. Absent: it is asked each time. */
  readonly recall?: (<T>(what: string, name: string, answer: () => T) => T) | undefined;
  /** Measures every evaluation. Absent: nothing is measured. */
  readonly meter?: Pick<Meter, 'template'> | undefined;
}

/** Compiled texts. Whatever compiles a text throws a TemplateError if it cannot be parsed. */
export interface Compiled {
  /** The texts in which an expression gave nothing. */
  readonly gaps: Gaps;
  /** Present before a run only. */
  readonly preview?: Preview | undefined;
  /** Compiles a text with `{{ }}`. */
  template(text: string): Evaluate;
  /** Compiles a bare expression. */
  expression(text: string): Evaluate;
  /** The results of a lookup for these terms; `folder` is where it looks for files first. */
  lookUp(name: string, terms: readonly Value[], scope: EvaluationScope, folder: SearchFolder): readonly Value[];
  /** Like `expression`, for text that may come from a controller's answer: it can only compare values. */
  untrustedExpression(text: string): Evaluate;
}

/** The variables that a template sees. */
export interface EvaluationScope {
  /** The filters of its templates. Absent: the built-in filters. */
  readonly library?: Compiled | undefined;
  /** The variable's value, rendered; undefined if there is none of that name. Throws a TemplateError if it cannot be rendered. */
  get(name: string): Value | undefined;
  /** Every name that `get` knows, for messages. */
  names(): Iterable<string>;
  /** The position of the variable, if it is from a file. */
  findSource?(name: string): Source | undefined;
  /** The value at a path (variable first), rendering no more than the path touches. Absent: `get`, then a walk. */
  reach?(path: readonly string[]): Value | undefined;
  /** Called if an expression inside of a text gives nothing: null, or an empty text. */
  gap?(gap: Gap): void;
}

/** An expression that gave nothing inside of a text. */
export interface Gap {
  readonly value: Value;
  /** As in the text, without braces. */
  readonly written: string;
  /** If it is a path, the variable and the keys in it. */
  readonly path: readonly string[] | undefined;
}

/** Where an expression is evaluated: the variables, and the names of the surrounding blocks. */
export interface TemplateFrame {
  readonly scope: EvaluationScope;
  /** The innermost block that defines names. */
  readonly block: NamesOfBlock | undefined;
}

export type NamesOfBlock = ValueBlock | NamesBlock;

/** Handlebars' `{{#each}}` and `{{#with}}`. */
export interface ValueBlock {
  readonly type: 'value';
  readonly outer: NamesOfBlock | undefined;
  /** `this`: names are looked up in it. */
  readonly value: Value;
  /** `as |item index|` */
  readonly params: ReadonlyMap<string, Value>;
  /** `@index @key @first @last` */
  readonly data: ReadonlyMap<string, Value>;
  /** Set in a loop. */
  readonly rounds?: LoopRounds | undefined;
}

/** Jinja's `{% for %}`, `{% with %}` and blocks around `{% set %}`: names are looked up there, then further out. */
export interface NamesBlock {
  readonly type: 'names';
  readonly outer: NamesOfBlock | undefined;
  readonly names: Map<string, Result>;
  /** The variables that are items of a loop. */
  readonly items?: ReadonlySet<string> | undefined;
  /** Set in a loop. */
  readonly rounds?: LoopRounds | undefined;
}

/** Counts the rounds of a loop and of all loops inside it. Throws a TemplateError after too many, or if the text so far is too long. */
export interface LoopRounds {
  next(text: string): void;
}

/** A compiled expression. */
export type Evaluate = (frame: TemplateFrame) => Result;

/**
 * Remembers which lists and mappings have texts with gaps: an expression inside of the text gave nothing, such as `stage` in
 * `edge-{{ stage }}` if it is null. Only what names something must not have gaps, which is known when it is used.
 */
export class Gaps {
  /** The number of gaps so far. Most runs have none. */
  count = 0;
  readonly #written = new WeakMap<object, Value>();

  note(): void {
    this.count += 1;
  }

  /** Keeps a list or mapping as it was written. */
  keep(rendered: object, written: Value): void {
    this.#written.set(rendered, written);
  }

  /** Keeps the same for another list with these items. */
  carry(from: readonly Value[], to: readonly Value[]): void {
    const written = this.#written.get(from);
    if (written === undefined) return;
    const isSame = from.length === to.length && from.every((one, index) => one === to[index]);
    if (isSame) this.#written.set(to, written);
  }

  /** What was written at the key of a rendered list or mapping, if a text in it has a gap. */
  writtenIn(rendered: Value | undefined, key: string): Value | undefined {
    if (typeof rendered !== 'object' || rendered === null) return undefined;
    const written = this.#written.get(rendered);
    return written === undefined ? undefined : step(written, key);
  }
}
