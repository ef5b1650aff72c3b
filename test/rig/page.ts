import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from './command.js';

/** The code blocks of a page, by the file name on the line before them: `` `modules/motd.ts`: ``. */
export async function filesOnPage(page: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.join(ROOT, page), 'utf8');
  const found = text.matchAll(/^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$/gms);
  return new Map([...found].map(([, file = '', code = '']) => [file, code]));
}
