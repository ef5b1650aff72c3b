import type { Located } from '../../core/model/playbook/step.js';
import { LoadError, type Diagnostics, type Locate, type Source } from '../../core/model/source/diagnostic.js';
import { isNumeric } from '../../core/model/values/json.js';
import { entry, isList, isMapping, Unsafe, Vaulted, type Mapping, type Value } from '../../core/model/values/value.js';
import type { Library } from '../../language/library.js';
import type { FileReading } from './read_file_text.js';

type Path = readonly (string | number)[];

/** A document during loading, with the services for it. */
export interface DocumentReading extends FileReading {
  readonly locate: Locate;
  readonly locateKey: Locate;
  readonly spelling?: ((path: Path) => string | undefined) | undefined;
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

  get services(): FileReading {
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

  /** Whether the key is there, but has no value. */
  isLeftEmpty(key: string): boolean {
    return isMapping(this.value) && entry(this.value, key) === null;
  }

  /** The entry of that name; undefined if it is missing or null. */
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

  error(message: string, hint?: string): undefined {
    return this.diagnostics.error(message, this.source, hint);
  }

  /** Reports a mistake in the key rather than in the value. */
  errorAtKey(message: string, hint?: string): undefined {
    return this.diagnostics.error(message, this.keySource, hint);
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

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A text; a number is read as its text. @param hint for any other value */
export function text(cursor: Cursor | undefined, hint?: string): string | undefined {
  if (cursor === undefined) return undefined;
  if (typeof cursor.value === 'string') return cursor.value;
  if (cursor.value instanceof Unsafe) return decrypted(cursor, cursor.value);
  if (isNumeric(cursor.value)) return String(cursor.value);
  return cursor.error(`${cursor.title} must be text, not ${describeKind(cursor.value)}`, hint);
}

/** Decryption may fail. */
function decrypted(cursor: Cursor, data: Unsafe): string | undefined {
  try {
    return data.text;
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    return cursor.error(error.message, error.hint);
  }
}

/** The items of a list; any other value is reported. */
export function listItems(cursor: Cursor | undefined, wanted = 'a list'): readonly Cursor[] {
  if (cursor === undefined || isList(cursor.value)) return cursor?.items() ?? [];
  cursor.error(`${cursor.title} must be ${wanted}, not ${describeKind(cursor.value)}`, 'begin each with "- "');
  return [];
}

/** Whether the value is a mapping; any other is reported. @param content what it maps: ` of names to values` */
export function wantMapping(cursor: Cursor, content = '', title = cursor.title, hint?: string): boolean {
  if (isMapping(cursor.value)) return true;
  cursor.error(`${title} must be a mapping${content}, not ${describeKind(cursor.value)}`, hint);
  return false;
}

/** One text, or a list of texts. */
export function texts(cursor: Cursor | undefined, hint?: string): readonly Located<string>[] {
  return (cursor?.items() ?? []).flatMap((item) => {
    const value = text(item, hint);
    return value === undefined ? [] : [{ value, source: item.source }];
  });
}

/** Like `texts`; one text can contain several names, separated by commas. */
export function names(cursor: Cursor | undefined): readonly string[] {
  const found = texts(cursor).flatMap(({ value }) => value.split(',').map((name) => name.trim()));
  return [...new Set(found.filter((name) => name !== ''))];
}

/** The name of a variable that the playbook sets. */
export function variableName(cursor: Cursor | undefined): string | undefined {
  const name = text(cursor);
  if (cursor === undefined || name === undefined) return undefined;
  if (VARIABLE_NAME.test(name)) return name;
  return cursor.error(invalidName(name));
}

export function checkVariableNames(cursor: Cursor): void {
  for (const item of cursor.entries()) if (!VARIABLE_NAME.test(item.name)) item.errorAtKey(invalidName(item.name));
}

function invalidName(name: string): string {
  return `"${name}" is not a valid variable name: use letters, digits and "_", and do not start with a digit`;
}

/** Warns of a form that Ansible has removed or will remove. It works here; `evenkeel lint` reports it. */
export function warnOfOldForm({ diagnostics, keySource: source }: Cursor, what: string, hint: string): void {
  const message = `newer versions of Ansible refuse ${what}`;
  diagnostics.add([{ severity: 'warning', rule: 'deprecated', message, source, hint, group: { message } }]);
}

/**
 * Keywords whose texts control the run: names, conditions, variables, places. These texts are not data, and output
 * shows most of them.
 */
const STRUCTURE = new Set(
  'name hosts when loop loop_control register tags notify listen changed_when failed_when until break_when delegate_to import_tasks include_tasks import_role include_role import_playbook vars_files roles strategy order environment'.split(
    ' ',
  ),
);
const TEMPLATE = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** Every text in a value. */
export function allTexts(value: Value): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Unsafe) return value instanceof Vaulted ? [] : [value.text];
  if (isList(value)) return value.flatMap(allTexts);
  return isMapping(value) ? Object.values(value).flatMap(allTexts) : [];
}

/** The texts of tasks and plays other than structural keywords: arguments and variables, and the parts around their templates. */
export function dataIn(value: Value): readonly string[] {
  if (isList(value)) return value.flatMap(dataIn);
  if (!isMapping(value)) return allTexts(value).flatMap((text) => [text, ...around(text)]);
  return Object.entries(value).flatMap(([name, item]) => (STRUCTURE.has(name) ? [] : dataIn(item)));
}

function around(text: string): readonly string[] {
  return /\{[{%]/.test(text) ? text.split(TEMPLATE).map((part) => part.trim()) : [];
}
