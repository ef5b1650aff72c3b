import type { Diagnostics } from '../../model/source/diagnostic.js';
import { nameRefusal } from '../../model/inventory/inventory_names.js';
import type { Given, Place } from './draft.js';

const VARIABLE_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
/** What a pattern takes for something else than a part of a name. */
const MEANT_IN_PATTERNS = /^[!&~@]|[,:\s[\]*?]/;

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
  const refusal = nameRefusal('controller', name);
  if (refusal !== undefined) diagnostics.error(refusal, place());
}

export function checkGroupName(name: string, place: Place, diagnostics: Diagnostics): void {
  const refusal = nameRefusal('group', name);
  if (refusal !== undefined) diagnostics.error(refusal, place());
  else if (MEANT_IN_PATTERNS.test(name)) diagnostics.warn(`no pattern can name the group "${name}"`, place());
}
