import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readColumns, writeColumn, type Columns } from '../../rig/columns.js';
import { inFolder } from '../../rig/folder.js';
import { ansibleSelected, certain, comparable, type Question, type Theirs } from './answers.js';
import { INVENTORIES, LIMIT_FILES } from './inventories.js';
import { ASKS, titleOf } from './table.js';

/** What Ansible selects, by title. */
export type Recording = Readonly<Record<string, Theirs>>;

const titles = ASKS.map(titleOf);

const FILE = path.join(import.meta.dirname, 'recorded.json');

export function recorded(): Promise<Columns<Recording>> {
  return readColumns(FILE);
}

export async function record(): Promise<void> {
  const isAlike = (one: unknown, other: unknown): boolean => isLike(one as Theirs, other as Theirs);
  await writeColumn(FILE, await asked(), { isAlike });
}

/** Whether two answers agree, apart from random parts. */
export function isLike(one: Theirs, other: Theirs): boolean {
  return isDeepStrictEqual(comparable(certain(one, other)), comparable(certain(other, one)));
}

/** What the installed Ansible selects. */
export async function asked(): Promise<Recording> {
  const found = await withQuestions((questions) => Promise.resolve(ansibleSelected(questions)));
  return Object.fromEntries(found.map((one, index) => [titles[index] ?? '', one]));
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
