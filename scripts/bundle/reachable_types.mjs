import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Deletes the declarations that no entry leads to: the compiler writes one for every file that it reads. */
export function keepReachableTypes(folder, entries) {
  const reached = new Set(entries.map((entry) => path.join(folder, entry)));
  for (const file of reached)
    for (const name of ts
      .preProcessFile(readFileSync(file, 'utf8'), true, true)
      .importedFiles.map((one) => one.fileName))
      if (name.startsWith('.')) reached.add(declarationOf(path.resolve(path.dirname(file), name)));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !reached.has(file)) rmSync(file);
  }
  removeEmpty(folder);
}

function declarationOf(file) {
  const found = [file.replace(/\.js$/, '.d.ts'), `${file}.d.ts`].find((one) => existsSync(one));
  if (found === undefined) throw new Error(`a declaration imports ${file}, which has none`);
  return found;
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(path.join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
