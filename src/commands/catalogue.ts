import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { builtinModules } from '../../modules/index.js';
import type { Diagnostics } from '../model/diagnostic.js';
import type { Catalogue } from '../module/catalogue.js';
import type { Module } from '../module/contract.js';
import { importUserFile, packageRoot, userFiles } from './user_file.js';

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
  for (const { name, file } of userFiles(folder)) {
    if (Object.hasOwn(builtinModules, name)) {
      diagnostics.error(`${file} has the name of a built-in module`, undefined, 'give it another name');
    } else files.set(name, file);
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

async function loadUserModule(name: string, file: string): Promise<Module> {
  const module = await importUserFile(file);
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
