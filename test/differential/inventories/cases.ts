import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import type { Files } from '../../rig/folder.js';

/** An inventory that both tools show. */
export interface Case {
  readonly title: string;
  readonly files: Files;
  /** What `-i` says; absent: the first of the files. */
  readonly source?: string | readonly string[];
  /** Options that both tools have. */
  readonly arguments?: readonly string[];
  /** A controller whose variables are shown. */
  readonly host?: string;
  /** Where the graph starts. */
  readonly group?: string;
  /** What is ours on purpose: what we print in the place of what Ansible does; a line of which nothing is left is not there. */
  readonly differs?: { readonly because: string; readonly instead: Readonly<Record<string, string>> };
}

export async function readCases(): Promise<readonly Case[]> {
  return parse(await readFile(path.join(import.meta.dirname, 'cases.yml'), 'utf8')) as readonly Case[];
}

/** How each case is shown: the arguments of `ansible-inventory`, and of ours. */
export function viewsOf(one: Case): readonly (readonly string[])[] {
  const { files, source = Object.keys(files)[0] ?? '', arguments: options = [], host, group } = one;
  const given = [source].flat().flatMap((text) => ['-i', text]);
  const start = group === undefined ? [] : [group];
  const views = [['--list'], ['--list', '-y'], ['--graph', ...start], ['--graph', ...start, '--vars']];
  if (host !== undefined) views.push(['--host', host]);
  return views.map((view) => [...given, ...options, ...view]);
}
