import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Column } from '../rig/ansible.js';
import { columnFile } from '../rig/columns.js';

export const VIEWS = {
  'list.json': ['--list'],
  'list.yml': ['--list', '-y'],
  'graph.txt': ['--graph', '--vars'],
} as const;

export type View = keyof typeof VIEWS;

const FOLDER = path.join(import.meta.dirname, 'expected');

/** What ansible-inventory printed for a sample. */
export function expected(sample: string, view: View, column: Column | 'ours'): Promise<string> {
  return readFile(columnFile(fileOf(sample, view), column), 'utf8');
}

export function isRecorded(sample: string, view: View): boolean {
  return existsSync(fileOf(sample, view));
}

export async function record(sample: string, view: View, text: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(fileOf(sample, view), text);
}

function fileOf(sample: string, view: View): string {
  return path.join(FOLDER, `${sample}.${view}`);
}
