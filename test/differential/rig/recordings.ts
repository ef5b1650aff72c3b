import path from 'node:path';
import { readColumns, writeColumn, type Columns } from '../../rig/columns.js';
import { followed } from '../older.js';
import type { Answer } from './answer.js';
import type { CaseFile } from './cases.js';

/** Ansible's answers by the case's title. */
export type Recording = Readonly<Record<string, Answer>>;

const FOLDER = path.resolve(import.meta.dirname, '../recorded');

function fileOf(name: string): string {
  return path.join(FOLDER, `${name}.json`);
}

export function readRecordings(name: string): Promise<Columns<Recording>> {
  return readColumns(fileOf(name));
}

/** The expected answers: those of the newest Ansible, except for the cases in `older.ts`. */
export async function readRecording(name: string): Promise<Recording> {
  return followed(name, await readRecordings(name));
}

export function writeRecording(name: string, recording: Recording): Promise<void> {
  return writeColumn(fileOf(name), recording);
}

export function recordingOf({ cases }: CaseFile, answers: readonly Answer[]): Recording {
  const answered = answers.map((answer, index) => [cases[index]?.title ?? '', answer] as const);
  return Object.fromEntries(answered);
}
