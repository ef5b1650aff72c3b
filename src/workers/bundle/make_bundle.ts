import path from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { archiveOf, digestOf } from './archive.js';
import { BundleError, entriesOf, type Entry } from './entries.js';
import { LeftOut, type Kept } from './left_out.js';
import { inside, nameInBundle } from './relocation.js';

export interface BundleContent extends Kept {
  /** The absolute path of the project's folder, which is bundled as a whole. */
  readonly root: string;
  /** Absolute paths of the files and folders that the run reads. Those outside of the project are bundled, too. */
  readonly files: readonly string[];
  /** Maximum size in bytes, unpacked. Default: 64 MiB. */
  readonly limit?: number;
}

/** The files of a run, as they are sent to workers. */
export interface Bundle {
  /** SHA-256 of the content, in hexadecimal: the same files have the same digest on every machine. */
  readonly digest: string;
  /** Compressed. */
  readonly bytes: Buffer;
  readonly entries: readonly Entry[];
  /** Bundled paths outside of the project. With the root, they form the `Location` for a `relocation`. */
  readonly others: readonly string[];
}

export const LARGEST_BUNDLE = 64 * 2 ** 20;
const MIB = 2 ** 20;
const NAMED = 5;
/** The error does not name files smaller than the largest file divided by this. */
const NEGLIGIBLE = 100;

const deflated = promisify(deflate);

/** Throws a `BundleError` if a file cannot be read, a link leads out of the project, or the bundle is too large. */
export async function makeBundle({ limit = LARGEST_BUNDLE, ...content }: BundleContent): Promise<Bundle> {
  const { root } = content;
  const leftOut = new LeftOut(root, content);
  const named = content.files.filter((file) => !leftOut.isSecret(file));
  const others = outermost(named.filter((file) => inside(root, file) === undefined));
  const leftBehind = named.filter((file) => inside(root, file) !== undefined && leftOut.hasFolderOf(file));
  const tops = [root, ...leftBehind, ...others].map((file) => ({
    file,
    name: nameInBundle({ root, others }, file) ?? '',
  }));
  const entries = await entriesOf(tops, (file) => leftOut.has(file));
  checkSize(entries, limit);
  const archive = await archiveOf(entries);
  return { digest: digestOf(archive), bytes: await deflated(archive), entries, others };
}

/** The paths that are not inside another one. */
function outermost(files: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const file of [...new Set(files.map((one) => path.resolve(one)))].sort())
    if (!found.some((other) => inside(other, file) !== undefined)) found.push(file);
  return found;
}

function checkSize(entries: readonly Entry[], limit: number): void {
  const files = entries.filter((entry) => entry.type === 'file');
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total <= limit) return;
  const sorted = files.toSorted((a, b) => b.size - a.size);
  const largest = sorted.slice(0, NAMED).filter(({ size }) => size * NEGLIGIBLE >= (sorted[0]?.size ?? 0));
  const named = largest.map(({ file, size }) => `${file} (${mebibytes(size)})`).join(', ');
  throw new BundleError(
    `the files of the project are too large for workers at sites: ${mebibytes(total)}, at most ${mebibytes(limit)}; the largest: ${named}`,
    'move what runs do not read out of the folder of the project',
  );
}

function mebibytes(size: number): string {
  return `${(size / MIB).toFixed(1)} MiB`;
}
