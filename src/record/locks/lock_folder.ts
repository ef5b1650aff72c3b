import { hash } from 'node:crypto';
import { existsSync, watch } from 'node:fs';
import { chmod, lstat, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, makeFolder } from '../../core/files/paths.js';
import { replaceFile } from '../../core/files/replace_file.js';
import { isProcess } from '../../core/model/run/process.js';
import { orElse, errorMessage } from '../../core/model/source/diagnostic.js';
import { choiceShape, fields, flag, optional, text, texts, type FieldsOf } from '../../core/model/values/stored.js';

const HOLDER = {
  run: text,
  process: isProcess,
  user: text,
  /** The command line, without secrets. */
  command: text,
  /** ISO 8601. */
  since: text,
  /** The state folder with the journal of the run. Absent: it keeps none. */
  state: optional(text),
  /** The run has ended, and its lock keeps no other run out: one of its writes may still take effect. */
  ended: optional(flag),
};

export type LockHolder = FieldsOf<typeof HOLDER>;

/** A run's hold on some controllers. Its file never changes: a run that needs more controllers writes another lock. */
export interface RunLockFile {
  readonly holder: LockHolder;
  /** `controllerKey` of each controller's URL. */
  readonly places: ReadonlySet<string>;
}

const VERSION = 1;

export function lockText({ holder, places }: RunLockFile): string {
  return JSON.stringify({ version: VERSION, holder, places: [...places] });
}

/** Returns undefined if it is not a lock, or a later version wrote it. */
export function parseLock(content: string): RunLockFile | undefined {
  const value = orElse(undefined, (): unknown => JSON.parse(content));
  return isLockFile(value) ? { holder: value.holder, places: new Set(value.places) } : undefined;
}

const isLockFile = fields({ version: choiceShape(VERSION), holder: fields(HOLDER), places: texts });

/** 96 bits: enough that no two controllers of any fleet share one. */
const PLACE_LENGTH = 16;

/**
 * Identifies a controller in a lock file. Hashed, so that the file does not reveal the URL.
 *
 * @param identity from `controllerIdentity`
 */
export function controllerKey(identity: string): string {
  return hash('sha256', identity, 'base64url').slice(0, PLACE_LENGTH);
}

/** The lock folder cannot be used, so other runs cannot be seen. */
export class LockFolderError extends Error {
  override readonly name = 'LockFolderError';
}

/** A lock on disk. */
export interface LockFile {
  /** Unique. Of two locks that are being acquired at once, the smaller token wins. */
  readonly token: string;
  readonly path: string;
  /** Undefined if the file is damaged or from a later version. */
  readonly lock: RunLockFile | undefined;
  /** Whether its run has the lock; otherwise it is still looking for conflicts. */
  readonly held: boolean;
}

const LOCK = '.json';
const HELD = '.held';

/** The locks of all runs on a machine: one file for each lock, and a second, empty one once it is held. */
export class LockFolder {
  /** By token. Locks never change, so each is read once. */
  readonly #read = new Map<string, RunLockFile | undefined>();

  private constructor(
    readonly path: string,
    private readonly mode: number,
  ) {}

  /**
   * Creates the folder if it does not exist.
   *
   * @param own the folder is for this user only, so others must not be able to replace it. Otherwise several users share it:
   * everyone who can list the folder can read the locks.
   */
  static async open(folder: string, { own }: { readonly own: boolean }): Promise<LockFolder> {
    return failing(folder, async () => {
      await makeFolder(folder);
      if (!(await stat(folder)).isDirectory()) throw new Error('it is not a folder');
      if (own) await requireOwn(path.dirname(folder));
      return new LockFolder(folder, own ? 0o600 : 0o644);
    });
  }

  /** Writes the lock, so that others see it. They never see half of it, not even after a power failure. */
  async publish(token: string, lock: RunLockFile): Promise<void> {
    await failing(this.path, () =>
      replaceFile(this.#file(token, LOCK), lockText(lock), async (draft) => {
        // Regardless of the umask.
        await draft.chmod(this.mode);
        await draft.sync();
      }),
    );
  }

  async hold(token: string): Promise<void> {
    const file = this.#file(token, HELD);
    await failing(this.path, async () => {
      await writeFile(file, '', { flag: 'wx' });
      await chmod(file, this.mode);
    });
  }

  has(token: string): boolean {
    return existsSync(this.#file(token, LOCK));
  }

  /** Never throws: once this process ends, a file that cannot be deleted is the lock of a dead process. */
  async withdraw(token: string): Promise<void> {
    // If the process is killed in between, the lock of a dead process is left, which the next run removes.
    await removed(this.#file(token, HELD));
    await removed(this.#file(token, LOCK));
    this.#read.delete(token);
  }

  /** All locks except those whose token `skip` matches. */
  async list(skip: (token: string) => boolean): Promise<readonly LockFile[]> {
    return failing(this.path, async () => {
      const names = new Set(await readdir(this.path));
      const tokens = [...names].filter((name) => name.endsWith(LOCK)).map((name) => name.slice(0, -LOCK.length));
      const files = await Promise.all(
        tokens
          .filter((token) => !skip(token))
          .map(async (token) => ({
            token,
            path: this.#file(token, LOCK),
            held: names.has(token + HELD),
            lock: await this.#lock(token),
          })),
      );
      return files.flatMap((file) => (file.lock === 'removed' ? [] : [{ ...file, lock: file.lock }]));
    });
  }

  /** Resolves when the folder changes, after `milliseconds` at the latest, or when the signal is aborted. */
  change(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        watcher?.close();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal?.addEventListener('abort', done, { once: true });
      const watcher = watching(this.path, done);
      if (signal?.aborted === true) done();
    });
  }

  async #lock(token: string): Promise<RunLockFile | undefined | 'removed'> {
    if (this.#read.has(token)) return this.#read.get(token);
    try {
      const lock = parseLock(await readFile(this.#file(token, LOCK), 'utf8'));
      this.#read.set(token, lock);
      return lock;
    } catch (error) {
      return isFileError(error, 'ENOENT') ? 'removed' : undefined;
    }
  }

  #file(token: string, suffix: string): string {
    return path.join(this.path, token + suffix);
  }
}

/** Returns undefined where files cannot be watched: callers also poll. */
function watching(folder: string, onChange: () => void): { close(): void } | undefined {
  return orElse(undefined, () => watch(folder, { persistent: false }, onChange).on('error', () => undefined));
}

async function requireOwn(folder: string): Promise<void> {
  const found = await lstat(folder);
  const uid = process.getuid?.();
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (uid !== undefined && found.uid !== uid) throw new Error(`${folder} belongs to another user`);
  if (uid !== undefined && (found.mode & 0o022) !== 0) throw new Error(`other users can write to ${folder}`);
}

async function removed(file: string): Promise<void> {
  await unlink(file).catch(() => undefined);
}

async function failing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new LockFolderError(`${folder} cannot be used: ${errorMessage(error)}`, { cause: error });
  }
}
