import { isList, isMapping, type Mapping, type Value } from '../../model/value.js';
import { asText } from '../text.js';
import { escaped, isSimpleKey, numberText, scalarStyle, type ScalarPlace } from './yaml_scalar.js';

export interface YamlStyle {
  readonly indent: number;
  /** Lists and mappings of plain values on one line, as Ansible's `to_yaml` writes them. */
  readonly flow: boolean;
  readonly sortKeys: boolean;
}

/** Longer lines are folded at spaces. */
const WIDTH = 80;

/** Writes YAML as PyYAML does, to the character: files made by Ansible's `to_nice_yaml` and ours are equal. */
export class YamlWriter {
  #output = '';
  #column = 0;
  /** Whether nothing but `-`, `?` and spaces stands in the line yet. */
  #leading = true;

  constructor(private readonly style: YamlStyle) {}

  write(value: Value): string {
    this.#node(value, { indent: undefined, inMapping: false, flow: false });
    return `${this.#output}\n`;
  }

  #node(value: Value, place: Place): void {
    if (isList(value)) this.#list(value, place);
    else if (isMapping(value)) this.#mapping(value, place);
    else this.#scalar(value, { flow: place.flow, key: false }, place.indent);
  }

  #list(items: readonly Value[], place: Place): void {
    if (place.flow || items.length === 0 || (this.style.flow && items.every(isScalar))) {
      const inner = this.#deeper(place.indent, true);
      this.#flow('[', ']', items, inner, (item) => {
        this.#node(item, { indent: inner, inMapping: false, flow: true });
      });
      return;
    }
    // A list under a key is not indented.
    const indent = place.inMapping && !this.#leading ? (place.indent ?? 0) : this.#deeper(place.indent, false);
    for (const item of items) {
      this.#startLine(indent);
      this.#indicator('-');
      this.#node(item, { indent, inMapping: false, flow: false });
    }
  }

  #mapping(mapping: Mapping, place: Place): void {
    const keys = this.style.sortKeys ? Object.keys(mapping).sort() : Object.keys(mapping);
    const values = keys.map((key) => mapping[key] ?? null);
    if (place.flow || keys.length === 0 || (this.style.flow && values.every(isScalar))) {
      const inner = this.#deeper(place.indent, true);
      this.#flow('{', '}', keys, inner, (key) => {
        this.#key(key, inner, true);
        this.#node(mapping[key] ?? null, { indent: inner, inMapping: true, flow: true });
      });
      return;
    }
    const indent = this.#deeper(place.indent, false);
    for (const key of keys) {
      this.#startLine(indent);
      this.#key(key, indent, false);
      this.#node(mapping[key] ?? null, { indent, inMapping: true, flow: false });
    }
  }

  #key(key: string, indent: number, flow: boolean): void {
    const simple = isSimpleKey(key);
    if (!simple) this.#indicator('?');
    this.#scalar(key, { flow, key: simple }, indent);
    if (!simple && flow) this.#put(' ');
    else if (!simple) this.#startLine(indent);
    this.#put(':');
    this.#leading = false;
  }

  #flow<T>(open: string, close: string, items: readonly T[], indent: number, write: (item: T) => void): void {
    this.#space();
    this.#put(open);
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#put(',');
      if (this.#column > WIDTH) this.#startLine(indent);
      write(item);
    }
    this.#put(close);
  }

  #deeper(indent: number | undefined, flow: boolean): number {
    return indent === undefined ? (flow ? this.style.indent : 0) : indent + this.style.indent;
  }

  #scalar(value: Value, place: ScalarPlace, outer: number | undefined): void {
    const indent = this.#deeper(outer, true);
    if (typeof value !== 'string') {
      this.#space();
      this.#put(
        value === null
          ? 'null'
          : typeof value === 'boolean'
            ? String(value)
            : typeof value === 'number'
              ? numberText(value)
              : asText(value),
      );
      return;
    }
    const style = scalarStyle(value, place);
    if (style === 'plain' && value === '') return;
    this.#space();
    if (style === 'plain') this.#folded(value, place, indent, false);
    else if (style === 'single') {
      this.#put("'");
      this.#folded(value, place, indent, true);
      this.#put("'");
    } else this.#doubleQuoted(value, place, indent);
  }

  /** Runs of spaces, of line breaks (each is doubled, and the next line indented), and of everything else. */
  #folded(text: string, { key }: ScalarPlace, indent: number, quoted: boolean): void {
    const runs = text.match(/ +|\n+|[^ \n]+/g) ?? [];
    for (const [index, run] of runs.entries()) {
      const inner = index > 0 && index < runs.length - 1;
      if (run === ' ' && this.#column > WIDTH && !key && (inner || !quoted)) this.#startLine(indent);
      else if (run.startsWith('\n')) {
        this.#put(`\n${run}`);
        this.#column = 0;
        this.#pad(indent);
      } else this.#put(quoted ? run.replaceAll("'", "''") : run);
    }
  }

  #doubleQuoted(text: string, { key }: ScalarPlace, indent: number): void {
    this.#put('"');
    const characters = Array.from(text);
    for (const [index, character] of characters.entries()) {
      const foldable = character === ' ' && characters[index - 1] !== ' ' && index > 0 && index < characters.length - 1;
      if (foldable && this.#column > WIDTH && !key) {
        this.#startLine(indent);
        if (characters[index + 1] === ' ') this.#put('\\');
      } else this.#put(escaped(character));
    }
    this.#put('"');
  }

  #indicator(text: string): void {
    this.#space();
    this.#put(text);
    this.#leading = true;
  }

  /** What follows something in its line stands behind a space. */
  #space(): void {
    if (!/(?:^|[\s[{])$/.test(this.#output)) this.#put(' ');
    this.#leading = false;
  }

  #startLine(indent: number): void {
    if (!this.#leading || this.#column > indent) {
      this.#output += '\n';
      this.#column = 0;
    }
    this.#pad(indent);
    this.#leading = true;
  }

  #pad(indent: number): void {
    if (this.#column < indent) this.#put(' '.repeat(indent - this.#column));
  }

  #put(text: string): void {
    this.#output += text;
    this.#column += text.length;
  }
}

interface Place {
  readonly indent: number | undefined;
  readonly inMapping: boolean;
  readonly flow: boolean;
}

function isScalar(value: Value): boolean {
  return !isList(value) && !isMapping(value);
}
