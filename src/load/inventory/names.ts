import type { Diagnostics } from '../../model/diagnostic.js';
import type { Given, Place } from './draft.js';

const VARIABLE_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
/** What a pattern takes for something else than a part of a name. */
const MEANT_IN_PATTERNS = /^[!&~@]|[,:\s[\]*?]/;

/** Line breaks, escape sequences and what turns the direction of writing: a name must look in every output like what it is. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Warns of variables that no template can name; of each name once, since thousands of controllers may share it. */
export class VariableNames {
  readonly #diagnostics: Diagnostics;
  readonly #seen = new Set<string>();

  constructor(diagnostics: Diagnostics) {
    this.#diagnostics = diagnostics;
  }

  check({ values, locate }: Given): void {
    for (const name of Object.keys(values)) {
      if (this.#seen.has(name)) continue;
      this.#seen.add(name);
      if (VARIABLE_NAME.test(name)) continue;
      const hint = 'names have letters, digits and "_", and begin with no digit';
      this.#diagnostics.warn(`no template can name the variable "${name}"`, locate?.([name]), hint);
    }
  }
}

export function checkControllerName(name: string, place: Place, diagnostics: Diagnostics): void {
  if (name === '') diagnostics.error('a controller needs a name', place());
  else if (CONTROLS.test(name)) diagnostics.error(notShown('controller', name), place());
}

export function checkGroupName(name: string, place: Place, diagnostics: Diagnostics): void {
  if (name === '') diagnostics.error('a group needs a name', place());
  else if (CONTROLS.test(name)) diagnostics.error(notShown('group', name), place());
  else if (MEANT_IN_PATTERNS.test(name)) diagnostics.warn(`no pattern can name the group "${name}"`, place());
}

function notShown(what: string, name: string): string {
  return `the name of a ${what} must not hold control characters: ${JSON.stringify(name)}`;
}
