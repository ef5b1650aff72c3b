/** Writes the files that a page shows: `npm run page-files -- PAGE PREFIX FOLDER`. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { filesOnPage } from '../rig/page.js';

const [page = '', prefix = '', folder = ''] = process.argv.slice(2);
for (const [name, text] of await filesOnPage(page)) {
  if (!name.startsWith(prefix)) continue;
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
