import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/check.js';
import type { Cursor } from '../document/cursor.js';
import type { Inherited } from '../keywords/inherited.js';
import { knownText } from '../task/arguments.js';
import { openInnerContext, type ReadContext } from '../task/read_context.js';

/** A module, or templates that name one, and what follows. */
const CALL = /^(\s*(?:\{\{.*?\}\}|\S)+)(.*)$/s;

/**
 * The step with the templates filled in that must be known before the run: in the name of the module of `action`, and in the names
 * of loop variables. Undefined if one of them is not known, which is reported.
 */
export function withKnownWords(step: Cursor, context: ReadContext, inherited: Inherited): Cursor | undefined {
  const known = new KnownWords(step, context, inherited);
  for (const action of ['action', 'local_action']) known.replace(step.get(action));
  known.replaceIn(step.get('loop_control'), ['loop_var', 'index_var']);
  return known.step();
}

class KnownWords {
  readonly #changed: Record<string, Value> = {};
  #isUnknown = false;

  constructor(
    private readonly given: Cursor,
    private readonly context: ReadContext,
    private readonly inherited: Inherited,
  ) {}

  step(): Cursor | undefined {
    if (this.#isUnknown) return undefined;
    const { value } = this.given;
    const isSame = Object.keys(this.#changed).length === 0 || !isMapping(value);
    return isSame ? this.given : this.given.rewritten({ ...value, ...this.#changed }, new Map());
  }

  replace(action: Cursor | undefined): void {
    if (action === undefined || typeof action.value !== 'string') {
      this.replaceIn(action, ['module']);
      return;
    }
    const [, module = '', rest = ''] = CALL.exec(action.value) ?? [];
    const known = this.#text(module, action);
    if (known !== module) this.#changed[action.name] = `${known}${rest}`;
  }

  replaceIn(holder: Cursor | undefined, names: readonly string[]): void {
    if (holder === undefined || !isMapping(holder.value)) return;
    let value: Mapping = holder.value;
    for (const name of names) {
      const at = holder.get(name);
      if (at === undefined || typeof at.value !== 'string') continue;
      const known = this.#text(at.value, at);
      if (known !== at.value) value = { ...value, [name]: known };
    }
    if (value !== holder.value) this.#changed[holder.name] = value;
  }

  #text(text: string, at: Cursor): string {
    if (!hasTemplate(text)) return text;
    // The step's own variables count; their mistakes are reported when the step is read.
    const step = this.given.reportingTo(new Diagnostics());
    const inside = openInnerContext(step, this.context, this.inherited, 'task');
    const known = knownText(text, at, inside, 'it names a module or a variable, which must be known');
    this.#isUnknown ||= known === undefined;
    return known ?? text;
  }
}
