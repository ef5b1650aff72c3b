import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const LARGEST = 20_000;

/** The texts of the repository's own files in a folder, those of folders in it included; large ones are left out. */
export function corpus(folder: string, ...suffixes: readonly string[]): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && suffixes.includes(path.extname(entry.name)))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .filter((text) => text.length < LARGEST)
    .sort();
}
