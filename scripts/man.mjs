// Writes the manual pages into a folder, from the declarations of the commands. Run by the build of the package.
// usage: node --import tsx scripts/man.mjs FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { manPages } from '../src/program/man_page.ts';
import { wholeProgram } from '../src/program/program.ts';

const folder = process.argv[2] ?? 'dist/man';
const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'));
mkdirSync(folder, { recursive: true });
const { stdout, stderr } = process;
const program = wholeProgram({ version, stdout, stderr, argv: [], env: {}, cwd: '.', secrets: undefined });
const date = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000) * 1000).toISOString().slice(0, 10);
for (const [name, text] of manPages(program, { version, date })) writeFileSync(path.join(folder, name), text);
