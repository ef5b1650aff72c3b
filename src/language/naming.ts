import type { Value } from '../core/model/values/value.js';
import type { VariableLevel } from '../core/model/values/variables.js';
import { renderText } from './render.js';
import { walk } from './runtime/access.js';
import { TemplateError } from './runtime/errors.js';
import type { Gap } from './runtime/frame.js';
import { Variables } from './scope.js';

/** Levels whose empty texts are not in a file: `-e stage=`, the output of a command. */
const UNWRITTEN: ReadonlySet<VariableLevel> = new Set<VariableLevel>([
  'extra vars',
  'vars_prompt',
  'facts',
  'set_fact and registered',
]);

/**
 * The same variables, for a text that names something. An expression inside of a text must not give nothing: `edge-{{ stage }}` would
 * name another thing. An empty text is allowed where one is written: `suffix: ''`, `default('')`.
 */
export class NamingVariables extends Variables {
  constructor(private readonly variables: Variables) {
    super([], variables);
  }

  override get(name: string): Value | undefined {
    return this.#text([name], this.variables.get(name), () => super.get(name));
  }

  override reach(path: readonly string[]): Value | undefined {
    return this.#text(path, this.variables.reach(path), () => super.reach(path));
  }

  /** Renders a text again, now without gaps. Other values name nothing, and may contain texts with gaps. */
  #text(path: readonly string[], value: Value | undefined, render: () => Value | undefined): Value | undefined {
    if (typeof value !== 'string') return value;
    const [name = ''] = path;
    const key = path.at(-1) ?? '';
    const layer = this.find(name)?.layer;
    const rendered = layer?.literal === true ? value : render();
    const around = path.length > 1 ? this.variables.reach(path.slice(0, -1)) : layer?.values;
    const written = this.library?.gaps.writtenIn(around, key);
    return typeof written === 'string' ? renderText(written, this) : rendered;
  }

  override gap({ value, written, path }: Gap): void {
    if (value === '' && path !== undefined && this.#isWrittenEmpty(path)) return;
    const what = value === null ? 'null' : 'an empty text';
    throw new TemplateError(`part of a name is missing: {{ ${written} }} is ${what}`, {
      hint: `give it a value, or write {{ ${written} | default("", true) }} if the name is right without it`,
    });
  }

  #isWrittenEmpty([name = '', ...inside]: readonly string[]): boolean {
    const found = this.find(name);
    return found !== undefined && !UNWRITTEN.has(found.layer.level) && walk(found.value, inside) === '';
  }
}
