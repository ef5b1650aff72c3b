import { hash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isFileError } from '../../core/files/paths.js';
import { replaceFile, writeMissingFile } from '../../core/files/replace_file.js';
import { errorMessage } from '../../core/model/source/diagnostic.js';
import { encodedPart } from '../../core/model/values/uri.js';
import { jsonText } from '../../core/model/values/value.js';
import { isJsonList, isJsonObject, readJson, type JsonObject, type SimulatedJson } from '../protocol/exchange.js';
import type { StateSnapshot } from './controller_state.js';

/** Milliseconds between a change and its writing, so that a busy controller is not written at every request. */
const SETTLE = 200;
const WRITES_AT_ONCE = 16;

/** Protects a text from anyone who only has the file. */
export interface Seal {
  seal(text: string): string;
  /** Throws if it was sealed with another key. */
  open(sealed: string): string;
}

/** Whether this process may replace the state of a controller. Otherwise it only stores a new one, and reads. */
export type IsOwn = (name: string) => boolean;

/** Stores each controller's state in a file between runs, readable by the owner only, because objects contain secrets. */
export class StateFolder {
  readonly #pending = new Map<string, () => StateSnapshot>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly directory: string,
    private readonly seal: Seal | undefined,
    private readonly isOwn: IsOwn,
  ) {}

  /** @param seal absent: the files are plain JSON */
  static async open(directory: string, seal?: Seal, isOwn: IsOwn = () => true): Promise<StateFolder> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new StateFolder(directory, seal, isOwn);
  }

  /** The stored state of this controller, or undefined if it is new. Throws with a message for the user if it cannot be read. */
  async load(name: string): Promise<StateSnapshot | undefined> {
    const file = this.#file(name);
    // It replaces what a process without the controller changed.
    this.#pending.delete(name);
    try {
      return toSnapshot(readJson(this.#opened(await readFile(file, 'utf8'))));
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return undefined;
      const reason = errorMessage(error);
      throw new Error(
        `the state of simulated controller "${name}" cannot be read; delete ${file} to start again: ${reason}`,
        { cause: error },
      );
    }
  }

  /** Notes that a controller changed; `snapshot` is called when it is written. */
  save(name: string, snapshot: () => StateSnapshot): void {
    this.#pending.set(name, snapshot);
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), SETTLE).unref();
  }

  /** Writes all changes. A change that could not be written stays pending and is tried again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(() => Promise.all(Array.from({ length: WRITES_AT_ONCE }, () => this.#writeNext())));
    await this.#writing;
  }

  async #writeNext(): Promise<void> {
    for (;;) {
      const [next] = this.#pending;
      if (next === undefined) return;
      const [name, snapshot] = next;
      this.#pending.delete(name);
      try {
        await this.#write(name, snapshot());
      } catch (error) {
        if (!this.#pending.has(name)) this.#pending.set(name, snapshot);
        throw error;
      }
    }
  }

  /** As a whole, so that a crash leaves the old state or the new one, never half of it. */
  async #write(name: string, snapshot: StateSnapshot): Promise<void> {
    const text = jsonText(snapshot);
    const write = this.isOwn(name) ? replaceFile : writeMissingFile;
    await write(this.#file(name), this.seal?.seal(text) ?? text);
  }

  #opened(text: string): string {
    return this.seal === undefined || text.startsWith('{') ? text : this.seal.open(text);
  }

  #file(name: string): string {
    const encoded = encodedPart(name);
    const short = encoded.length <= 200 ? encoded : hash('sha256', name);
    return path.join(this.directory, `${short}.json`);
  }
}

function toSnapshot(value: SimulatedJson): StateSnapshot {
  const { collections, singletons } = isJsonObject(value) ? value : {};
  if (isRecordWith(collections, isObjects) && isRecordWith(singletons, isJsonObject))
    return { collections, singletons };
  throw new Error('it does not hold "collections" and "singletons"');
}

type Test<T extends SimulatedJson> = (value: SimulatedJson) => value is T;

function isRecordWith<T extends SimulatedJson>(
  value: SimulatedJson | undefined,
  test: Test<T>,
): value is Readonly<Record<string, T>> {
  return isJsonObject(value) && Object.values(value).every(test);
}

function isObjects(value: SimulatedJson): value is readonly JsonObject[] {
  return isJsonList(value) && value.every(isJsonObject);
}
