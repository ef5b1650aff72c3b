import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../core/files/replace_file.js';
import type { TaskFinished } from '../../core/model/run/event.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { maskText } from '../../core/secrets/mask_text.js';
import type { ReporterOptions } from '../../reporting/output/options.js';
import { liveSources } from '../../reporting/page/fold/sources.js';
import type { TaskText } from '../../reporting/page/format/page.js';

/** The tasks of a run as they are in their files, by position. */
export type TaskTexts = ReadonlyMap<string, TaskText>;

/** Any result of each task. */
type NotedTasks = ReadonlyMap<string, Pick<TaskFinished, 'task' | 'module' | 'source'>>;

/**
 * Keeps the texts of the tasks that have run, without the secrets known so far: at the end of the run, all are. Reports of a run whose folder
 * cannot be written leave texts out.
 */
export async function keepTaskTexts(
  folder: string,
  tasks: NotedTasks,
  { cwd, secrets, hasChanged }: Pick<ReporterOptions, 'cwd' | 'secrets' | 'hasChanged'>,
): Promise<void> {
  const sources = liveSources(cwd, (text) => maskText(text, secrets), hasChanged);
  const texts = new Map(await readTaskTexts(folder));
  for (const [place, { task, module, source }] of tasks) {
    const text = sources.task(source, { task, module });
    if (text !== undefined) texts.set(place, text);
  }
  const content = JSON.stringify(Object.fromEntries(texts));
  // Pages of running runs never read half of it.
  await replaceFile(tasksFile(folder), content).catch(() => undefined);
}

function tasksFile(folder: string): string {
  return path.join(folder, 'tasks.json');
}

/** Empty if the run has just begun, or its folder could not be written. */
export async function readTaskTexts(folder: string): Promise<TaskTexts> {
  const texts = new Map<string, TaskText>();
  const content = await readFile(tasksFile(folder), 'utf8').catch(() => '{}');
  for (const [place, text] of Object.entries(parsed(content))) if (isTaskText(text)) texts.set(place, text);
  return texts;
}

/** The texts that a running run keeps, as it reaches its tasks. */
export class TaskTextFile {
  readonly kept = new Map<string, TaskText>();
  #written = 0;

  constructor(private readonly folder: string) {}

  /** Reads the file if it has changed. Whether it has. */
  async update(): Promise<boolean> {
    const { mtimeMs: written = 0 } = (await stat(tasksFile(this.folder)).catch(() => undefined)) ?? {};
    if (written === this.#written) return false;
    this.#written = written;
    for (const [place, text] of await readTaskTexts(this.folder)) this.kept.set(place, text);
    return true;
  }
}

function parsed(content: string): object {
  const value: unknown = orElse(undefined, (): unknown => JSON.parse(content));
  return typeof value === 'object' && value !== null ? value : {};
}

function isTaskText(text: unknown): text is TaskText {
  if (typeof text !== 'object' || text === null || !('first' in text) || !('lines' in text)) return false;
  const { first, lines } = text;
  return typeof first === 'number' && Array.isArray(lines) && lines.every((line) => typeof line === 'string');
}
