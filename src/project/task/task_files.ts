import path from 'node:path';
import { isInside, relativeName } from '../../core/files/paths.js';
import { Diagnostics, type Diagnostic } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { VariableLayer, VariableLevel } from '../../core/model/values/variables.js';
import { Cursor, dataIn, allTexts } from '../document/cursor.js';
import { ProjectSources } from '../document/project_sources.js';
import { type FileServices, quotableWords, readDecrypted, withoutQuotes } from '../document/read_file_text.js';
import { readVariables } from '../variables/written_variables.js';
import { parseYaml, type ParsedYaml } from '../yaml/parse_yaml.js';

interface ReadFile {
  readonly parsed: ParsedYaml | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

interface ReadTaskVariables {
  readonly layer: VariableLayer | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Maximum numbers of files. If each file imports the next one twice, the number doubles at each level. */
const MOST_TASK_FILES = { play: 10_000, include: 1000 };

/** Task files and the files of roles. Reads each file once, however often it is included. */
export class TaskFiles {
  readonly #shown = new Map<string, string>();
  readonly #read = new Map<string, Promise<ReadFile>>();
  readonly #variables = new Map<string, Promise<ReadTaskVariables>>();
  /** How many may be read at most. */
  most = MOST_TASK_FILES.play;
  #left = MOST_TASK_FILES.play;
  readonly sources: ProjectSources;

  constructor(
    readonly cwd: string,
    private readonly services: FileServices,
  ) {
    this.sources = services.sources ?? new ProjectSources();
  }

  /** The name of a file or folder in messages: as a user would type it in the working directory. */
  show(file: string): string {
    const [root] = [...this.#shown]
      .filter(([folder]) => isInside(folder, file))
      .sort(([a], [b]) => b.length - a.length);
    if (root !== undefined) return root[0] === file ? root[1] : path.join(root[1], path.relative(root[0], file));
    return relativeName(file, this.cwd);
  }

  /** Records the name that the user gave to a file: others in its folder are shown the same way. */
  name(file: string, shown: string): void {
    const [folder, shownFolder] = [path.dirname(file), path.dirname(shown)];
    this.#shown.set(file, shown);
    if (!isInside(this.cwd, folder) || path.isAbsolute(shown)) this.#shown.set(folder, shownFolder);
  }

  /** Resets the count: for a play, or for one include during the run. */
  allow(what: 'play' | 'include'): void {
    this.#left = this.most = MOST_TASK_FILES[what];
  }

  isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Counts one more use of a file. Returns whether the limit is exceeded, and whether this is the first time. */
  take(): 'fine' | 'too many now' | 'too many' {
    this.#left -= 1;
    if (this.#left >= 0) return 'fine';
    return this.#left === -1 ? 'too many now' : 'too many';
  }

  /**
   * The content of a file; undefined if it cannot be read. Reports mistakes in its YAML to `diagnostics`. Ignores later
   * changes of the file, so that a run is consistent.
   */
  async read(file: string, diagnostics: Diagnostics): Promise<Cursor | undefined> {
    const { parsed, diagnostics: found } = await getOrAdd(this.#read, file, () => this.#parse(file));
    diagnostics.add(found);
    return parsed === undefined ? undefined : new Cursor(parsed.value, { ...parsed, ...this.services, diagnostics });
  }

  /** The variables in a file of a role, which is read once. Undefined in the same cases as `readVariables`. */
  async variables(file: string, level: VariableLevel, diagnostics: Diagnostics): Promise<VariableLayer | undefined> {
    const reading = getOrAdd(this.#variables, file, () => this.#readVariables(file, level));
    const { layer, diagnostics: found } = await reading;
    diagnostics.add(found);
    return layer;
  }

  async #readVariables(file: string, level: VariableLevel): Promise<ReadTaskVariables> {
    const diagnostics = new Diagnostics();
    const layer = await readVariables(file, level, { ...this.services, diagnostics }, this.show(file));
    return { layer, diagnostics: diagnostics.list };
  }

  async #parse(file: string): Promise<ReadFile> {
    const diagnostics = new Diagnostics();
    const shown = this.show(file);
    const read = await readDecrypted(file, { ...this.services, diagnostics }, shown);
    const { vault } = this.services;
    const parsed = read && withoutQuotes(read, diagnostics, (found) => parseYaml(read.text, shown, found, vault));
    if (read?.encrypted === true && parsed !== undefined) {
      const data = dataIn(parsed.value);
      vault?.hide([...allTexts(parsed.value), ...data.flatMap(quotableWords)], data);
    }
    return { parsed, diagnostics: diagnostics.list };
  }
}
