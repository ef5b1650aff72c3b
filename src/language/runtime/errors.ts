import { sourceInside, type Source, type TextPosition } from '../../core/model/source/diagnostic.js';

interface ErrorTexts {
  readonly source?: Source | undefined;
  readonly hint?: string | undefined;
  readonly undefinedName?: string | undefined;
  readonly place?: TextPosition | undefined;
  /** The place in words, which are left out where the position in the file says it. */
  readonly placeText?: string | undefined;
  /** How many of the variables that lead here the message names; they are the innermost. */
  readonly named?: number;
  readonly cause?: unknown;
}

/** A template or an expression that cannot be parsed or evaluated. `message` is a sentence for the user. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  /** The position of the faulty text: of the variable's value, if it came from a variable. Absent for text that is not from a file. */
  source: Source | undefined;
  /** What to do about it: `did you mean "domain"?` */
  readonly hint: string | undefined;
  /** The undefined variable as written (`servers.main.addr`), if that is the problem. */
  readonly undefinedName: string | undefined;
  /** Where the fault is within the text, if known. */
  place: TextPosition | undefined;

  #reason: string;
  readonly #withoutPlace: string;
  readonly #named: number;
  /** The variables that led here, innermost first. */
  readonly #way: string[] = [];

  constructor(message: string, details: ErrorTexts = {}) {
    const { placeText = '' } = details;
    super(`${message}${placeText}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.#reason = this.message;
    this.#withoutPlace = message;
    this.source = details.source;
    this.hint = details.hint;
    this.undefinedName = details.undefinedName;
    this.place = details.place;
    this.#named = details.named ?? 0;
  }

  /** The variable whose value has the fault; absent if no variable led here. */
  get innermost(): string | undefined {
    return this.#way[0];
  }

  /** Adds the position of the faulty text. The innermost position wins, because it is added first, as the error propagates. */
  locate(source: Source | (() => Source | undefined) | undefined): this {
    if (this.source !== undefined) return this;
    const found = typeof source === 'function' ? source() : source;
    if (found === undefined) return this;
    this.source = sourceInside(found, this.place);
    if (this.source !== found) this.message = this.#reason = this.#withoutPlace;
    return this;
  }

  /** Notes the place within the text. The innermost wins, as with `locate`. */
  placed(place: TextPosition): this {
    this.place ??= place;
    return this;
  }

  /** Notes the variable whose value led here; the message then shows the chain: `(from "a" → "b")`. */
  through(name: string): this {
    this.#way.push(name);
    // The place was in the variable's text.
    this.place = undefined;
    const way = this.#way.slice(this.#named).map((one) => `"${one}"`);
    if (way.length > 0) this.message = `${this.#reason} (from ${outermostFirst(way).join(' → ')})`;
    return this;
  }
}

/** Ctrl-C ended the command that computes the value: this is not a failure, and no default may replace the value. */
export class Interrupted extends TemplateError {}

/**
 * Before a run: a task, a command or a file provides the value, so it is known only during the run. Only the code that requested
 * the value may catch it: `default` must not treat it as undefined.
 */
export class NotKnownYet extends Error {
  override readonly name = 'NotKnownYet';

  constructor(readonly what: string) {
    super(`${what} is known only during the run`);
  }
}

/** In a check: the value belongs to an object that does not exist yet, so it is known only after a run creates it. */
export class KnownAfterApply extends NotKnownYet {}

/** Of a long chain, shows only the two ends. */
function outermostFirst(names: readonly string[]): readonly string[] {
  if (names.length <= 6) return names.toReversed();
  return [...names.slice(-3).reverse(), '…', ...names.slice(0, 2).reverse()];
}
