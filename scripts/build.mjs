// Builds dist/: the bundled command and library (shared chunks, each command loaded when it is asked for).
// Bundled, because reading hundreds of small files is most of a short command's time (see bench/README.md).
// usage: node scripts/build.mjs [--types] [--to FOLDER] [--instead FILE=OTHER …]
//   --types     only adds the declarations
//   --instead   for the bench: builds that do without a part
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { toCommonJs } from './bundle/commonjs.mjs';
import { instead } from './bundle/instead.mjs';
import { laterPackages } from './bundle/later_packages.mjs';
import { layers } from './bundle/layers.mjs';
import { Bundled } from './bundle/licences.mjs';
import { keepReachableTypes } from './bundle/reachable_types.mjs';
import { slimUndici } from './bundle/slim_undici.mjs';
import { validatorSources } from './bundle/validators.mjs';
import { wholeTypebox } from './bundle/whole_typebox.mjs';

const { values: given } = parseArgs({
  options: {
    types: { type: 'boolean', default: false },
    to: { type: 'string', default: 'dist' },
    instead: { type: 'string', multiple: true, default: [] },
  },
});
const root = path.resolve(import.meta.dirname, '..');
// What the build starts keeps no compiled code.
process.env.NODE_DISABLE_COMPILE_CACHE = '1';
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const target = path.resolve(root, given.to);
if (given.types) {
  writeTypes(path.join(target, 'types'));
  process.exit();
}
// Built beside the old one and renamed when it is complete: a failed build leaves a working command.
const fresh = `${target}.new`;
rmSync(fresh, { recursive: true, force: true });
const shape = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // An unexpected error shows positions in the sources (src/program/process.ts); their text does not ship.
  sourcemap: 'linked',
  sourcesContent: false,
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
  metafile: true,
};
// CommonJS dependencies inside an ES module bundle still call require for Node's own modules.
const banner = {
  js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
};
const chunks = path.join(fresh, 'chunks');
const bundled = new Bundled();
const { metafile } = await build({
  ...shape,
  entryPoints: { main: 'src/main.ts', index: 'src/index.ts', 'testing/index': 'src/testing/index.ts' },
  outdir: fresh,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  external: ['jiti'],
  plugins: [
    instead(root, given.instead),
    slimUndici,
    wholeTypebox(root),
    laterPackages(async (name, file) => {
      const later = await build({
        ...shape,
        stdin: { contents: `module.exports = require('${name}');`, resolveDir: root },
        format: 'cjs',
        sourcemap: false,
        outfile: path.join(chunks, file),
      });
      bundled.add(later.metafile);
    }),
    layers(root, await validatorSources(root)),
  ],
  define: { EVENKEEL_VERSION: JSON.stringify(version) },
  banner,
});
bundled.add(metafile);
const written = Object.keys(metafile.outputs).filter((name) => name.endsWith('.js'));
for (const file of written.map((name) => path.join(root, name))) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(banner.js, ''));
  toCommonJs(file);
}
writeFileSync(path.join(fresh, 'package.json'), '{"type":"commonjs"}\n');
// What only a thread of its own runs is no part of the start.
await build({
  ...shape,
  entryPoints: { web_worker: 'src/core/programs/web_worker.mjs', shell_worker: 'src/core/programs/shell_worker.mjs' },
  outdir: chunks,
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  banner,
});
// The script and the styles of reports, which contain them whole.
const page = await build({
  ...shape,
  entryPoints: { page: 'src/web/main.tsx', 'page-styles': 'src/web/page.css' },
  entryNames: '[name]',
  outdir: chunks,
  platform: 'browser',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
});
bundled.add(page.metafile);
writeFileSync(path.join(fresh, 'LICENSES.txt'), bundled.text(root));
writeFileSync(path.join(fresh, 'sbom.cdx.json'), bundled.materials(root));
copyFileSync(path.join(root, 'src/kinds/kinds.jsonl'), path.join(chunks, 'kinds.jsonl'));
cpSync(path.join(root, 'src/project/role/shipped'), path.join(chunks, 'shipped'), { recursive: true });
cpSync(path.join(root, 'src/core/programs/python'), path.join(chunks, 'python'), { recursive: true });
chmodSync(path.join(fresh, 'main.js'), 0o755);
writeFileSync(path.join(fresh, 'help.txt'), execFileSync(process.execPath, [path.join(fresh, 'main.js'), '--help']));
execFileSync(process.execPath, ['--import', 'tsx', path.join(root, 'scripts/man.mjs'), path.join(fresh, 'man')], {
  cwd: root,
  stdio: 'inherit',
});
rmSync(target, { recursive: true, force: true });
renameSync(fresh, target);

/** Whole from the first moment: a build that was cut off is not taken for one. */
function writeTypes(folder) {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const compiler = path.join(root, 'node_modules/@typescript/native/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--checkers', '1', '--outDir', fresh], {
    cwd: root,
    stdio: 'inherit',
  });
  keepReachableTypes(fresh, ['src/index.d.ts', 'src/testing/index.d.ts']);
  // As the sources, and typebox, which they import.
  writeFileSync(path.join(fresh, 'package.json'), '{"type":"module"}\n');
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}
