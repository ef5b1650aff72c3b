import { basename, dirname, sep } from 'node:path';
import type { Handler, Located, Step } from '../../core/model/playbook/step.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { isList } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Library } from '../../language/library.js';
import { describeKind, texts, type Cursor } from '../document/cursor.js';
import { readModuleDefaults, type ModuleDefaults, type Modules } from '../keywords/modules.js';
import { inheritedFrom, type Inherited } from '../keywords/step_keywords.js';
import { readVars } from '../variables/written_variables.js';
import type { TaskFiles } from './task_files.js';

/** The services for reading the files of one play; shared by all of its steps. */
export interface PlayReader {
  /** Includes the modules of the roles that were read. */
  readonly modules: Modules;
  readonly files: TaskFiles;
  readonly library: Library | undefined;
  /** Absolute: folders with roles, besides the `roles` folder of the play. */
  readonly rolesPath: readonly string[];
  /** The folder of the play's playbook. */
  readonly folder: Folder;
  /**
   * Reads the steps inside a step. Passed in, because a role, a block or an include may contain steps of any other
   * type.
   */
  readonly load: StepLoader;
}

/** The folder of a playbook. */
export interface Folder {
  /** Absolute. */
  readonly directory: string;
  /** Its name in messages. */
  readonly shown: string;
}

/** The context that determines the meaning of a step's keywords. */
export interface ReadContext {
  readonly reader: PlayReader;
  readonly file: FileContext;
  /** The role that the steps belong to. */
  readonly role: RoleContext | undefined;
  /** Absolute: the folder of that role, then of the roles that depend on it. */
  readonly roleFolders: readonly string[];
  readonly moduleDefaults: ModuleDefaults;
  /** Where roles without a full name are searched first: `acme.lb`. */
  readonly collections: readonly string[];
  /** Variables that are known before the run: those of the play, of its static roles, of `-e`. */
  readonly known: readonly VariableLayer[];
  /** Collects what steps add to the whole play, such as the handlers of imported roles. */
  readonly parts: PlayParts;
}

/** The file of the steps, and the files that include or import it. */
interface FileContext {
  /** Absolute. */
  readonly folder: string;
  /** Folders of the surrounding includes and imports, as written, innermost first; a role starts with an empty list. */
  readonly includes: readonly string[];
  /** Absolute: the task files that are being read, outermost first. */
  readonly chain: readonly string[];
  /**
   * How many files of `chain` are outside the innermost include. Imports may repeat these, because the include can have
   * a condition.
   */
  readonly beforeInclude: number;
  /** Whether a surrounding include adds the steps during the run. */
  readonly isIncluded: boolean;
}

export interface RoleContext {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** The roles whose tasks include or import it, nearest first. */
  readonly parents: readonly RoleContext[];
}

/** What a list of tasks, blocks, includes, imports and metas is read as; nothing if there is none. */
export interface LoadedSteps {
  readonly tasks: readonly Step[];
  readonly handlers: readonly Handler[];
}

/** The roles whose tasks contain the step, nearest first. */
export function parentsIn({ role }: ReadContext): RoleContext['parents'] {
  return role === undefined ? [] : [role, ...role.parents];
}

/** Whether a file contains tasks or handlers: each has its own folder in a role. */
export type StepKind = keyof LoadedSteps;

export type StepLoader = {
  readonly [Kind in StepKind]: (cursor: Cursor | undefined, around: InnerContext) => Promise<LoadedSteps[Kind]>;
};

/** The context of the steps in a file; `written`: its name in the include or import. */
export function inFile(context: ReadContext, path: string, written = basename(path)): ReadContext {
  const { file } = context;
  const includes = [dirname(written), ...file.includes];
  return { ...context, file: { ...file, folder: dirname(path), includes, chain: [...file.chain, path] } };
}

/** The context of included steps. */
export function inInclude(context: ReadContext, parts: PlayParts): ReadContext {
  const { file } = context;
  return { ...context, parts, file: { ...file, beforeInclude: file.chain.length, isIncluded: true } };
}

/** If an import of this file closes a cycle: the files of the cycle, by their names in messages. */
export function importCircle(path: string, { file, reader }: ReadContext): string | undefined {
  const start = file.chain.indexOf(path, file.beforeInclude);
  if (start < 0) return undefined;
  return [...file.chain.slice(start), path].map((one) => reader.files.show(one)).join(' → ');
}

/**
 * The collections in which roles are searched first: that of the file, then those that `collections` names.
 *
 * @param folder of a playbook or role
 */
export function searchedCollections(cursor: Cursor | undefined, folder: string): readonly string[] {
  const [, namespace, collection] = /[/\\]ansible_collections[/\\](\w+)[/\\](\w+)[/\\]/.exec(folder + sep) ?? [];
  const own = namespace === undefined || collection === undefined ? [] : [`${namespace}.${collection}`];
  return [...new Set([...own, ...texts(cursor).map(({ value }) => value)])];
}

const layers = new WeakMap<ReadContext, VariableLayer>();

/** `ansible_search_path`: the folders for relative names, nearest first. A variable of each step. */
export function searchPathLayer(context: ReadContext): VariableLayer {
  return getOrAdd(layers, context, () => {
    const { roleFolders, file, reader } = context;
    const folders = new Set([...roleFolders, file.folder, reader.folder.directory]);
    const values = { ansible_search_path: [...folders] };
    return { level: 'magic', values, origin: 'magic variables', literal: true };
  });
}

/** The context of a step, and the keywords that it inherits. */
export interface InnerContext {
  readonly context: ReadContext;
  readonly inherited: Inherited;
}

/**
 * The keywords, `vars` and `module_defaults` that steps inside a play, a block, an import or a role inherit.
 *
 * @param title for the origin of its variables: `vars of TITLE`
 */
export function openInnerContext(cursor: Cursor, { context, inherited }: InnerContext, title: string): InnerContext {
  const moduleDefaults = readModuleDefaults(cursor, context.moduleDefaults, context.reader.modules);
  const own = cursor.get('collections');
  const isSame = own === undefined && moduleDefaults === context.moduleDefaults;
  const collections = own === undefined ? context.collections : searchedCollections(own, context.file.folder);
  const variables = readVars(cursor.get('vars'), 'block vars', `vars of ${title}`);
  return {
    context: isSame ? context : { ...context, moduleDefaults, collections },
    inherited: { ...inheritedFrom(cursor, inherited), layers: [...inherited.layers, ...variables] },
  };
}

/**
 * Handlers, variables and roles that the steps of a play or an include add to the whole play. Filled while the steps
 * load.
 */
export class PlayParts {
  /** Handlers of imported roles, which are added to the play's. */
  readonly handlers: Handler[] = [];
  /** Variables of imported roles, which the whole play sees. */
  readonly layers: VariableLayer[] = [];
  /** Names of the roles in `roles` and imports, with repetitions. */
  readonly roles: string[] = [];
  /** Names of their dependencies. */
  readonly dependencies: string[] = [];
  readonly notified: Located<string>[] = [];
  /** Handlers that includes add during the run, as far as they are known before it. */
  readonly expected: Handler[] = [];
  /** Names of blocks among the handlers, which cannot be notified. */
  readonly handlerBlocks: string[] = [];
  /** Whether an include may add handlers that are unknown before the run. */
  mayAddHandlers = false;

  /** @param roleHandlers handlers of roles that were read for the same play, by the role's key */
  constructor(readonly roleHandlers = new Map<string, readonly Handler[]>()) {}

  /** The parts of an include in the same play. */
  ofInclude(): PlayParts {
    return new PlayParts(this.roleHandlers);
  }

  /** Adds the notifications of an include, and the handlers that it will add. */
  expectFrom(parts: PlayParts, handlers: readonly Handler[]): void {
    for (const note of parts.notified) this.notified.push(note);
    for (const handler of [...handlers, ...parts.expected]) this.expected.push(handler);
    this.handlerBlocks.push(...parts.handlerBlocks);
    this.mayAddHandlers ||= parts.mayAddHandlers;
  }
}

export interface StepFile {
  /** Absolute. */
  readonly path: string;
  /** Its name in the include or import; the file's own name if there is none. */
  readonly written?: string | undefined;
  /** The include or import that names it: mistakes go to its diagnostics. */
  readonly at: Cursor;
}

/** The steps of a file; none if it is empty or invalid. Uses the context of the include or import. */
export async function readSteps<Kind extends StepKind>(
  kind: Kind,
  file: StepFile,
  { context, inherited }: InnerContext,
): Promise<LoadedSteps[Kind]> {
  const list = await listIn(file, context);
  return context.reader.load[kind](list, { context: inFile(context, file.path, file.written), inherited });
}

async function listIn({ path, at }: StepFile, { reader: { files } }: ReadContext): Promise<Cursor | undefined> {
  const taken = files.take();
  if (taken === 'too many now') {
    const hint = 'each file that names another twice doubles the number';
    at.error(`task files are read more than ${files.most} times`, hint);
  }
  const cursor = taken === 'fine' ? await files.read(path, at.diagnostics) : undefined;
  if (cursor?.value == null) return undefined;
  if (isList(cursor.value)) return cursor;
  const message = `a file of tasks is a list; this one holds ${describeKind(cursor.value)}`;
  return cursor.error(message, 'begin each task with "- "');
}
