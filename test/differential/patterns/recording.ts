import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inFolder } from '../../rig/folder.js';
import { ansibleSelected, type Question, type Theirs } from './answers.js';
import { INVENTORIES, LIMIT_FILES } from './inventories.js';
import { ASKS, titleOf } from './table.js';

/** What ansible-core 2.14 selects, by title. */
export type Recording = Readonly<Record<string, Theirs>>;

const titles = ASKS.map(titleOf);

const FILE = path.join(import.meta.dirname, 'recorded.json');

export async function recorded(): Promise<Recording> {
  return JSON.parse(await readFile(FILE, 'utf8')) as Recording;
}

/** What the installed Ansible selects; written down if nothing is, to be read by a person before it is committed. */
export async function asked(): Promise<Recording> {
  const found = await withQuestions((questions) => Promise.resolve(ansibleSelected(questions)));
  const recording = Object.fromEntries(found.map((one, index) => [titles[index] ?? '', one]));
  if (!existsSync(FILE)) await writeFile(FILE, `${JSON.stringify(recording, undefined, 2)}\n`);
  return recording;
}

/** The questions of the table, in its order, over inventories that are there as long as they are used. */
export function withQuestions<T>(use: (questions: readonly Question[]) => Promise<T>): Promise<T> {
  const files = { ...INVENTORIES.tree.files, ...INVENTORIES.flat.files, ...LIMIT_FILES };
  return inFolder(files, (folder) =>
    use(
      ASKS.map(({ inventory, hosts, limit = null }) => {
        return { folder, inventory: INVENTORIES[inventory].file, hosts, limit };
      }),
    ),
  );
}
