import { watch } from 'node:fs';
import { lstat, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isFileError } from '../files/file_error.js';
import { makeFolder } from '../files/folders.js';
import { claimText, parseClaim, type Claim } from './claim.js';
import { errorMessage } from '../model/error_message.js';

/** The folder of the claims cannot be used: nobody can say who else is at work. */
export class ClaimFolderError extends Error {
  override readonly name = 'ClaimFolderError';
}

/** A claim on disk. */
export interface ClaimFile {
  /** Unique; of two that were made at once, the smaller one has the right of way. */
  readonly token: string;
  readonly path: string;
  /** Undefined: it cannot be understood. */
  readonly claim: Claim | undefined;
  /** Whether its run is at work; else it is still looking for others. */
  readonly held: boolean;
}

const CLAIM = '.json';
const HELD = '.held';

/** Where the runs of a machine say which controllers they keep to themselves: a file for each claim, and one more when it is held. */
export class ClaimFolder {
  /** Claims never change, so each is read once. */
  readonly #read = new Map<string, Claim | undefined>();

  private constructor(
    readonly path: string,
    private readonly mode: number,
  ) {}

  /**
   * Makes the folder if it is not there.
   *
   * @param own whether it is for this user alone: nobody else must be able to put something in its place. Else it is for everybody
   * whom its permissions let in, and whoever may see the folder may read the claims.
   */
  static async open(folder: string, { own }: { readonly own: boolean }): Promise<ClaimFolder> {
    return failing(folder, async () => {
      await makeFolder(folder);
      if (!(await stat(folder)).isDirectory()) throw new Error('it is no folder');
      if (own) await requireOwn(path.dirname(folder));
      return new ClaimFolder(folder, own ? 0o600 : 0o644);
    });
  }

  /** Shows the claim to all others, whole from the first moment on. */
  async publish(token: string, claim: Claim): Promise<void> {
    await failing(this.path, async () => {
      const draft = path.join(this.path, `.${token}`);
      try {
        await writeNew(draft, claimText(claim), this.mode);
        await rename(draft, this.#file(token, CLAIM));
      } catch (error) {
        await removed(draft);
        throw error;
      }
    });
  }

  async hold(token: string): Promise<void> {
    await failing(this.path, () => writeNew(this.#file(token, HELD), '', this.mode));
  }

  /** Never throws: what stays behind is the claim of a dead process soon. */
  async withdraw(token: string): Promise<void> {
    await removed(this.#file(token, CLAIM));
    await removed(this.#file(token, HELD));
    this.#read.delete(token);
  }

  /** Every claim there is, but for those that `skip` names. */
  async list(skip: (token: string) => boolean): Promise<readonly ClaimFile[]> {
    return failing(this.path, async () => {
      const names = new Set(await readdir(this.path));
      const tokens = [...names].filter((name) => name.endsWith(CLAIM)).map((name) => name.slice(0, -CLAIM.length));
      const files = await Promise.all(
        tokens
          .filter((token) => !skip(token))
          .map(async (token) => ({
            token,
            path: this.#file(token, CLAIM),
            held: names.has(token + HELD),
            claim: await this.#claim(token),
          })),
      );
      return files.flatMap((file) => (file.claim === 'removed' ? [] : [{ ...file, claim: file.claim }]));
    });
  }

  /** Resolves when something in the folder is another, after `milliseconds` at the latest, or when the signal is aborted. */
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

  async #claim(token: string): Promise<Claim | undefined | 'removed'> {
    if (this.#read.has(token)) return this.#read.get(token);
    try {
      const claim = parseClaim(await readFile(this.#file(token, CLAIM), 'utf8'));
      this.#read.set(token, claim);
      return claim;
    } catch (error) {
      return isFileError(error, 'ENOENT') ? 'removed' : undefined;
    }
  }

  #file(token: string, suffix: string): string {
    return path.join(this.path, token + suffix);
  }
}

/** Where files cannot be watched, looking again from time to time must do. */
function watching(folder: string, onChange: () => void): { close(): void } | undefined {
  try {
    return watch(folder, { persistent: false }, onChange).on('error', () => undefined);
  } catch {
    return undefined;
  }
}

async function writeNew(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    // Whatever the umask says.
    await handle.chmod(mode);
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

async function requireOwn(folder: string): Promise<void> {
  const found = await lstat(folder);
  const uid = process.getuid?.();
  if (!found.isDirectory()) throw new Error(`${folder} is no folder`);
  if (uid !== undefined && found.uid !== uid) throw new Error(`${folder} belongs to another user`);
  if (uid !== undefined && (found.mode & 0o022) !== 0) throw new Error(`others may write in ${folder}`);
}

async function removed(file: string): Promise<void> {
  await unlink(file).catch(() => undefined);
}

async function failing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const why = errorMessage(error);
    throw new ClaimFolderError(`${folder} cannot be used: ${why}`, { cause: error });
  }
}
