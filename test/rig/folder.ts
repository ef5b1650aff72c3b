import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Files by relative name. */
export type Files = Readonly<Record<string, string>>;

/** A new folder with these files. */
export async function makeFolder(files: Files): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'evenkeel-')));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

/** Writes files into a new folder, passes the folder on, and removes it afterwards. */
export async function inFolder<T>(files: Files, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeFolder(files);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** With another home folder in this process. */
export async function atHome<T>(home: string, use: () => Promise<T> | T): Promise<T> {
  const { HOME } = process.env;
  process.env['HOME'] = home;
  try {
    return await use();
  } finally {
    process.env['HOME'] = HOME;
  }
}
