import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { fileTypeAt, namesIn } from '../../core/files/paths.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { Value } from '../../core/model/values/value.js';
import type { PluginType } from '../runtime/plugins.js';
import { walk } from '../runtime/result.js';

/** Where plugins are searched, with absolute paths. */
export interface PluginSearchOptions {
  /** The folders of the playbooks and of the project. */
  readonly directories: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether the files of a folder may be used. */
  readonly isTrusted: (folder: string) => boolean;
  /** A setting of `ansible.cfg`, and the base of relative names in it. */
  readonly configured?:
    | ((key: string) => { readonly text: string; readonly directory: string } | undefined)
    | undefined;
  /** Called for each file that is read. */
  readonly onRead?: ((type: 'file', file: string, text: string) => void) | undefined;
}

/** Finds the files of plugins as Ansible does, by reading them. Executes nothing. */
export class PluginSearch {
  readonly #roles: string[] = [];
  readonly #texts = new Map<string, string>();
  readonly #folders = new Map<string, readonly string[]>();
  readonly #searched = new Map<PluginType, readonly string[]>();
  /** The content of `meta/runtime.yml`, by file. */
  readonly #routings = new Map<string, Value>();
  #collections: readonly string[] | undefined;
  #ownCollections: readonly string[] | undefined;

  constructor(private readonly options: PluginSearchOptions) {}

  /** Folders with `ansible_collections`, in the order of search. */
  get collections(): readonly string[] {
    return (this.#collections ??= this.#findCollections());
  }

  /** Adds the plugins of a role; false if they are known. */
  addFolder(folder: string): boolean {
    if (this.#roles.includes(folder)) return false;
    this.#roles.push(folder);
    this.#searched.clear();
    return true;
  }

  show(file: string): string {
    const shown = path.relative(this.options.cwd, file);
    return shown.startsWith(`..${path.sep}..`) ? file : shown;
  }

  /** The files that may define it, likeliest first. @param isCertain only those that certainly do, of the project's own collections */
  files(type: PluginType, name: string, isCertain: boolean): readonly string[] {
    const [namespace = '', collection = '', ...rest] = name.split('.');
    if (rest.length > 0) {
      const inside = path.join('ansible_collections', namespace, collection, 'plugins', type);
      const searched = (isCertain ? this.#shipped : this.collections).map((one) => path.join(one, inside));
      return this.#defining(searched, type, rest.join('.'), isCertain);
    }
    if (name.includes('.')) return [];
    return this.#defining(this.#searchedFolders(type), type, name, isCertain);
  }

  /** Files whose names only Python knows, because they compute them. */
  computed(type: Exclude<PluginType, 'lookup'>, name: string): readonly string[] {
    const [namespace = '', collection = '', ...rest] = name.split('.');
    const inside = path.join('ansible_collections', namespace, collection, 'plugins', type);
    const searched =
      rest.length > 0 ? this.collections.map((one) => path.join(one, inside)) : this.#searchedFolders(type);
    const isComputed = (text: string) => /^class (?:Filter|Test)Module\b/m.test(text) && !LITERAL_NAMES.test(text);
    return searched.flatMap((folder) => this.#filesIn(folder)).filter((file) => isComputed(this.#text(file)));
  }

  /** What `plugin_routing` of the collection says instead of this name. */
  redirect(type: PluginType | 'modules', name: string): string | undefined {
    const [namespace = '', collection = '', ...rest] = name.split('.');
    if (rest.length === 0) return undefined;
    const files = this.collections.map((one) =>
      path.join(one, 'ansible_collections', namespace, collection, 'meta/runtime.yml'),
    );
    const file = files.find((one) => fileTypeAt(one) === 'file');
    const last = rest.join('.');
    // Such a file may have thousands of lines; parsing it takes longer than reading a role.
    if (file === undefined || !new RegExp(`[\\s{,'"]${last.replaceAll('.', '[.]')}['"]?\\s*:`).test(this.#text(file)))
      return undefined;
    const routing = getOrAdd(this.#routings, file, () => readRouting(this.#text(file)));
    const other = walk(routing, ['plugin_routing', type, last, 'redirect']);
    return typeof other === 'string' ? other : undefined;
  }

  #defining(folders: readonly string[], type: PluginType, name: string, isCertain: boolean): readonly string[] {
    const files = folders.flatMap((folder) => this.#filesIn(folder));
    if (type === 'lookup') {
      const [file] = files.filter((one) => path.basename(one) === `${name}.py`);
      // A plan depends on its text.
      if (file !== undefined) this.#text(file);
      return file === undefined ? [] : [file];
    }
    const certain = new RegExp(`['"]${name}['"]\\s*:`);
    const mentioned = new RegExp(`\\b${name}\\b`);
    const sure = files.filter((file) => certain.test(this.#text(file)));
    if (sure.length > 0 || isCertain) return sure;
    return files.filter((file) => mentioned.test(this.#text(file)));
  }

  #searchedFolders(type: PluginType): readonly string[] {
    return getOrAdd(this.#searched, type, () => {
      const own = [...this.options.directories, ...this.#roles].map((folder) => path.join(folder, `${type}_plugins`));
      const named = this.#setting(`ANSIBLE_${type.toUpperCase()}_PLUGINS`, `${type}_plugins`);
      const usual = [path.join(homedir(), '.ansible/plugins', type), path.join('/usr/share/ansible/plugins', type)];
      const roles = this.options.directories.map((folder) => path.join(folder, 'roles'));
      const ofRoles = roles.flatMap((folder) =>
        namesIn(folder).map((role) => path.join(folder, role, `${type}_plugins`)),
      );
      return [...new Set([...own, ...(named ?? usual), ...ofRoles])].filter((one) => fileTypeAt(one) === 'folder');
    });
  }

  #findCollections(): readonly string[] {
    const usual = [path.join(homedir(), '.ansible/collections'), '/usr/share/ansible/collections'];
    // Those of Ansible's own package. Any other is found by Python itself, which only a call starts.
    const packages = '/usr/lib/python3/dist-packages';
    return withCollections([...this.#adjacent(), ...(this.#named() ?? usual), packages]);
  }

  /** Those of the project itself, and of the paths that its settings name: a user's own are others on each machine. */
  get #shipped(): readonly string[] {
    return (this.#ownCollections ??= withCollections([...this.#adjacent(), ...(this.#named() ?? [])]));
  }

  #adjacent(): readonly string[] {
    return this.options.directories.map((folder) => path.join(folder, 'collections'));
  }

  #named(): readonly string[] | undefined {
    return (
      this.#setting('ANSIBLE_COLLECTIONS_PATH', 'collections_path') ??
      this.#setting('ANSIBLE_COLLECTIONS_PATHS', 'collections_paths')
    );
  }

  #setting(variable: string, key: string): readonly string[] | undefined {
    const { env, cwd } = this.options;
    const typed = env[variable];
    if (typed !== undefined && typed !== '') return folders(typed, cwd);
    const { text, directory } = this.options.configured?.(key) ?? {};
    return text === undefined ? undefined : folders(text.replaceAll('{{CWD}}', cwd), directory ?? cwd);
  }

  #filesIn(folder: string): readonly string[] {
    return getOrAdd(this.#folders, folder, () => {
      const names = fileTypeAt(folder) === 'folder' ? namesIn(folder) : [];
      const python = names.filter((name) => name.endsWith('.py') && !name.startsWith('_'));
      const usable = python.length > 0 && this.options.isTrusted(folder);
      return usable ? python.map((name) => path.join(folder, name)) : [];
    });
  }

  #text(file: string): string {
    return getOrAdd(this.#texts, file, () => {
      const text = fileTypeAt(file) === 'file' ? readFileSync(file, 'utf8') : '';
      this.options.onRead?.('file', file, text);
      return text;
    });
  }
}

/** The function returns a mapping whose keys are all written in it. */
const LITERAL_NAMES =
  /^\s+def (?:filters|tests)\(self\)\s*:\s*(?:"""[^]*?"""\s*|'[^'\n]*'\s*|"[^"\n]*"\s*|#.*\s*)*return\s*\{(?:\s*(?:#.*|(['"])[\w.]+\1\s*:\s*[\w.]+\s*,?))*\s*\}/m;

/** Null if it is not YAML: Ansible itself then uses nothing of it. */
function readRouting(text: string): Value {
  const document = parseDocument(text);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- YAML's core schema has values of JSON only
  return document.errors.length > 0 ? null : (document.toJS() as Value);
}

function withCollections(folders: readonly string[]): readonly string[] {
  const all = folders.map((one) => one.replace(/[/\\]ansible_collections$/, ''));
  return [...new Set(all)].filter((one) => fileTypeAt(path.join(one, 'ansible_collections')) === 'folder');
}

function folders(text: string, base: string): readonly string[] {
  return text
    .split(':')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => path.resolve(base, one.replace(/^~(?=$|\/)/, homedir())));
}
