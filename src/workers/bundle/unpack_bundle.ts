import { mkdtemp, readdir, realpath, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { isFileError, whyFailed } from '../../files/file_error.js';
import { makeFolder } from '../../files/folders.js';
import { errorMessage } from '../../model/error_message.js';
import { archiveOf, digestOf, extract } from './archive.js';
import { BundleError, entriesOf } from './entries.js';
import { LARGEST_BUNDLE } from './make_bundle.js';

const inflated = promisify(inflate);

const DIGEST = /^[0-9a-f]{64}$/;
/** A digest, and the suffix of `mkdtemp`. */
const UNPACKED = /^[0-9a-f]{64}\.\w{6}$/;
/** Maximum size of tar headers and padding, in bytes. */
const OVERHEAD = 64 * 2 ** 20;
/** Number of unpacked bundles to keep for later runs. */
const KEPT = 10;
const DAY = 24 * 60 * 60 * 1000;

/** The folder of a bundle that was unpacked before; undefined if there is none, or its files have changed since. */
export async function unpackedBundle(digest: string, cache: string): Promise<string | undefined> {
  for (const name of await unpackedIn(cache)) {
    const folder = path.join(cache, name);
    if (!name.startsWith(`${digest}.`) || (await contentOf(folder)) !== digest) continue;
    await utimes(folder, new Date(), new Date());
    return realpath(folder);
  }
  return undefined;
}

/**
 * Unpacks a bundle into a folder that only the user can read, unless it is already unpacked. Throws a `BundleError`
 * before it writes anything if the bytes do not match the digest.
 * @param limit in bytes, unpacked
 * @returns the absolute path of the folder
 */
export async function unpackBundle(
  bytes: Uint8Array,
  digest: string,
  cache: string,
  limit = LARGEST_BUNDLE,
): Promise<string> {
  const archive = await opened(bytes, digest, limit);
  const known = await unpackedBundle(digest, cache);
  if (known !== undefined) return known;
  try {
    await makeFolder(cache);
    const folder = await unpackedInto(cache, archive, digest);
    await prune(cache);
    return await realpath(folder);
  } catch (error) {
    if (error instanceof BundleError) throw error;
    throw new BundleError(`cannot unpack the bundle of the run into ${cache}: ${whyFailed(error)}`);
  }
}

/** Never replaces a modified copy, because another run may use it. An incomplete copy has another digest. */
async function unpackedInto(cache: string, archive: Buffer, digest: string): Promise<string> {
  const folder = await mkdtemp(path.join(cache, `${digest}.`));
  try {
    await extract(archive, folder);
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function opened(bytes: Uint8Array, digest: string, limit: number): Promise<Buffer> {
  if (!DIGEST.test(digest)) throw new BundleError('the coordinator named a bundle without a digest');
  const archive = await inflatedWithin(bytes, limit);
  const found = digestOf(archive);
  if (found !== digest)
    throw new BundleError(
      `the bundle of the run is not what the coordinator made: its digest is ${found}, expected ${digest}`,
      'another program has changed it on the broker: check who may write to its object store',
    );
  return archive;
}

async function inflatedWithin(bytes: Uint8Array, limit: number): Promise<Buffer> {
  try {
    return await inflated(bytes, { maxOutputLength: limit + OVERHEAD });
  } catch (error) {
    const isTooLarge = isFileError(error, 'ERR_BUFFER_TOO_LARGE');
    throw new BundleError(
      isTooLarge
        ? `the bundle of the run has more than ${(limit / 2 ** 20).toFixed(1)} MiB of files, which is the limit`
        : `the bundle of the run is truncated or damaged: ${errorMessage(error)}`,
    );
  }
}

/** The digest of a folder's content; undefined if it cannot be read, or contains entries that bundles cannot have. */
async function contentOf(folder: string): Promise<string | undefined> {
  try {
    return digestOf(await archiveOf(await entriesOf([{ file: folder, name: '' }])));
  } catch (error) {
    if (error instanceof BundleError) return undefined;
    throw error;
  }
}

/** Deletes all but the newest. Keeps those used within a day, because runs may still read them. */
async function prune(cache: string): Promise<void> {
  for (const name of (await unpackedIn(cache)).slice(KEPT)) {
    const folder = path.join(cache, name);
    const used = await stat(folder).catch(() => undefined);
    if (used !== undefined && Date.now() - used.mtimeMs > DAY) await rm(folder, { recursive: true, force: true });
  }
}

/** The unpacked bundles, most recently used first. */
async function unpackedIn(cache: string): Promise<readonly string[]> {
  const names = (await readdir(cache).catch(() => [])).filter((name) => UNPACKED.test(name));
  const used = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(path.join(cache, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  return used.sort((a, b) => b.at - a.at).map(({ name }) => name);
}
