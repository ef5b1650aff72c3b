import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyFailed, isGone, fileTypeAt, makeFolder } from '../core/files/paths.js';
import { draftName, linkedFile } from '../core/files/replace_file.js';
import { CAPTURED, COMMENT, PLAYBOOK, SECRETS_FILE, type CaptureFiles } from './capture_files.js';

export function isFileName(name: string): boolean {
  return !/[/\\\0]/.test(name) && name !== '.' && name !== '..';
}

/** Folders of a capture that are not those of a tenant. */
const VARIABLE_FOLDERS: readonly string[] = ['group_vars', 'host_vars'];

/** Why the folder must not be written to; undefined if it may. */
export async function checkTargetFolder(
  folder: string,
  force: boolean,
): Promise<{ readonly message: string; readonly hint?: string } | undefined> {
  try {
    if ((await namesWithoutDrafts(folder)).length === 0) return undefined;
    if (force) return await foreignPlaybook(folder);
    return {
      message: 'the folder is not empty; nothing was contacted',
      hint: 'name another folder, or pass --force to replace an earlier capture in it',
    };
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    return { message: isFileError(error, 'ENOTDIR') ? 'it is not a folder' : whyFailed(error) };
  }
}

/** Of a capture that is at work in the folder, or was killed. */
const DRAFT = /^\.capture\.yml\.[0-9a-f]{12}$/;
/** An older draft is not of a capture at work: it is written within seconds, after all has been read. */
const OLD_MS = 3_600_000;

async function namesWithoutDrafts(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => !DRAFT.test(name));
}

/** Must not replace a playbook of this name that the user wrote. */
async function foreignPlaybook(folder: string): Promise<{ readonly message: string } | undefined> {
  for (const name of [PLAYBOOK, ...(await namesWithoutDrafts(folder)).map((one) => `${one}/${PLAYBOOK}`)])
    if ((await playbookAuthor(path.join(folder, name))) === 'another')
      return { message: `${name} in this folder is not from a capture, so --force does not replace it` };
  return undefined;
}

/** Who wrote the file. Undefined: there is none. */
async function playbookAuthor(file: string): Promise<'capture' | 'another' | undefined> {
  try {
    return (await readFile(file, 'utf8')).startsWith(`# ${COMMENT}`) ? 'capture' : 'another';
  } catch (error) {
    if (isFileError(error, 'ENOENT') || isFileError(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/**
 * Writes a new folder all at once. In a folder that exists, replaces the files of an earlier capture one by one: also an
 * empty folder may be mounted, or the working directory. Objects may be confidential, so only the owner can read the files.
 * Never replaces secrets, which the user fills in.
 *
 * @returns why it failed
 */
export async function writeFiles(named: string, files: CaptureFiles): Promise<string | undefined> {
  try {
    const folder = await linkedFile(named);
    const hidden = await hiddenFile(folder, files);
    if (hidden !== undefined) return `a folder would be read in place of ${hidden}: move that file into the folder`;
    await writeFolder(folder, files);
    return undefined;
  } catch (error) {
    return whyFailed(error);
  }
}

async function writeFolder(folder: string, files: CaptureFiles): Promise<void> {
  const isNew = isGone(folder);
  // A mounted folder is on another file system than the one around it.
  const draft = draftName(isNew ? folder : path.join(folder, PLAYBOOK));
  try {
    await makeFolder(path.dirname(draft));
    await writeAll(draft, files);
    if (isNew) await rename(draft, folder);
    else await replaceIn(folder, draft, files);
  } finally {
    for (const one of [draft, ...(await oldDrafts(folder))])
      await rm(one, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function oldDrafts(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder).catch(() => []);
  const drafts = found.filter((name) => DRAFT.test(name)).map((name) => path.join(folder, name));
  const written = await Promise.all(drafts.map((draft) => stat(draft).catch(() => undefined)));
  return drafts.filter((_, at) => Date.now() - (written[at]?.mtimeMs ?? Infinity) > OLD_MS);
}

async function writeAll(folder: string, files: CaptureFiles): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const folders = new Set([...files.keys()].map((name) => path.dirname(path.join(folder, name))));
  for (const one of folders) await makeFolder(one);
  for (const [name, text] of files) await writeFile(path.join(folder, name), text, { mode: 0o600, flag: 'wx' });
}

/** A file of the user beside a folder with captured variables: of `all.yml` and `all/`, only the folder is read. */
async function hiddenFile(folder: string, files: CaptureFiles): Promise<string | undefined> {
  const own = new Set([...files.keys()].map((name) => path.dirname(name)));
  for (const place of new Set([...own].map((name) => path.dirname(name)))) {
    if (!VARIABLE_FOLDERS.includes(path.basename(place))) continue;
    const found = await readdir(path.join(folder, place)).catch(() => []);
    const names = found
      .map((name) => `${place}/${name}`)
      .filter((name) => fileTypeAt(path.join(folder, name)) === 'file');
    const hidden = names.find((name) => own.has(name.replace(/\.(?:ya?ml|json)$/, '')));
    if (hidden !== undefined) return hidden;
  }
  return undefined;
}

async function replaceIn(folder: string, from: string, files: CaptureFiles): Promise<void> {
  const earlier = await capturedIn(folder);
  for (const name of files.keys()) {
    const file = path.join(folder, name);
    if (name.endsWith(SECRETS_FILE) && (await stat(file).catch(() => undefined)) !== undefined) continue;
    await makeFolder(path.dirname(file));
    await rename(path.join(from, name), file);
  }
  for (const name of earlier) if (!files.has(name)) await rm(path.join(folder, name), { force: true });
}

/**
 * The files that an earlier capture wrote, including those for the tenants that its playbook imports: another folder may be a capture of its own.
 * There need not be a file at each path.
 */
async function capturedIn(folder: string): Promise<readonly string[]> {
  const capturedBelow = async (kind: string): Promise<readonly string[]> => {
    const found = await readdir(path.join(folder, kind)).catch(() => []);
    const names = found
      .map((name) => `${kind}/${name}`)
      .filter((name) => fileTypeAt(path.join(folder, name)) === 'folder');
    return names.map((name) => `${name}/${CAPTURED}`);
  };
  const playbook = await readFile(path.join(folder, PLAYBOOK), 'utf8').catch(() => '');
  const imported = playbook.matchAll(/^- import_playbook: "?([^"/\n]+)\/capture\.yml"?$/gm);
  const tenants: string[] = [];
  for (const [, name = ''] of imported)
    if (isFileName(name) && (await playbookAuthor(path.join(folder, name, PLAYBOOK))) === 'capture')
      tenants.push(`${name}/`);
  const folders = ['', ...tenants].flatMap((tenant) => VARIABLE_FOLDERS.map((kind) => tenant + kind));
  const found = await Promise.all(folders.map(capturedBelow));
  return [...found.flat(), ...tenants.map((tenant) => tenant + PLAYBOOK)];
}
