// Compiles the sources and tests to JavaScript, one file for each: `npm test` loads these. With a loader of TypeScript, each of its processes
// would spend twice as long to load the 2,000 files.
import { readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { COMPILED } from './test_files.cjs';

const root = path.resolve(import.meta.dirname, '..');
const folder = `${COMPILED}.new`;

rmSync(folder, { recursive: true, force: true });
const names = ['src', 'modules', 'test'].flatMap((top) =>
  readdirSync(path.join(root, top), { recursive: true }).map((name) => path.join(top, name)),
);
const sources = names.filter((name) => /\.tsx?$/.test(name));
const [placed, others] = [true, false].map((wanted) => sources.filter((name) => knowsItsPlace(name) === wanted));
// One call for all but a few: a call for each takes four times as long.
await Promise.all([compile(others), ...placed.map((name) => compile([name], placeOf(path.join(root, name))))]);
rmSync(COMPILED, { recursive: true, force: true });
renameSync(folder, COMPILED);

function knowsItsPlace(name) {
  return readFileSync(path.join(root, name), 'utf8').includes('import.meta.');
}

/** What a file finds beside itself is beside its source. */
function placeOf(file) {
  const place = { url: pathToFileURL(file).href, filename: file, dirname: path.dirname(file) };
  return Object.fromEntries(Object.entries(place).map(([key, value]) => [`import.meta.${key}`, JSON.stringify(value)]));
}

function compile(entryPoints, define = {}) {
  return build({
    absWorkingDir: root,
    entryPoints,
    outbase: root,
    outdir: folder,
    target: 'node20',
    // Read only by a measured coverage, and for the stack of a test that fails.
    sourcemap: 'linked',
    sourcesContent: false,
    define,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, jsx: 'react-jsx', jsxImportSource: 'preact' } },
    logLevel: 'warning',
  });
}
