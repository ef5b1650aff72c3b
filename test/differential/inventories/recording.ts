import path from 'node:path';
import { readColumns, writeColumn, type Columns } from '../../rig/columns.js';
import { ansibleAnswers, type Answer } from './answers.js';
import { readCases } from './cases.js';

/** What ansible-inventory prints, by the case's title. */
export type Recording = Readonly<Record<string, Answer>>;

const FILE = path.join(import.meta.dirname, 'recorded.json');

export function recorded(): Promise<Columns<Recording>> {
  return readColumns(FILE, 2);
}

export async function record(): Promise<void> {
  await writeColumn(FILE, await asked(), { depth: 2 });
}

/** What the installed one prints. */
export async function asked(): Promise<Recording> {
  const cases = await readCases();
  const answers = await ansibleAnswers(cases);
  return Object.fromEntries(answers.map((answer, index) => [cases[index]?.title ?? '', answer]));
}
