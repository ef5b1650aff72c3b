import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Where a file of variables may be: in `vars` of each folder, then in the folder itself. */
export function placesOf(folders: readonly string[], file: string): readonly string[] {
  if (path.isAbsolute(file)) return [file];
  const saysVars = file.split('/')[0] === 'vars';
  const places = folders.flatMap((folder) => [
    ...(saysVars ? [] : [path.join(folder, 'vars', file)]),
    path.join(folder, file),
  ]);
  return [...new Set(places)];
}

export async function firstThatExists(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if (await isFile(file)) return file;
  return undefined;
}

function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}
