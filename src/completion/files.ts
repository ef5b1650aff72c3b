import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Workspace } from '../launch/request/invocation.js';

/** A word that may follow. */
export interface Candidate {
  readonly word: string;
  /** A few words for shells that show them. */
  readonly about?: string | undefined;
  /** Whether more may follow in the same word: a folder, `--option=`. */
  readonly open?: boolean;
}

type AcceptsName = (name: string) => boolean;

const ANY: AcceptsName = () => true;

/** Files and folders whose path begins as typed. Hidden ones only if their dot is typed. */
export async function filesAt(
  typed: string,
  workspace: Workspace,
  wanted: AcceptsName = ANY,
): Promise<readonly Candidate[]> {
  const at = typed.lastIndexOf('/') + 1;
  const [folder, start] = [typed.slice(0, at), typed.slice(at)];
  const entries = await readEntries(absolute(folder, workspace));
  return entries
    .filter(({ name }) => name.startsWith(start) && (!name.startsWith('.') || start.startsWith('.')))
    .filter(({ name, isFolder }) => isFolder || wanted(name))
    .map(({ name, isFolder }) => ({ word: `${folder}${name}${isFolder ? '/' : ''}`, open: isFolder }));
}

function absolute(folder: string, { cwd, env }: Workspace): string {
  return folder.startsWith('~/') ? path.join(env['HOME'] ?? '', folder.slice(2)) : path.resolve(cwd, folder);
}

async function readEntries(folder: string): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return Promise.all(
    entries.map(async (entry) => ({
      name: entry.name,
      isFolder: entry.isSymbolicLink() ? await leadsToFolder(path.join(folder, entry.name)) : entry.isDirectory(),
    })),
  );
}

async function leadsToFolder(link: string): Promise<boolean> {
  return (await stat(link).catch(() => undefined))?.isDirectory() === true;
}

const PLAYBOOKS = 'playbooks/';

/** YAML files; those in `playbooks/` before that folder is typed. */
export async function playbooksAt(typed: string, workspace: Workspace): Promise<readonly Candidate[]> {
  const isPlaybook: AcceptsName = (name) => /\.ya?ml$/.test(name) && !/^evenkeel\.ya?ml$/.test(name);
  const here = await filesAt(typed, workspace, isPlaybook);
  if (!PLAYBOOKS.startsWith(typed)) return here;
  const listed = (await filesAt(PLAYBOOKS, workspace, isPlaybook)).filter(({ open }) => open !== true);
  return [...listed, ...here.filter(({ word }) => listed.length === 0 || word !== PLAYBOOKS)];
}

export function foldersAt(typed: string, workspace: Workspace): Promise<readonly Candidate[]> {
  return filesAt(typed, workspace, () => false);
}
