import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ansibleAnswers, type Answer } from './answers.js';
import { readCases } from './cases.js';

/** What ansible-inventory 2.14 prints, by the case's title. */
export type Recording = Readonly<Record<string, Answer>>;

const FILE = path.join(import.meta.dirname, 'recorded.json');

export async function recorded(): Promise<Recording> {
  return JSON.parse(await readFile(FILE, 'utf8')) as Recording;
}

/** What the installed one prints; written down if nothing is, to be read by a person before it is committed. */
export async function asked(): Promise<Recording> {
  const cases = await readCases();
  const answers = await ansibleAnswers(cases);
  const recording = Object.fromEntries(answers.map((answer, index) => [cases[index]?.title ?? '', answer]));
  if (!existsSync(FILE)) await writeFile(FILE, `${JSON.stringify(recording, undefined, 2)}\n`);
  return recording;
}
