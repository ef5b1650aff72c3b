// Builds dist/: the bundled command and library (shared chunks, each command loaded when it is asked for) and the types.
// Bundled, because reading hundreds of small files is most of a short command's time (see bench/README.md).
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/main.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: false,
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: true,
  external: ['jiti'],
  define: { EVENKEEL_VERSION: JSON.stringify(version) },
  // CommonJS dependencies inside an ES module bundle still call require for Node's own modules.
  banner: { js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);" },
  logLevel: 'warning',
});
chmodSync(path.join(root, 'dist/main.js'), 0o755);
if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
}
