import path from 'node:path';
import { type CommandContext, refuse, show } from '../cli/context.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { jsonText as toJson } from '../core/model/values/value.js';
import { configOption, listedRun, type ListedRun } from '../launch/history/listed_run.js';
import { runDetail } from '../launch/history/run_detail.js';
import { lifeOfProcess } from '../launch/history/run_life.js';
import { saveObjects, withRunObjects, type RunObject, type SavedObjects } from '../launch/history/run_objects.js';
import { loadProject, type Project } from '../project/project/project.js';
import { findRun, JournalError, listRuns, runsFolder } from '../record/journal/format/run_folders.js';
import { readHeader } from '../record/journal/format/run_header.js';
import { DEFAULT_KEPT, pruneRuns } from '../record/journal/prune.js';
import { colourWanted, createPalette } from '../reporting/text/palette.js';
import { count } from '../reporting/text/words.js';
import { yamlLines } from '../reporting/text/yaml_text.js';
import { detailText, writeLine } from './detail.js';
import { runListText, pruneText } from './list.js';

export interface RunsOptions {
  /** An id, the beginning of one, or `last`; absent: all are listed. */
  readonly run?: string | undefined;
  readonly json?: boolean | undefined;
  readonly objects?: boolean | undefined;
  readonly save?: string | undefined;
  readonly limit?: number | undefined;
  readonly prune?: boolean | undefined;
  readonly keep?: number | undefined;
  readonly check?: boolean | undefined;
  readonly color?: boolean | undefined;
}

const LISTED = 20;

/** `evenkeel runs`: lists runs, shows one, or prunes the oldest. */
export async function runsCommand(options: RunsOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  checkOptions(options, diagnostics);
  const project = await loadProject(context.cwd, context.env, diagnostics);
  const { stateDirectory } = project;
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  show(diagnostics.list, context, options.color);
  try {
    const { run, objects, save } = options;
    if (run !== undefined && (objects === true || save !== undefined))
      return await answerObjects(stateDirectory, await findRun(stateDirectory, run), options, context);
    await answer(project, options, context);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return refuse([{ severity: 'error', message: error.message, hint: error.hint }], context, options.color);
  }
}

function checkOptions(
  { run, prune, keep, check, limit, json, objects, save }: RunsOptions,
  diagnostics: Diagnostics,
): void {
  if (prune === true && run !== undefined) diagnostics.error('--prune removes the oldest runs: it takes no RUN');
  if (prune === true && json === true) diagnostics.error('--prune has no --json');
  if (prune !== true && keep !== undefined) diagnostics.error('--keep goes with --prune');
  if (prune !== true && check === true) diagnostics.error('--check goes with --prune');
  const wantsObjects = objects === true ? '--objects' : save !== undefined ? '--save' : undefined;
  if (wantsObjects !== undefined && run === undefined)
    diagnostics.error(`${wantsObjects} needs a RUN`, undefined, 'such as: evenkeel runs last --objects');
  if (save !== undefined && json === true) diagnostics.error('--save writes JSON files: it has no --json');
  if (limit !== undefined && (run !== undefined || prune === true)) diagnostics.error('--limit goes with the list');
}

async function answer(project: Project, options: RunsOptions, context: CommandContext): Promise<void> {
  const { stateDirectory } = project;
  const { stdout, stderr, env } = context;
  const colour = colourWanted(stdout, env, options.color);
  if (options.prune === true) {
    const { keep = DEFAULT_KEPT, check = false } = options;
    stdout.write(pruneText(await pruneRuns(stateDirectory, { keep, check, lifeOf: lifeOfProcess }), check));
  } else if (options.run !== undefined) {
    const detail = await runDetail(stateDirectory, await findRun(stateDirectory, options.run));
    const text = (): string => detailText(detail, colour, stdout.columns, configOption(project));
    stdout.write(options.json === true ? jsonText(detail) : text(), options);
  } else {
    const runs = await newest(stateDirectory, options, context);
    if (options.json === true) stdout.write(jsonText(runs), options);
    else if (runs.length > 0) stdout.write(runListText(runs, colour, stdout.columns));
    else stderr.write(`no runs are kept in ${runsFolder(stateDirectory)} yet\n`);
  }
}

async function answerObjects(
  stateDirectory: string,
  id: string,
  { objects: shown, save, json, color }: RunsOptions,
  context: CommandContext,
): Promise<number> {
  const { stdout, env, cwd, signals } = context;
  const lost = new Set<string>();
  if (save !== undefined) {
    signals.takeOver?.();
    await withRunObjects(stateDirectory, id, async (objects) => {
      stdout.write(savedText(await saveObjects(noting(objects, lost), path.resolve(cwd, save)), save));
    });
  }
  if (shown === true)
    await withRunObjects(stateDirectory, id, async (found) => {
      const objects = noting(found, lost);
      const colour = colourWanted(stdout, env, color);
      for (const part of json === true ? objectsJson(objects) : objectsText(objects, colour)) {
        stdout.write(part, { json });
        if (!(await stdout.keptUp())) return;
      }
    });
  if (lost.size === 0) return EXIT.ok;
  const hint = 'restore the folder of the run from a backup';
  const diagnostics = [...lost].map((message) => ({ severity: 'error', message, hint }) as const);
  return refuse(diagnostics, context, color);
}

/** Notes the objects of which something is lost. */
function* noting(objects: Iterable<RunObject>, lost: Set<string>): Iterable<RunObject> {
  for (const one of objects) {
    if (one.lost !== undefined) lost.add(`${one.object ?? 'an object'} on ${one.controller}: ${one.lost}`);
    yield one;
  }
}

/** Reads only the headers of listed runs. Reports an invalid header and leaves out its run. */
async function newest(
  stateDirectory: string,
  { limit = LISTED, color }: RunsOptions,
  context: CommandContext,
): Promise<readonly ListedRun[]> {
  const ids = (await listRuns(stateDirectory)).slice(0, limit);
  const diagnostics = new Diagnostics();
  const runs: ListedRun[] = [];
  for (const id of ids) {
    try {
      const { header } = await readHeader(stateDirectory, id);
      runs.push(listedRun(header, lifeOfProcess(header.process)));
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      diagnostics.warn(error.message, undefined, error.hint);
    }
  }
  show(diagnostics.list, context, color);
  return runs;
}

function jsonText(value: unknown): string {
  return `${toJson(value, null, 2)}\n`;
}

/** Each written object as it was before the run, as YAML. */
function* objectsText(objects: Iterable<RunObject>, colour: boolean): Iterable<string> {
  const palette = createPalette(colour);
  let isFirst = true;
  for (const object of objects) {
    if (!isFirst) yield '\n';
    isFirst = false;
    yield `${palette.strong(writeLine({ ...object, target: object.controller }))}\n`;
    if (object.before === null) yield `  ${palette.faint(whyNothing(object))}\n`;
    else for (const line of yamlLines(object.before)) yield `  ${line}\n`;
  }
  if (isFirst) yield 'the run wrote no object\n';
}

function whyNothing({ object, method, module, lost }: RunObject): string {
  if (lost !== undefined && method !== 'POST') return 'cannot be read from the folder of the run';
  if (object === undefined) return 'no_log masks it';
  if (module === 'api_request') return 'not read: api_request sends what a task says, not an object';
  return method === 'POST' ? 'did not exist' : 'the controller did not show it';
}

/** A JSON list, one object after the other. */
function* objectsJson(objects: Iterable<RunObject>): Iterable<string> {
  let before = '[\n';
  for (const object of objects) {
    yield before + toJson(object, null, 2);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function savedText({ saved, without }: SavedObjects, folder: string): string {
  const rest = without === 0 ? '' : `; nothing to save for ${count(without, 'write')} (created, raw, masked or lost)`;
  return `saved ${count(saved, 'object')} in ${folder}${rest}\n`;
}
