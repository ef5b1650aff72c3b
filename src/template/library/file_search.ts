import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Arguments } from './arguments.js';
import { reasonOf } from './reason.js';

/** Where relative paths are looked for, as in Ansible: in the role that is at work, then beside the playbook; first in `kind`. */
export function folders(args: Arguments, kind: 'files' | 'templates' = 'files'): readonly string[] {
  const role = args.scope.get('role_path');
  const bases = [...(typeof role === 'string' ? [role] : []), playbookFolder(args)];
  return bases.flatMap((base) => [resolve(base, kind), base]);
}

/** The playbook's; of what has none, where evenkeel was started. */
export function playbookFolder(args: Arguments): string {
  const folder = args.scope.get('playbook_dir');
  return typeof folder === 'string' ? folder : process.cwd();
}

export function findFile(args: Arguments, path: string, kind?: 'files' | 'templates'): string {
  const found = folders(args, kind)
    .map((folder) => resolve(folder, path))
    .find(isFile);
  if (found !== undefined) return found;
  throw args.error(`there is no file "${path}"`, `looked in ${folders(args, kind).join(', ')}`);
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

export function readText(args: Arguments, file: string): string {
  const text = attempt(args, file);
  if (!text.startsWith('$ANSIBLE_VAULT;')) return text;
  throw args.error(`"${file}" is encrypted`, 'keep what is secret in a vars_files file, which is decrypted');
}

function attempt(args: Arguments, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw args.error(`"${file}" cannot be read: ${reasonOf(error)}`);
  }
}
