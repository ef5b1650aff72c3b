import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { errorMessage, type Diagnostics } from '../../core/model/source/diagnostic.js';
import { mayExecute } from '../../core/programs/programs.js';
import { Library } from '../../language/library.js';
import { BUILT_IN } from '../../language/library/index.js';
import { callable, type Callable } from '../../language/runtime/callable.js';
import type { Plugin, Plugins } from '../../language/runtime/plugins.js';
import {
  importUserFile,
  recordFiles,
  trustedFolder,
  userFiles,
  type UserCodeOptions,
  type UserFile,
} from './user_files.js';

/**
 * The filters of templates: the built-in ones, and those in `filters/` of the directories. A playbook must mean the same on every machine,
 * so a filter must not have the name of a built-in one, or of another one.
 */
export async function openLibrary(directories: readonly string[], options: UserCodeOptions): Promise<Library> {
  const { cwd, trust, env, diagnostics, onRead } = options;
  const folders = directories.flatMap((directory) => FOLDERS.map((name) => path.resolve(cwd, directory, name)));
  const there = [...new Set(folders)].filter(
    (folder) => existsSync(folder) && trustedFolder(folder, trust, diagnostics),
  );
  const files = there.flatMap(userFiles);
  for (const old of there.filter((one) => path.basename(one) === OLD_FOLDER && userFiles(one).length > 0)) {
    const message = `${path.relative(cwd, old)} is called "filters" now; its filters are used`;
    diagnostics.warn(message, undefined, 'rename the folder');
  }
  if (onRead !== undefined) for (const folder of there) recordFiles(folder, onRead);
  const plugins = await new LatePlugins(directories, options).open();
  if (!mayExecute(env)) return withoutCode(files, plugins);
  const filters = new Map<string, Callable>();
  for (const one of unambiguous(files, cwd, diagnostics)) {
    try {
      filters.set(one.name, await load(one));
    } catch (error) {
      diagnostics.error(`the filter ${path.relative(cwd, one.file)} cannot be used: ${errorMessage(error)}`);
    }
  }
  return new Library(BUILT_IN.with(filters).withPlugins(plugins));
}

/** Projects may still have the second one. */
const OLD_FOLDER = 'helpers';
const FOLDERS = ['filters', OLD_FOLDER];

/** Templates that call these filters can be read; only rendering them fails. */
function withoutCode(files: readonly UserFile[], plugins: Plugins): Library {
  const names = files.map(({ name }) => name).filter((name) => !BUILT_IN.has(name));
  const refused = callable('...arguments, **', (args) => {
    throw args.error('--no-exec does not load this filter');
  });
  const table = BUILT_IN.with(new Map(names.map((name) => [name, refused]))).withPlugins(plugins);
  return new Library(table, new Set(names));
}

const PLUGIN_FOLDERS = ['filter_plugins', 'test_plugins', 'lookup_plugins'];
/** What a project has if Ansible may find plugins in Python for it. */
const ANSIBLE_PARTS = [...PLUGIN_FOLDERS, 'collections', 'roles', 'ansible.cfg', 'requirements.yml'];
const SHARED = ['plugins', 'collections'].flatMap((name) =>
  [path.join(homedir(), '.ansible'), '/usr/share/ansible'].map((folder) => path.join(folder, name)),
);

/** Plugins in Python. Most projects have none, so their code is loaded when a folder may hold some. */
class LatePlugins implements Plugins {
  during: Plugins['during'];
  #plugins: Plugins | undefined;
  readonly #directories: readonly string[];

  constructor(
    directories: readonly string[],
    private readonly options: UserCodeOptions,
  ) {
    this.#directories = [...new Set(directories.map((directory) => path.resolve(options.cwd, directory)))];
  }

  async open(): Promise<this> {
    const { env, cwd } = this.options;
    const named = Object.keys(env).some((name) => /^ANSIBLE_(?:\w+_PLUGINS|COLLECTIONS_PATHS?|CONFIG)$/.test(name));
    const places = [cwd, ...this.#directories].flatMap((folder) => ANSIBLE_PARTS.map((one) => path.join(folder, one)));
    if (named || [...places, ...SHARED].some((one) => existsSync(one))) await this.#load();
    return this;
  }

  get collections(): readonly string[] {
    return this.#plugins?.collections ?? [];
  }

  async addFolder(folder: string): Promise<void> {
    if (!PLUGIN_FOLDERS.some((name) => existsSync(path.join(folder, name)))) return;
    await (await this.#load()).addFolder(folder);
  }

  find(...asked: Parameters<Plugins['find']>): Plugin | undefined {
    return this.#plugins?.find(...asked);
  }

  redirect(...asked: Parameters<Plugins['redirect']>): string | undefined {
    return this.#plugins?.redirect(...asked);
  }

  async #load(): Promise<Plugins> {
    const { cwd, trust, env, diagnostics, onRead, ansible } = this.options;
    const configured = (key: string): { text: string; directory: string } | undefined => {
      const text = ansible?.values.get(`defaults.${key}`)?.value;
      return ansible === undefined || text === undefined ? undefined : { text, directory: ansible.directory };
    };
    const { openPlugins } = await import('../../language/plugins/python_plugins.js');
    const plugins = (this.#plugins ??= openPlugins(
      {
        directories: this.#directories,
        isTrusted: (folder) => trustedFolder(folder, trust, diagnostics),
        env,
        cwd,
        onRead,
        configured,
      },
      mayExecute(env),
    ));
    this.during = plugins.during;
    return plugins;
  }
}

function unambiguous(files: readonly UserFile[], cwd: string, diagnostics: Diagnostics): readonly UserFile[] {
  const known = new Map<string, UserFile>();
  for (const one of files) {
    const shown = path.relative(cwd, one.file);
    const other = known.get(one.name);
    if (BUILT_IN.has(one.name))
      diagnostics.error(`${shown} has the name of a built-in filter`, undefined, 'give it another name');
    else if (other !== undefined)
      diagnostics.error(`${shown} and ${path.relative(cwd, other.file)} have the same name`, undefined, 'rename one');
    else known.set(one.name, one);
  }
  return [...known.values()];
}

async function load({ name, file }: UserFile): Promise<Callable> {
  const { userFilter } = await import('../../language/runtime/user_filter.js');
  const { name: own, callable } = userFilter(await importUserFile(file));
  if (own !== name) throw new Error(`it calls itself "${own}"; the file of a filter must have its name`);
  return callable;
}
