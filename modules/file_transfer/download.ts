import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, type ActionContext, type ActionResult, type Destination } from '../../src/module/contract.js';
import { asTexts } from '../../src/module/schema.js';
import { openDraft, removeDraft } from './draft_file.js';
import { belowHome, MIB, reporting } from './local_file.js';

/** What to read, and where to save it. */
export interface Download {
  readonly path: string;
  readonly query?: Parameters<typeof asTexts>[0];
  /** A relative name is relative to the folder of the playbook. */
  readonly dest: string;
  /** Maximum size of the answer, in MiB. */
  readonly max_size: number;
}

/** MiB. Larger than any backup, and small enough for the disk when a controller never ends its answer. */
export const DEFAULT_MAX_SIZE = 4096;

/** Saves an answer as a file. */
export async function downloadFile(download: Download, context: ActionContext): Promise<ActionResult> {
  const dest = targetFile(download.dest, context);
  const owner = context.savesAs(dest);
  if (owner !== undefined)
    return failed(`${dest} is the file of ${owner} in this run: use {{ inventory_hostname }} in its name`);
  let draft: Draft;
  try {
    draft = await Draft.open(dest, {
      onReceived: reporting(context, (bytes) => receivedText(download.path, bytes)),
      signal: context.signal,
      most: download.max_size,
    });
  } catch (error) {
    return failed(`cannot write ${download.dest}: ${errorMessage(error)}`);
  }
  try {
    return await save(download, draft, context);
  } catch (error) {
    if (!context.signal.aborted) throw error;
    return { status: 'interrupted', message: `interrupted before ${dest} was complete` };
  } finally {
    await draft.end();
  }
}

async function save(
  { path: from, query: given }: Download,
  draft: Draft,
  context: ActionContext,
): Promise<ActionResult> {
  const query = asTexts(given);
  const { status, says = '' } = await context.request({ method: 'GET', path: from, query, into: draft });
  if (status !== 200) return failed(`GET ${from} answered ${status}${says === '' ? '' : `: ${says}`}`);
  if (draft.isCutOff) return failed(`GET ${from} answered with JSON that is cut off`);
  const { isNew, size, sha256 } = await draft.finish();
  const { dest, version = null } = draft;
  const values = { dest, size, sha256, version };
  const of = version === null ? '' : `, of version ${version}`;
  if (isNew) return { status: 'changed', message: `saved ${size} bytes as ${dest}${of}`, values };
  return { status: 'ok', message: `${dest} is the same${of}`, values };
}

/** Answers of simulated controllers must not replace a real file. */
function targetFile(name: string, context: ActionContext): string {
  const dest = belowHome(name);
  const folder = context.variable('playbook_dir');
  const place = typeof folder === 'string' ? path.resolve(folder, dest) : path.resolve(dest);
  if (dest.endsWith('/')) return `${place}${path.sep}`;
  return context.simulated ? `${place}.simulated` : place;
}

/** Controllers do not announce the total size. */
function receivedText(from: string, bytes: number): string {
  return `${from}: received ${bytes < MIB ? `${Math.floor(bytes / 1024)} KiB` : `${Math.floor(bytes / MIB)} MiB`}`;
}

function failed(message: string): ActionResult {
  return { status: 'failed', message };
}

interface DownloadWatch {
  readonly onReceived: (bytes: number) => void;
  readonly signal: AbortSignal;
  /** Maximum size of the file, in MiB. */
  readonly most: number;
}

/** Answers may contain secrets. */
const MODE = 0o600;

/** A file that replaces another one only when it is complete. Only the user can read it. */
class Draft implements Destination {
  #hash: Hash = createHash('sha256');
  #size = 0;
  #isOpen = true;
  /** The first and the last character of a JSON answer. */
  #json: { first: string; last: string; versions: VersionFinder } | undefined;

  private constructor(
    readonly dest: string,
    private readonly file: string,
    private readonly handle: FileHandle,
    private readonly watch: DownloadWatch,
  ) {}

  /** Creates missing folders. Throws if the file cannot be created. */
  static async open(dest: string, watch: DownloadWatch): Promise<Draft> {
    const found = await stat(dest).catch(() => undefined);
    if (found?.isDirectory() === true || dest.endsWith(path.sep)) throw new Error(`${dest} is a folder; name a file`);
    if (found?.isFile() === false) throw new Error(`${dest} is not a regular file`);
    await mkdir(path.dirname(dest), { recursive: true, mode: 0o700 });
    const { file, handle } = await openDraft(dest, MODE);
    return new Draft(dest, file, handle, watch);
  }

  async start(contentType = ''): Promise<void> {
    if (/^text\/html\b/i.test(contentType)) throw new Error('the controller answered with a web page, not with a file');
    this.#json = /^application\/json\b/i.test(contentType)
      ? { first: '', last: '', versions: new VersionFinder() }
      : undefined;
    this.#hash = createHash('sha256');
    this.#size = 0;
    await this.handle.truncate(0);
  }

  async take(part: Uint8Array): Promise<void> {
    // A read can be aborted at any time.
    this.watch.signal.throwIfAborted();
    const { most } = this.watch;
    if (this.#size + part.length > most * MIB)
      throw new Error(`the answer is larger than ${most} MiB; max_size is the limit`);
    await this.handle.appendFile(part);
    if (this.#json !== undefined) {
      const all = Buffer.from(part).toString('latin1');
      this.#json.versions.take(all);
      const text = all.trim();
      this.#json.first ||= text.charAt(0);
      this.#json.last = text.at(-1) ?? this.#json.last;
    }
    this.#hash.update(part);
    this.#size += part.length;
    this.watch.onReceived(this.#size);
  }

  /** The version of the controller that an exported configuration contains. */
  get version(): string | undefined {
    return this.#json?.versions.found;
  }

  /**
   * Whether the answer is truncated. Lengths can be wrong, but JSON must end with the bracket that matches its first
   * one.
   */
  get isCutOff(): boolean {
    const { first, last } = this.#json ?? { first: '-', last: '-' };
    return first === '' || (first === '{' && last !== '}') || (first === '[' && last !== ']');
  }

  /** Moves the file to its target, unless the target already has the same content. */
  async finish(): Promise<{ readonly isNew: boolean; readonly size: number; readonly sha256: string }> {
    const written = { size: this.#size, sha256: this.#hash.digest('hex') };
    if (await this.#isThere(written)) return { isNew: false, ...written };
    await this.handle.sync();
    await this.#close();
    await rename(this.file, this.dest);
    await syncFolder(path.dirname(this.dest));
    return { isNew: true, ...written };
  }

  /** Removes the temporary file unless it has replaced the target. */
  async end(): Promise<void> {
    await this.#close();
    await removeDraft(this.file);
  }

  async #close(): Promise<void> {
    if (this.#isOpen) await this.handle.close();
    this.#isOpen = false;
  }

  async #isThere({ size, sha256 }: { readonly size: number; readonly sha256: string }): Promise<boolean> {
    const found = await stat(this.dest).catch(() => undefined);
    if (found?.size !== size || (found.mode & 0o777) !== MODE) return false;
    const hash = createHash('sha256');
    const parts: AsyncIterable<Buffer> = createReadStream(this.dest);
    for await (const part of parts) hash.update(part);
    return hash.digest('hex') === sha256;
  }
}

/** Finds the first version in the text of a configuration, piece by piece. */
class VersionFinder {
  found: string | undefined;
  #before = '';

  take(text: string): void {
    if (this.found !== undefined) return;
    const all = this.#before + text;
    this.found = /"Version"\s*:\s*"(\d+\.\d+\.\d+[\w.()-]{0,40})"/.exec(all)?.[1];
    this.#before = all.slice(-100);
  }
}

/** Ignores errors, because some systems cannot sync a folder and protect its entries in another way. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
