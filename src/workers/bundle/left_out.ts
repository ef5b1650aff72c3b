import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { errorMessage } from '../../model/error_message.js';
import { entry, isMapping } from '../../model/values/value.js';
import { BundleError } from './entries.js';
import { inside } from './relocation.js';

/** Folders that no run reads: of version control, of Evenkeel's state, of Python's tools. */
const NAMES: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.evenkeel', '.venv', 'venv', '__pycache__']);

/** What must stay on the coordinator; absolute paths. */
export interface Kept {
  /** The state folder, whatever it is called. A file of it that the run reads travels. */
  readonly state: string;
  /** Files and folders that never travel: keys, passwords of vaults. */
  readonly secret: readonly string[];
}

/** What of a project does not travel. */
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

  /** Of a file or folder in a folder that travels. */
  has(file: string): boolean {
    return NAMES.has(path.basename(file)) || file === this.#state || this.isSecret(file) || this.#isUnusedPackage(file);
  }

  /** Of a file anywhere in the project. */
  hasFolderOf(file: string): boolean {
    const parts = inside(this.#root, realOf(file))?.split(path.sep) ?? [];
    return parts.some((_, index) => this.has(path.join(this.#root, ...parts.slice(0, index + 1))));
  }

  /**
   * Of `node_modules`, only what `dependencies` of the package.json names travels, with the dependencies of that, for modules of the
   * project may import it; tools for development are hundreds of megabytes.
   */
  #isUnusedPackage(file: string): boolean {
    const isInside =
      path.basename(file) === 'node_modules' || inside(this.#root, file)?.split(path.sep).includes('node_modules');
    return isInside === true && !isOf(this.#packages, file);
  }
}

/** Whether a path leads to one of the packages, or is of one; not of another package in its own `node_modules`. */
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
      // pnpm and workspaces link packages to their place.
      found.add(folder).add(realOf(folder));
      open.push(realOf(folder));
    }
  return found;
}

/** The worker brings `evenkeel` itself. */
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

/** As Node looks for a package, but not above the project. */
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
