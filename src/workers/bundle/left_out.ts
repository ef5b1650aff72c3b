import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { errorMessage } from '../../model/error_message.js';
import { entry, isMapping } from '../../model/values/value.js';
import { BundleError } from './entries.js';
import { inside } from './relocation.js';

/** Folders that runs do not read: version control, the state of Evenkeel, tools of Python. */
const NAMES: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.evenkeel', '.venv', 'venv', '__pycache__']);

/** Files that must stay on the coordinator, as absolute paths. */
export interface Kept {
  /** The state folder, under any name. Files in it that the run reads are bundled. */
  readonly state: string;
  /** Files and folders that are never bundled: keys, passwords of vaults. */
  readonly secret: readonly string[];
}

/** Decides which files of a project are left out of the bundle. */
export class LeftOut {
  readonly #root: string;
  readonly #state: string;
  readonly #secret: readonly string[];
  readonly #packages: ReadonlySet<string>;

  constructor(root: string, { state, secret }: Kept) {
    this.#root = realOf(root);
    this.#state = realOf(state);
    this.#secret = secret.flatMap((file) => [
      path.join(realOf(path.dirname(file)), path.basename(file)),
      realOf(file),
      file,
    ]);
    this.#packages = productionPackages(this.#root);
  }

  isSecret(file: string): boolean {
    return this.#secret.some((one) => inside(one, file) !== undefined);
  }

  /** Whether to leave out a file or folder whose parent folder is bundled. */
  has(file: string): boolean {
    return NAMES.has(path.basename(file)) || file === this.#state || this.isSecret(file) || this.#isUnusedPackage(file);
  }

  /** Whether a file anywhere in the project is left out, itself or with one of its folders. */
  hasFolderOf(file: string): boolean {
    const parts = inside(this.#root, realOf(file))?.split(path.sep) ?? [];
    return parts.some((_, index) => this.has(path.join(this.#root, ...parts.slice(0, index + 1))));
  }

  /**
   * From `node_modules`, bundles only the `dependencies` of the package.json and their dependencies, which modules of
   * the project may import. Development tools would add hundreds of megabytes.
   */
  #isUnusedPackage(file: string): boolean {
    const isInside =
      path.basename(file) === 'node_modules' || inside(this.#root, file)?.split(path.sep).includes('node_modules');
    return isInside === true && !isOf(this.#packages, file);
  }
}

/** Whether a path leads to one of the packages or is inside one, except in a `node_modules` of that package. */
function isOf(packages: ReadonlySet<string>, file: string): boolean {
  return [...packages].some((folder) => {
    if (inside(file, folder) !== undefined) return true;
    const rest = inside(folder, file);
    return rest !== undefined && !rest.split(path.sep).includes('node_modules');
  });
}

/** The folders of the packages that code of the project may import. */
function productionPackages(root: string): ReadonlySet<string> {
  const found = new Set<string>();
  const real = realOf(root);
  const open = [real];
  for (let from = open.pop(); from !== undefined; from = open.pop())
    for (const name of dependenciesOf(from)) {
      const folder = installed(name, from, real);
      if (folder === undefined || found.has(folder)) continue;
      // pnpm and workspaces install packages as links.
      found.add(folder).add(realOf(folder));
      open.push(realOf(folder));
    }
  return found;
}

/** `evenkeel` itself is left out, because the worker has it. */
function dependenciesOf(folder: string): readonly string[] {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) return [];
  const manifest = parsed(file);
  return ['dependencies', 'optionalDependencies', 'peerDependencies']
    .flatMap((kind) => {
      const listed = isMapping(manifest) ? entry(manifest, kind) : undefined;
      return isMapping(listed) ? Object.keys(listed) : [];
    })
    .filter((name) => name !== 'evenkeel');
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new BundleError(
      `cannot read ${file}, which says what packages of node_modules workers need: ${errorMessage(error)}`,
    );
  }
}

/** Resolves a package as Node does, but not above the project. */
function installed(name: string, from: string, root: string): string | undefined {
  for (let folder = from; inside(root, folder) !== undefined; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    if (folder === path.dirname(folder)) break;
  }
  return undefined;
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
