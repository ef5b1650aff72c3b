import path from 'node:path';
import type { Inventory } from '../../core/model/inventory/inventory.js';
import type { Play, Playbook } from '../../core/model/playbook/playbook.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { isList, isMapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { maskDiagnostics } from '../../core/secrets/mask_source.js';
import type { Catalogue } from '../../module/catalogue.js';
import { kindOf, type Cursor } from '../document/cursor.js';
import type { FileServices } from '../document/file_services.js';
import { inReadingOrder } from '../document/reading_order.js';
import { Modules } from '../keywords/modules.js';
import type { Folder } from '../task/read_context.js';
import { TaskFiles } from '../task/task_files.js';
import { loadGroupVars } from '../variables/group_vars.js';
import { Vault } from '../vault/vault.js';
import { importKey, mistypedImport, playbookImport } from './import_playbook.js';
import { playReader } from './play_context.js';
import { loadPlay, NOT_IMPORTED, type Imported, type Surroundings } from './play.js';

export interface PlaybookOptions extends FileServices {
  /** The base of relative names of playbooks. */
  readonly cwd: string;
  readonly catalogue: Catalogue;
  /** If given, `hosts` is compared with it. */
  readonly inventory?: Inventory | undefined;
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

type Beside = Pick<Surroundings, 'groupLayers' | 'controllerLayers'>;

/** Reads playbooks and their imports; reads `group_vars` and `host_vars` once per folder. */
class PlaybookReader {
  readonly files: TaskFiles;
  readonly #options: PlaybookOptions;
  readonly #services: FileServices;
  readonly #modules: Modules;
  readonly #beside = new Map<string, Promise<Beside>>();

  constructor(options: PlaybookOptions) {
    const { cwd, catalogue } = options;
    this.#options = options;
    this.#services = servicesOf(options);
    this.#modules = new Modules(catalogue);
    this.files = new TaskFiles(cwd, this.#services);
  }

  /** The plays of a file; undefined if it is not a playbook. */
  async read(
    file: string,
    { imported, chain }: Import,
    diagnostics: Diagnostics,
  ): Promise<readonly Play[] | undefined> {
    const directory = path.dirname(file);
    const folder = { directory, shown: this.files.show(directory) };
    const { library, inventory, extraVars = [], rolesPath = [] } = this.#options;
    const around: Surroundings = {
      ...(await this.#besidePlaybook(folder, diagnostics)),
      reader: playReader({ modules: this.#modules, files: this.files, library, rolesPath, folder }),
      inventory,
      extraVars,
      imported,
    };
    const cursor = await this.files.read(file, diagnostics);
    return cursor === undefined ? undefined : this.#playsOf(cursor, around, [...chain, file]);
  }

  async #playsOf(cursor: Cursor, around: Surroundings, chain: readonly string[]): Promise<readonly Play[] | undefined> {
    if (!isList(cursor.value) || cursor.value.length === 0) {
      refuse(cursor);
      return undefined;
    }
    const plays: Play[] = [];
    for (const item of cursor.items()) plays.push(...(await this.#entry(item, around, chain)));
    return plays;
  }

  /** A play, or the plays that an `import_playbook` brings. */
  async #entry(cursor: Cursor, around: Surroundings, chain: readonly string[]): Promise<readonly Play[]> {
    if (!isMapping(cursor.value)) {
      cursor.error(`a play must be a mapping, not ${kindOf(cursor.value)}`);
      return [];
    }
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

  #besidePlaybook(folder: Folder, diagnostics: Diagnostics): Promise<Beside> {
    const known = this.#beside.get(folder.directory) ?? this.#readBeside(folder, diagnostics);
    this.#beside.set(folder.directory, known);
    return known;
  }

  async #readBeside({ directory, shown }: Folder, diagnostics: Diagnostics): Promise<Beside> {
    const { inventory } = this.#options;
    const { groups, controllers } = await loadGroupVars(
      directory,
      'playbook',
      diagnostics,
      inventory && { groups: inventory.groups, controllers: inventory.controllers, later: true },
      shown,
      this.#services,
    );
    return { groupLayers: groups, controllerLayers: controllers };
  }
}

function servicesOf({ library, vault, onRead }: FileServices): FileServices {
  return { library, vault, onRead };
}

function refuse(cursor: Cursor): void {
  const hint = isMapping(cursor.value) ? 'begin each play with "- "' : undefined;
  const found = isList(cursor.value) ? 'an empty list' : kindOf(cursor.value);
  cursor.error(`a playbook is a list of plays; this file holds ${found}`, hint);
}
