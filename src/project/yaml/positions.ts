import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, type Document, type Node, type YAMLMap } from 'yaml';
import { BlockSource, type Source } from '../../core/model/source/diagnostic.js';

type PathStep = string | number;

/**
 * Converts offsets and paths to lines and columns. Holds the parsed document only as long as memory allows: a run needs
 * only the values, and a message can afford a second parse.
 */
export class YamlPositions {
  #document: WeakRef<Document.Parsed> | undefined;
  #lineStarts: readonly number[] | undefined;

  /** @param added by line, counted from 0: the number of characters at its beginning that are not in the file */
  constructor(
    private readonly text: string,
    private readonly file: string,
    document?: Document.Parsed,
    private readonly added?: ReadonlyMap<number, number>,
  ) {
    this.#document = document && new WeakRef(document);
  }

  at(offset: number): Source {
    this.#lineStarts ??= lineStarts(this.text);
    const line = findLine(this.#lineStarts, Math.min(offset, this.text.length));
    const column = offset - (this.#lineStarts[line] ?? 0) - (this.added?.get(line) ?? 0);
    return { file: this.file, line: line + 1, column: Math.max(0, column) + 1 };
  }

  locate(path: readonly PathStep[], what: 'key' | 'value'): Source {
    const document = this.#parsed();
    let node: Node | null = document.contents;
    let place = nodeOffset(node) ?? 0;
    let isKey = false;
    for (const [index, step] of path.entries()) {
      const next = child(resolved(node, document), step, document);
      if (next === undefined) break;
      isKey = what === 'key' && index === path.length - 1;
      place = (isKey ? next.key : undefined) ?? valueOffset(next.value) ?? next.key ?? place;
      node = next.value;
    }
    const source = this.at(place);
    return !isKey && isScalar(node) && node.type === 'BLOCK_LITERAL' ? this.#block(source, String(node.value)) : source;
  }

  #block(source: Source, value: string): BlockSource {
    return new BlockSource(source, ({ line, column }) => {
      const start = (at: number): number => this.#lineStarts?.[source.line + at] ?? this.text.length;
      const first = value.split('\n').findIndex((one) => one.trim() !== '');
      const written = this.text.slice(start(first), start(first + 1)).trimEnd();
      const indent = written.length - (value.split('\n')[first] ?? '').trimEnd().length;
      return this.at(start(line - 1) + indent + column - 1);
    });
  }

  /** A plain scalar as it is written; undefined for other values. */
  spelling(path: readonly PathStep[]): string | undefined {
    const document = this.#parsed();
    let node = resolved(document.contents, document);
    for (const step of path) node = resolved(child(node, step, document)?.value ?? null, document);
    return isScalar(node) && node.type === 'PLAIN' ? node.source : undefined;
  }

  #parsed(): Document.Parsed {
    const held = this.#document?.deref();
    if (held !== undefined) return held;
    const again = parseText(this.text);
    this.#document = new WeakRef(again);
    return again;
  }
}

interface Child {
  readonly key: number | undefined;
  readonly value: Node | null;
}

function child(node: Node | null, step: PathStep, document: Document.Parsed): Child | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return item === undefined ? undefined : { key: nodeOffset(item), value: asNode(item) };
  }
  return isMap(node) ? findPair(node, String(step), document) : undefined;
}

function findPair(map: YAMLMap, key: string, document: Document.Parsed): Child | undefined {
  for (const pair of map.items) {
    if (isScalar(pair.key) && pair.key.value === key) return { key: nodeOffset(pair.key), value: asNode(pair.value) };
  }
  return mergedPair(map, key, document);
}

/** The first of several merged mappings wins, as in `values.ts`. */
function mergedPair(map: YAMLMap, key: string, document: Document.Parsed): Child | undefined {
  for (const pair of map.items) {
    if (!isScalar(pair.key) || pair.key.value !== '<<') continue;
    const merged = resolved(asNode(pair.value), document);
    const sources = isSeq(merged) ? merged.items.map((item) => resolved(asNode(item), document)) : [merged];
    for (const source of sources) {
      const found = isMap(source) ? findPair(source, key, document) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function resolved(node: Node | null, document: Document.Parsed): Node | null {
  return isAlias(node) ? (node.resolve(document) ?? null) : node;
}

function asNode(value: unknown): Node | null {
  return isNode(value) ? value : null;
}

/** A missing value (`vars:` without one) has no useful position. */
function valueOffset(node: Node | null): number | undefined {
  return isScalar(node) && node.source === '' && node.type === 'PLAIN' ? undefined : nodeOffset(node);
}

export function nodeOffset(node: unknown): number | undefined {
  return asNode(node)?.range?.[0];
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function findLine(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The failsafe schema makes every scalar a text: `values.ts` converts plain scalars, and finds duplicate keys, for which the
 * library needs quadratic time.
 */
export function parseText(text: string): Document.Parsed {
  return parseDocument(text, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
}
