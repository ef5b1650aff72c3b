// Compiles the sources and tests to JavaScript, one file for each: `npm test` loads these. With a loader of TypeScript, each of its processes
// would spend twice as long to load the 2,000 files.
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { COMPILED } from './test_files.cjs';

const root = path.resolve(import.meta.dirname, '..');
const folder = `${COMPILED}.new`;

rmSync(folder, { recursive: true, force: true });
const names = ['src', 'modules', 'test'].flatMap((top) =>
  readdirSync(path.join(root, top), { recursive: true }).map((name) => path.join(top, name)),
);
await Promise.all(names.filter((name) => /\.tsx?$/.test(name)).map(compile));
rmSync(COMPILED, { recursive: true, force: true });
renameSync(folder, COMPILED);

async function compile(name) {
  const file = path.join(root, name);
  // What a file finds beside itself is beside its source.
  const place = { url: pathToFileURL(file).href, filename: file, dirname: path.dirname(file) };
  const define = Object.entries(place).map(([key, value]) => [`import.meta.${key}`, JSON.stringify(value)]);
  const { code, map } = await transform(readFileSync(file, 'utf8'), {
    loader: name.endsWith('.tsx') ? 'tsx' : 'ts',
    target: 'node20',
    sourcefile: file,
    sourcemap: 'external',
    sourcesContent: false,
    define: Object.fromEntries(define),
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, jsx: 'react-jsx', jsxImportSource: 'preact' } },
  });
  const compiled = path.join(folder, name.replace(/\.tsx?$/, '.js'));
  mkdirSync(path.dirname(compiled), { recursive: true });
  // Read only by a measured coverage, and for the stack of a test that fails.
  writeFileSync(compiled, `${code}//# sourceMappingURL=${path.basename(compiled)}.map\n`);
  writeFileSync(`${compiled}.map`, map);
}
