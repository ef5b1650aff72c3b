import path from 'node:path';
import type { Inventory } from '../../core/model/inventory/inventory.js';
import { NOTHING_INHERITED, type Play, type Playbook } from '../../core/model/playbook/playbook.js';
import { Diagnostics, inReadingOrder } from '../../core/model/source/diagnostic.js';
import { nearestName } from '../../core/model/source/suggestion.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { isList, isMapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { maskDiagnostics } from '../../core/secrets/mask_source.js';
import type { Catalogue } from '../../module/catalogue.js';
import { describeKind, names, text, warnOfOldForm, wantMapping, type Cursor } from '../document/cursor.js';
import type { FileServices } from '../document/read_file_text.js';
import { template } from '../document/templated.js';
import { checkKeyword, keywordsAt } from '../keywords/keywords.js';
import { Modules, plainName } from '../keywords/modules.js';
import { conditions } from '../keywords/step_keywords.js';
import { inCollections } from '../role/files.js';
import { knownText } from '../task/arguments.js';
import { nearbyFile } from '../task/find_task_file.js';
import type { Folder } from '../task/read_context.js';
import { TaskFiles } from '../task/task_files.js';
import { loadAddedVars, loadGroupVars } from '../variables/group_vars.js';
import { readVars } from '../variables/written_variables.js';
import { Vault } from '../vault/vault.js';
import { loadPlay, NOT_IMPORTED, type Imported, type PlaybookContext, playContext, playReader } from './play.js';

export interface PlaybookOptions extends FileServices {
  /** The base of relative names of playbooks. */
  readonly cwd: string;
  readonly catalogue: Catalogue;
  /** If given, `hosts` is compared with it. */
  readonly inventory?: Inventory | undefined;
  /** The groups and controllers that exist: files of `group_vars` and `host_vars` for others are not read. Absent: not known. */
  readonly names?: Pick<Inventory, 'groups' | 'controllers'> | undefined;
  /** The variables of `-e`: names of imported files and roles may contain them. */
  readonly extraVars?: readonly VariableLayer[] | undefined;
  /** Absolute: folders with roles, besides the `roles` folder of a playbook. */
  readonly rolesPath?: readonly string[] | undefined;
  readonly diagnostics: Diagnostics;
}

/**
 * Reads playbooks and checks everything that needs no controller. Reports all mistakes of all files to `diagnostics`,
 * each with its place, and returns everything valid.
 */
export async function loadPlaybooks(files: readonly string[], options: PlaybookOptions): Promise<readonly Playbook[]> {
  const reader = new PlaybookReader(options);
  const playbooks: Playbook[] = [];
  for (const file of files) {
    const found = new Diagnostics();
    const absolute = path.resolve(options.cwd, file);
    const directory = path.dirname(absolute);
    reader.files.name(absolute, file);
    const plays = await reader.read(absolute, { imported: NOT_IMPORTED, chain: [] }, found);
    const { diagnostics, vault = Vault.locked() } = options;
    diagnostics.add(maskDiagnostics(inReadingOrder(found.list), (text) => vault.mask(text)));
    if (plays !== undefined) playbooks.push({ file, directory, plays });
  }
  return playbooks;
}

/** The import through which a playbook is read. */
interface Import {
  readonly imported: Imported;
  /** Absolute: the surrounding playbooks, outermost first. */
  readonly chain: readonly string[];
}

/** Reads playbooks and their imports; reads `group_vars` and `host_vars` once per folder. */
class PlaybookReader {
  readonly files: TaskFiles;
  readonly #modules: Modules;
  readonly #adjacent = new Map<string, Promise<PlaybookContext['adjacent']>>();

  constructor(private readonly options: PlaybookOptions) {
    this.#modules = new Modules(options.catalogue, options.library?.table.plugins);
    this.files = new TaskFiles(options.cwd, options);
  }

  /** The plays of a file; undefined if it is not a playbook. */
  async read(
    file: string,
    { imported, chain }: Import,
    diagnostics: Diagnostics,
  ): Promise<readonly Play[] | undefined> {
    const directory = path.dirname(file);
    const folder = { directory, shown: this.files.show(directory) };
    const { library, inventory, extraVars = [], rolesPath = [] } = this.options;
    const around: PlaybookContext = {
      adjacent: await getOrAdd(this.#adjacent, folder.directory, () => this.#readAdjacent(folder, diagnostics)),
      reader: playReader({ modules: this.#modules, files: this.files, library, rolesPath, folder }),
      inventory,
      extraVars,
      imported,
    };
    const cursor = await this.files.read(file, diagnostics);
    return cursor === undefined ? undefined : this.#readPlays(cursor, around, [...chain, file]);
  }

  async #readPlays(
    cursor: Cursor,
    around: PlaybookContext,
    chain: readonly string[],
  ): Promise<readonly Play[] | undefined> {
    if (!isList(cursor.value) || cursor.value.length === 0) {
      refuse(cursor);
      return undefined;
    }
    const plays: Play[] = [];
    for (const item of cursor.items()) plays.push(...(await this.#entry(item, around, chain)));
    return plays;
  }

  /** A play, or the plays that an `import_playbook` brings. */
  async #entry(cursor: Cursor, around: PlaybookContext, chain: readonly string[]): Promise<readonly Play[]> {
    if (!wantMapping(cursor, '', 'a play')) return [];
    const key = importKey(cursor);
    const typo = mistypedImport(cursor);
    if (key === undefined && typo !== undefined) {
      typo.errorAtKey(`"${typo.name}" is not a keyword of a play`, 'did you mean "import_playbook"?');
      return [];
    }
    if (key === undefined) {
      const play = await loadPlay(cursor, around);
      return play === undefined ? [] : [play];
    }
    const found = playbookImport(cursor, key, around, chain);
    if (found === undefined) return [];
    return (await this.read(found.file, { imported: found.imported, chain }, cursor.diagnostics)) ?? [];
  }

  async #readAdjacent({ directory, shown }: Folder, diagnostics: Diagnostics): Promise<PlaybookContext['adjacent']> {
    const reading = { ...this.options, diagnostics };
    const { groups, controllers } = await loadGroupVars(directory, 'playbook', reading, this.options.names, shown);
    const addAdjacent: Play['addAdjacent'] = async (kind, name) => {
      const layers = await loadAddedVars(kind, name, { path: directory, shown }, 'playbook', this.options);
      (kind === 'group_vars' ? groups : controllers).set(name, [...layers]);
    };
    return { groupLayers: groups, controllerLayers: controllers, addAdjacent };
  }
}

function refuse(cursor: Cursor): void {
  const hint = isMapping(cursor.value) ? 'begin each play with "- "' : 'a play begins with "- hosts: all"';
  const found = isList(cursor.value) ? 'an empty list' : describeKind(cursor.value);
  const problem = cursor.value === null ? 'this file is empty' : `this file holds ${found}`;
  cursor.error(`a playbook is a list of plays; ${problem}`, hint);
}

/** The key of an `import_playbook` among the plays; its older name was `include`. */
function importKey(play: Cursor): Cursor | undefined {
  const words = play.get('hosts') === undefined ? ['import_playbook', 'include'] : ['import_playbook'];
  return play.entries().find(({ name }) => words.includes(plainName(name)));
}

/** The key that is probably a misspelled `import_playbook`. */
function mistypedImport(play: Cursor): Cursor | undefined {
  if (play.get('hosts') !== undefined) return undefined;
  const words = [...keywordsAt('play').known, 'import_playbook'];
  return play.entries().find(({ name }) => nearestName(name, words) === 'import_playbook');
}

/** The file of an `import_playbook`, and what its plays inherit. Reports a missing file, and returns undefined. */
function playbookImport(cursor: Cursor, key: Cursor, around: PlaybookContext, chain: readonly string[]) {
  for (const item of cursor.entries()) if (item.name !== key.name) checkKeyword(item, keywordsAt('import_playbook'));
  if (plainName(key.name) === 'include') warnOfOldForm(key, '"include"', 'write import_playbook');
  template(cursor.get('name'));
  const { imported } = around;
  const own = readVars(cursor.get('vars'), 'play vars', 'vars of import_playbook');
  const handed = {
    // The outermost import wins, as in Ansible.
    layers: [...own, ...imported.layers],
    tags: [...new Set([...imported.tags, ...names(cursor.get('tags'))])],
    when: [...imported.when, ...(conditions(cursor.get('when')) ?? [])],
  };
  const file = importedFile(key, { ...around, imported: handed }, chain);
  return file === undefined ? undefined : { file, imported: handed };
}

function importedFile(key: Cursor, around: PlaybookContext, chain: readonly string[]): string | undefined {
  if (typeof key.value !== 'string' || key.value.trim() === '')
    return key.errorAtKey(`"import_playbook" needs the name of a playbook, not ${describeKind(key.value)}`);
  const context = playContext(key, around.reader, [...around.imported.layers, ...around.extraVars]);
  const known = { context, inherited: NOTHING_INHERITED };
  const name = knownText(text(key)?.trim() ?? '', key, known, 'pass the variable with -e');
  if (name === undefined) return undefined;
  const { files, folder } = around.reader;
  const ofCollection = inCollections(name, 'playbooks', around.reader).flatMap((one) => [`${one}.yml`, `${one}.yaml`]);
  const adjacent = path.resolve(folder.directory, name);
  const file = ofCollection.find((one) => files.sources.fileTypeAt(one) === 'file') ?? adjacent;
  const found = files.sources.fileTypeAt(file);
  if (found === 'folder') return key.error(`"${name}" is a folder`, 'name a playbook in it');
  if (found === undefined) {
    const message = `there is no playbook "${name}" (looked in ${files.show(path.dirname(file))})`;
    return key.error(message, nearbyFile([file]));
  }
  if (!chain.includes(file)) return file;
  const circle = [...chain.slice(chain.indexOf(file)), file].map((one) => files.show(one));
  return key.error(`import cycle: ${circle.join(' → ')}`);
}
