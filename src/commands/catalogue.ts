import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { builtinModules } from '../../modules/index.js';
import type { Diagnostics } from '../model/diagnostic.js';
import type { Catalogue } from '../module/catalogue.js';
import type { Module } from '../module/contract.js';

/**
 * The built-in modules and those of the user: every file of the given folders (or of the `modules` folder of an npm package).
 * A user's module may not take a built-in's name: a playbook must mean the same on every machine.
 */
export function openCatalogue(folders: readonly string[], cwd: string, diagnostics: Diagnostics): Catalogue {
  const files = new Map<string, string>();
  for (const folder of folders) {
    const found = moduleFolder(folder, cwd);
    if (found === undefined) diagnostics.error(`module path ${folder} is neither a folder nor an installed package`);
    else addFolder(found, files, diagnostics);
  }
  const loaded = new Map<string, Promise<Module | undefined>>();
  return {
    names: [...Object.keys(builtinModules), ...files.keys()].sort(),
    load: (name) => {
      const known = loaded.get(name) ?? loadModule(name, files);
      loaded.set(name, known);
      return known;
    },
  };
}

/** The `modules` folder beside a playbook or project file, unless it is the one this program was built from. */
export function modulesBeside(directory: string): readonly string[] {
  const folder = path.join(directory, 'modules');
  return existsSync(folder) && path.join(packageRoot(), 'modules') !== path.resolve(folder) ? [folder] : [];
}

function addFolder(folder: string, files: Map<string, string>, diagnostics: Diagnostics): void {
  for (const file of readdirSync(folder)) {
    const { name, ext } = path.parse(file);
    if (!['.ts', '.mts', '.js', '.mjs'].includes(ext) || name.endsWith('.d') || name.startsWith('_')) continue;
    if (Object.hasOwn(builtinModules, name)) {
      diagnostics.error(
        `${path.join(folder, file)} has the name of a built-in module`,
        undefined,
        'give it another name',
      );
    } else files.set(name, path.join(folder, file));
  }
}

function moduleFolder(folder: string, cwd: string): string | undefined {
  const direct = path.resolve(cwd, folder);
  if (existsSync(direct) && statSync(direct).isDirectory()) return direct;
  try {
    const manifest = createRequire(path.join(cwd, 'noop.js')).resolve(`${folder}/package.json`);
    const inPackage = path.join(path.dirname(manifest), 'modules');
    return existsSync(inPackage) ? inPackage : undefined;
  } catch {
    return undefined;
  }
}

async function loadModule(name: string, files: ReadonlyMap<string, string>): Promise<Module | undefined> {
  const builtin = Object.hasOwn(builtinModules, name) ? builtinModules[name] : undefined;
  if (builtin !== undefined) return (await builtin()).default;
  const file = files.get(name);
  return file === undefined ? undefined : loadUserModule(name, file);
}

/** TypeScript or JavaScript; `evenkeel` in its imports means this very program, wherever the file lies. */
async function loadUserModule(name: string, file: string): Promise<Module> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, { alias: { evenkeel: publicEntry() }, fsCache: false, moduleCache: true });
  const module: unknown = await jiti.import(file, { default: true });
  if (!isModule(module))
    throw new Error(`${file} does not export a module: export default defineResource({ … }) or defineAction({ … })`);
  if (module.name !== name)
    throw new Error(`${file} calls itself "${module.name}"; a module's file has the module's name`);
  return module;
}

function isModule(value: unknown): value is Module {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    (value.type === 'resource' || value.type === 'action') &&
    'name' in value &&
    typeof value.name === 'string' &&
    'args' in value
  );
}

function publicEntry(): string {
  const built = path.join(packageRoot(), 'dist/index.js');
  return import.meta.filename.endsWith('.ts') ? path.join(packageRoot(), 'src/index.ts') : built;
}

/** This file runs from src/commands and, bundled, from dist or dist/chunks. */
function packageRoot(): string {
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json');
    if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes('"name": "evenkeel"')) return folder;
  }
  throw new Error('the package folder of evenkeel is not where it was installed');
}
