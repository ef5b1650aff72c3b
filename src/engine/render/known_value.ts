import { type FieldPath, LoadError, type Source } from '../../core/model/source/diagnostic.js';
import {
  isList,
  isMapping,
  lazyEntries,
  LazyMapping,
  mapLeaves,
  Unsafe,
  Vaulted,
  type Value,
} from '../../core/model/values/value.js';
import { MASK } from '../../core/secrets/secrets.js';
import { renderText } from '../../language/render.js';
import { NotKnownYet, TemplateError } from '../../language/runtime/errors.js';
import { OMIT } from '../../language/runtime/result.js';
import type { EvaluationScope } from '../../language/scope.js';
import { TaskProblem } from '../keywords/failed_result.js';

/** Replaces a value that only the run can know: a result, a fact, the answer of a URL. */
export const AT_RUN_TIME = '(known at run time)';

const NOT_RENDERED = '(cannot be rendered: ';

/** The value, with null in place of everything that no template filled in: placeholders and texts left as written. */
export function filledIn(value: Value, written: ReadonlySet<string>): Value {
  return mapLeaves(value, (leaf) => {
    if (typeof leaf !== 'string' && typeof leaf !== 'number') return leaf;
    const text = String(leaf);
    return text === AT_RUN_TIME || text === MASK || text.startsWith(NOT_RENDERED) || written.has(text) ? null : leaf;
  });
}

/** A template that cannot be filled in. */
export interface Unrenderable {
  readonly message: string;
  readonly source: Source | undefined;
  readonly hint: string | undefined;
}

type LocateField = (path: FieldPath) => Source | undefined;

/** Fills in templates as far as they are known before the run. A text is known completely or not at all. */
export class KnownValues {
  /** The number of reasons to doubt that the current step will be carried out. */
  #doubts = 0;

  /** @param report called for templates that are certain to fail */
  constructor(private readonly report: (problem: Unrenderable) => void) {}

  /** From now on, no step is certain to be carried out, and a failure here need not happen in the run; `trust` ends that. */
  doubt(): void {
    this.#doubts++;
  }

  trust(): void {
    this.#doubts--;
  }

  doubting<T>(isDoubtful: boolean, work: () => T): T {
    if (!isDoubtful) return work();
    this.doubt();
    const result = work();
    this.trust();
    return result;
  }

  /** The value, with a placeholder for each unknown text. Undefined if it is left out (`omit`). */
  known(value: Value, scope: EvaluationScope, locate: LocateField, path: FieldPath = []): Value | undefined {
    if (typeof value === 'string') return this.text(value, scope, () => locate(path));
    if (value instanceof Vaulted) return MASK;
    if (value instanceof Unsafe) return value.text;
    if (isList(value))
      return value
        .map((one, index) => this.known(one, scope, locate, [...path, index]))
        .filter((one) => one !== undefined);
    if (!isMapping(value)) return value;
    const entries = Object.entries(value).flatMap(([name, one]) => {
      const known = this.known(one, scope, locate, [...path, name]);
      const key = this.text(name, scope, () => locate([...path, name]));
      return known === undefined ? [] : [[typeof key === 'string' ? key : name, known] as const];
    });
    return Object.fromEntries(entries);
  }

  text(text: string, scope: EvaluationScope, source: () => Source | undefined): Value | undefined {
    const known = this.attempt(() => plainValue(renderText(text, scope)), source);
    return known === OMIT ? undefined : known;
  }

  /** The result of `evaluate`, or a placeholder that says why there is none. */
  attempt<T extends Value | undefined>(evaluate: () => T, source: () => Source | undefined): T | string {
    try {
      return evaluate();
    } catch (error) {
      return this.because(error, source);
    }
  }

  /** The placeholder of a value that could not be rendered. */
  because(error: unknown, source: () => Source | undefined): string {
    if (error instanceof NotKnownYet) return error.what === ENCRYPTED ? MASK : AT_RUN_TIME;
    if (!(error instanceof TemplateError) && !(error instanceof TaskProblem) && !(error instanceof LoadError))
      throw error;
    const { message, hint } = error;
    if (this.#doubts === 0) this.report({ message, source: error.source ?? source(), hint });
    return `${NOT_RENDERED}${message})`;
  }
}

/** The words of the preview of templates for a value of a vault, which it does not decrypt. */
const ENCRYPTED = 'an encrypted value';

/** A rendered value as plain data: without lazy mappings, and without encrypted values. */
export function plainValue(value: Value): Value {
  return mapLeaves(value, (leaf) => {
    if (leaf instanceof Vaulted) return MASK;
    if (leaf instanceof Unsafe) return leaf.text;
    if (leaf === OMIT || !(leaf instanceof LazyMapping)) return leaf;
    return plainValue(Object.fromEntries(lazyEntries(leaf)));
  });
}
