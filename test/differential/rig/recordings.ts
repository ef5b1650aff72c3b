import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Answer } from './answer.js';
import type { CaseFile } from './cases.js';

/** Ansible's answers by the case's title. */
export type Recording = Readonly<Record<string, Answer>>;

const FOLDER = path.resolve(import.meta.dirname, '../recorded');

function fileOf(name: string): string {
  return path.join(FOLDER, `${name}.json`);
}

export async function readRecording(name: string): Promise<Recording> {
  return JSON.parse(await readFile(fileOf(name), 'utf8')) as Recording;
}

export async function writeRecording(name: string, recording: Recording): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(fileOf(name), `${JSON.stringify(recording, undefined, 2)}\n`);
}

export function recordingOf({ cases }: CaseFile, answers: readonly Answer[]): Recording {
  const answered = answers.map((answer, index) => [cases[index]?.title ?? '', answer] as const);
  return Object.fromEntries(answered);
}
