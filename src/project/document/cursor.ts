import type { Diagnostics, Locate, Source } from '../../core/model/source/diagnostic.js';
import { entry, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { isNumeric } from '../../core/model/values/whole_number.js';
import type { Library } from '../../language/library.js';
import type { FileServices } from './read_file_text.js';

type Path = readonly (string | number)[];

/** A document during loading, with the services for it. */
export interface DocumentReading extends FileServices {
  readonly locate: Locate;
  readonly locateKey: Locate;
  readonly spelling?: ((path: Path) => string | undefined) | undefined;
  readonly diagnostics: Diagnostics;
}

/** One value of a document with its position. All loaders read from cursors and report mistakes at them. */
export class Cursor {
  constructor(
    readonly value: Value,
    private readonly reading: DocumentReading,
    private readonly path: Path = [],
  ) {}

  get library(): Library | undefined {
    return this.reading.library;
  }

  get services(): FileServices {
    return this.reading;
  }

  get diagnostics(): Diagnostics {
    return this.reading.diagnostics;
  }

  /** The key of the value; for an item of a list, the key of the list. */
  get name(): string {
    return this.path.findLast((step) => typeof step === 'string') ?? '';
  }

  /** The name of the value in messages. */
  get title(): string {
    if (this.path.length === 0) return 'the file';
    return typeof this.path.at(-1) === 'number' ? `an entry of "${this.name}"` : `"${this.name}"`;
  }

  get source(): Source {
    return this.reading.locate(this.path);
  }

  get keySource(): Source {
    return this.reading.locateKey(this.path);
  }

  /** The position of a value below this one. */
  readonly locate: Locate = (path) => this.reading.locate([...this.path, ...path]);

  readonly locateKey: Locate = (path) => this.reading.locateKey([...this.path, ...path]);

  /** How a plain scalar below this value is written, if it is known: `1.0` for the number 1. */
  spelling(path: Path): string | undefined {
    return this.reading.spelling?.([...this.path, ...path]);
  }

  /** The entry of that name; undefined if it is missing or null, which Ansible treats alike. */
  get(key: string): Cursor | undefined {
    const value = isMapping(this.value) ? entry(this.value, key) : undefined;
    return value === undefined || value === null ? undefined : this.#child(value, key);
  }

  /** The entries of a mapping; empty for other values. */
  entries(): readonly Cursor[] {
    return isMapping(this.value) ? Object.entries(this.value).map(([key, value]) => this.#child(value, key)) : [];
  }

  /** The items of a list; any other value counts as a list of one item. */
  items(): readonly Cursor[] {
    return isList(this.value) ? this.value.map((value, index) => this.#child(value, index)) : [this];
  }

  /** The same value; reports mistakes to other diagnostics. */
  reportingTo(diagnostics: Diagnostics): Cursor {
    return new Cursor(this.value, { ...this.reading, diagnostics }, this.path);
  }

  /** The same mapping with other content. `writtenAs` maps a new key to the key in the file, for positions. */
  rewritten(value: Mapping, writtenAs: ReadonlyMap<string, string>): Cursor {
    const depth = this.path.length;
    const inTruth = (path: Path): Path => {
      const key = writtenAs.get(String(path[depth]));
      return key === undefined ? path : [...path.slice(0, depth), key, ...path.slice(depth + 1)];
    };
    const { locate, locateKey, spelling } = this.reading;
    const reading: DocumentReading = {
      ...this.reading,
      locate: (path) => locate(inTruth(path)),
      locateKey: (path) => locateKey(inTruth(path)),
      spelling: (path) => spelling?.(inTruth(path)),
    };
    return new Cursor(value, reading, this.path);
  }

  error(message: string, hint?: string): void {
    this.diagnostics.error(message, this.source, hint);
  }

  /** Reports a mistake in the key rather than in the value. */
  errorAtKey(message: string, hint?: string): void {
    this.diagnostics.error(message, this.keySource, hint);
  }

  #child(value: Value, step: string | number): Cursor {
    return new Cursor(value, this.reading, [...this.path, step]);
  }
}

/** The type of a value, for `must be a list, not …`. */
export function describeKind(value: Value): string {
  if (value === null) return 'nothing';
  if (isList(value)) return 'a list';
  if (isMapping(value)) return 'a mapping';
  return typeof value === 'boolean' || isNumeric(value) ? String(value) : 'text';
}
