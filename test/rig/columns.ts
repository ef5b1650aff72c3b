import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../../src/core/model/values/json.js';
import { jsonText } from '../../src/core/model/values/value.js';
import { COLUMN, type Column } from './ansible.js';

/** The answers of ansible-core 2.14 and of the newest version. */
export type Columns<T> = Readonly<Record<Column, T>>;

/** Since 2.19 ansible-inventory says which rules it would read its own output by; we do not. */
export const PROFILE = /,\s+"profile": "inventory_legacy"/;

type Answers = Readonly<Record<string, unknown>>;
type IsAlike = (one: unknown, other: unknown) => boolean;

/**
 * Reads a recording of 2.14, and the one beside it of the newest, which contains only different answers.
 *
 * @param depth how many objects are around an answer: titles, or sections of titles
 */
export async function readColumns<T extends object>(file: string, depth = 1): Promise<Columns<T>> {
  const reference = await read(file);
  const newest = merged(reference, await read(newestOf(file)), depth);
  return { reference: reference as T, newest: newest as T };
}

/** Records what the Ansible of this process answered: for the newest, only what it answers unlike 2.14. */
export async function writeColumn(
  file: string,
  answers: object,
  { depth = 1, isAlike = isDeepStrictEqual }: { readonly depth?: number; readonly isAlike?: IsAlike } = {},
): Promise<void> {
  const found = { ...answers };
  if (COLUMN === 'reference') return write(file, found);
  const some = unlike(await read(file), found, depth, isAlike);
  return Object.keys(some).length === 0 ? rm(newestOf(file), { force: true }) : write(newestOf(file), some);
}

/** The files of a recorded text. The newest Ansible has one only if it differs, and Evenkeel only if it differs from the newest. */
export function columnFile(file: string, column: Column | 'ours'): string {
  const files = { reference: [], newest: [`${file}.newest`], ours: [`${file}.ours`, `${file}.newest`] }[column];
  return files.find((one) => existsSync(one)) ?? file;
}

function newestOf(file: string): string {
  return file.replace(/\.json$/, '.newest.json');
}

async function read(file: string): Promise<Answers> {
  return existsSync(file) ? (parseJson(await readFile(file, 'utf8')) as Answers) : {};
}

function write(file: string, answers: Answers): Promise<void> {
  return writeFile(file, `${jsonText(answers, undefined, 2)}\n`);
}

function merged(reference: Answers, newest: Answers, depth: number): Answers {
  if (depth === 1) return { ...reference, ...newest };
  const sections = Object.entries(reference).map(([name, section]) => {
    const other = newest[name] ?? section;
    return [name, Array.isArray(section) ? other : merged(section as Answers, other as Answers, depth - 1)] as const;
  });
  return Object.fromEntries(sections);
}

function unlike(reference: Answers, answers: Answers, depth: number, isAlike: IsAlike): Answers {
  const entries = Object.entries(answers).flatMap(([name, answer]) => {
    const then = reference[name];
    if (depth === 1 || Array.isArray(then)) return isAlike(then, answer) ? [] : [[name, answer] as const];
    const section = unlike(then as Answers, answer as Answers, depth - 1, isAlike);
    return Object.keys(section).length === 0 ? [] : [[name, section] as const];
  });
  return Object.fromEntries(entries);
}
