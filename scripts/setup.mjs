// Makes a fresh clone ready: installs what package-lock.json names if it is not there, and builds if a source is newer than the build.
// Run by `npm start`, `npm test`, `npm link` and `npm pack`, so that each is one command on a machine with only Node and npm.
// usage: node scripts/setup.mjs [--types]   also the declarations, which only the package needs and which take most of a build
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const at = (...parts) => path.join(root, ...parts);
const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);
const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(at(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modified(path.join(entry.parentPath, entry.name))),
  );

// npm writes this file last, so an install that was cut off is repeated.
if (modified(at('node_modules/.package-lock.json')) < modified(at('package-lock.json'))) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
}
const sources = Math.max(newest('src'), newest('modules'), newest('scripts'), modified(at('package.json')));
const isOld = (file) => modified(at(file)) < sources;
const build = (...options) =>
  execFileSync(process.execPath, [at('scripts/build.mjs'), ...options], { cwd: root, stdio: 'inherit' });
if (isOld('dist/main.js')) build();
if (process.argv.includes('--types') && isOld('dist/types/src/index.d.ts')) build('--types');
