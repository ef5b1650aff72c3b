import path from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { archiveOf, digestOf } from './archive.js';
import { BundleError, entriesOf, type Entry } from './entries.js';
import { LeftOut, type Kept } from './left_out.js';
import { inside, nameInBundle } from './relocation.js';

export interface BundleContent extends Kept {
  /** Absolute: the folder of the project. It travels whole. */
  readonly root: string;
  /** Absolute: files and folders that the run reads. Those outside of the project travel too. */
  readonly files: readonly string[];
  /** In bytes, unpacked; by default 64 MiB. */
  readonly limit?: number;
}

/** The files of a run, as workers at sites get them. */
export interface Bundle {
  /** SHA-256 of the content, in hexadecimal: the same files have the same digest on every machine. */
  readonly digest: string;
  /** Compressed. */
  readonly bytes: Buffer;
  readonly entries: readonly Entry[];
  /** What travels from outside of the project: with the root, the `Location` for a `relocation`. */
  readonly others: readonly string[];
}

export const LARGEST_BUNDLE = 64 * 2 ** 20;
const MIB = 2 ** 20;
const NAMED = 5;
/** This part of the largest file is not worth a name. */
const NEGLIGIBLE = 100;

const deflated = promisify(deflate);

/** Throws a `BundleError`: a file cannot be read, a link leads out of the project, or it is too large. */
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

/** Without what is inside of another one. */
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
