import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { inFolder, type Files } from './folder.js';

/** Like `inFolder`; files that begin with `#!` can be executed. */
export function inFolderWithScripts<T>(files: Files, use: (folder: string) => Promise<T>): Promise<T> {
  return inFolder(files, async (folder) => {
    const scripts = Object.entries(files).filter(([, text]) => text.startsWith('#!'));
    await Promise.all(scripts.map(([name]) => chmod(path.join(folder, name), 0o755)));
    return use(folder);
  });
}
