import { on } from 'node:events';
import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Resolves once the only run of a project is about to write: before, the first Ctrl-C ends its task. */
export async function writeBegins(directory: string): Promise<void> {
  const runs = path.join(directory, '.evenkeel/runs');
  const [run = ''] = await readdir(runs);
  const journal = path.join(runs, run, 'journal.jsonl');
  const watcher = watch(journal);
  const changes = on(watcher, 'change');
  while (!(await readFile(journal, 'utf8')).includes('write-intended')) await changes.next();
  watcher.close();
}
