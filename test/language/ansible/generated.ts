import { Random } from '../../differential/generated/random.js';

const NAMES = ['x', 'y', 'z', 'env', 'n'] as const;
const LISTS = ['regions', 'words', 'range(3)', '[1, 2]', '[]', '"ab"', 'config', 'regions | sort'] as const;
const PAIRS = ['{"k": 1, "l": "m"}.items()', '[[1, 2], [3, 4]]', '["ab", "cd"]'] as const;
const DEEPEST = 3;

/**
 * Generates texts with nested statements; the same texts for the same seed. Some seeds show a quirk of Jinja that Evenkeel does not
 * have: a name that is set further down hides a variable from the blocks above.
 */
export function generatedStatements(count: number, seed: number): readonly string[] {
  const random = new Random(seed);
  const texts = Array.from({ length: 2 * count }, () => new Writer(random).text());
  return [...new Set(texts)].filter((text) => text.includes('{%')).slice(0, count);
}

/** Writes one text. It has no lists and mappings, because Evenkeel writes them as JSON. */
class Writer {
  constructor(private readonly random: Random) {}

  text(): string {
    const { random } = this;
    const header = random.percent(8) ? `#jinja2: trim_blocks: ${this.#flag()}, lstrip_blocks: ${this.#flag()}\n` : '';
    const namespace = random.percent(30) ? '{% set ns = namespace(v=0) %}' : '';
    return `${header}${namespace}${this.#body(0)}${random.pick(['', '', '\n', '\n\n'])}`;
  }

  #flag(): string {
    return this.random.percent(50) ? 'True' : 'False';
  }

  #body(depth: number): string {
    return this.random.several(1, depth === 0 ? 5 : 3, () => this.#piece(depth)).join('');
  }

  #piece(depth: number): string {
    const { random } = this;
    const simple: readonly (readonly [number, () => string])[] = [
      [5, () => random.pick(['a', ' b ', '\n', '  ', ' \n  ', 'c\n', '%}', '}', '{ ', '# ', '[1]', '-', 'True'])],
      [6, () => this.#output()],
      [3, () => this.#statement(`set ${this.#name()} = ${this.#value()}`)],
      [
        1,
        () => this.#statement(`set ${this.#name()}, ${this.#name()} = ${random.pick(['1, 2', '"pq"', 'regions[:2]'])}`),
      ],
      [2, () => this.#statement('set ns.v = (ns.v | default(0)) ~ 1')],
      [2, () => `{#${this.#sign()} note #}`],
      [
        1,
        () =>
          `{%${random.pick(['', '-'])} raw ${random.pick(['', '-'])}%}{{ x }} {% if %}\n${this.#statement('endraw')}`,
      ],
    ];
    if (depth >= DEEPEST) return random.weighted(simple);
    return random.weighted([
      ...simple,
      [4, () => this.#if(depth + 1)],
      [4, () => this.#for(depth + 1)],
      [1, () => this.#around(`set ${this.#name()}${random.pick(['', ' | upper', ' | trim'])}`, 'endset', depth + 1)],
      [1, () => this.#around(`with ${this.#name()} = ${this.#value()}`, 'endwith', depth + 1)],
      [1, () => this.#around('with', 'endwith', depth + 1)],
    ]);
  }

  #output(): string {
    const open = this.random.percent(25) ? '{{-' : '{{';
    const close = this.random.percent(25) ? '-}}' : '}}';
    return `${open} ${this.#value()} ${close}`;
  }

  #statement(content: string): string {
    return `{%${this.#sign()} ${content} ${this.#sign()}%}`;
  }

  #sign(): string {
    return this.random.weighted<string>([
      [6, () => ''],
      [2, () => '-'],
      [1, () => '+'],
    ]);
  }

  #around(head: string, end: string, depth: number): string {
    return `${this.#statement(head)}${this.#body(depth)}${this.#statement(end)}`;
  }

  #if(depth: number): string {
    const { random } = this;
    const others = random.several(0, 1, () => `${this.#statement(`elif ${this.#condition()}`)}${this.#body(depth)}`);
    const otherwise = random.percent(50) ? `${this.#statement('else')}${this.#body(depth)}` : '';
    return `${this.#statement(`if ${this.#condition()}`)}${this.#body(depth)}${others.join('')}${otherwise}${this.#statement('endif')}`;
  }

  #for(depth: number): string {
    const { random } = this;
    const head = random.percent(25)
      ? `for ${this.#name()}, ${this.#name()} in ${random.pick(PAIRS)}`
      : `for ${this.#name()} in ${random.pick(LISTS)}`;
    const condition = random.percent(25) ? ` if ${this.#condition()}` : '';
    const otherwise = random.percent(25) ? `${this.#statement('else')}${this.#body(depth)}` : '';
    return `${this.#statement(head + condition)}${this.#body(depth)}${otherwise}${this.#statement('endfor')}`;
  }

  #name(): string {
    return this.random.pick(NAMES);
  }

  #value(): string {
    const { random } = this;
    return random.weighted<string>([
      [6, () => `${this.#name()} | default("?") | string`],
      [2, () => random.pick(['1', '"t"', 'n', 'env', 'canary', 'regions | length'])],
      [
        4,
        () => `loop.${random.pick(['index', 'index0', 'revindex', 'first', 'last', 'length', 'depth'])} | default("-")`,
      ],
      [1, () => `("T" if loop.${random.pick(['previtem', 'nextitem'])} is defined else "F")`],
      [1, () => 'loop.cycle("p", "q")'],
      [1, () => `loop.changed(${this.#name()} | default(0) | string)`],
      [2, () => '(ns.v | default("none"))'],
      [1, () => `("T" if ${this.#condition()} else "F")`],
      [1, () => this.#name()],
    ]);
  }

  #condition(): string {
    const { random } = this;
    return random.weighted<string>([
      [3, () => `${this.#name()} is ${random.pick(['defined', 'not defined', 'string', 'number'])}`],
      [2, () => `${this.#name()} | default("?") | string == ${random.pick(['"1"', '"us"', '"?"', '"prod"'])}`],
      [2, () => random.pick(['canary', 'not canary', 'true', 'false', 'n > 3', 'regions'])],
      [2, () => `loop.${random.pick(['first', 'last'])} | default(false)`],
      [1, () => this.#name()],
    ]);
  }
}
