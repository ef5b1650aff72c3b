import type { Handler, Step } from '../../model/playbook/step.js';
import type { Call } from '../task/call.js';
import type { Cursor } from '../document/cursor.js';
import { handInward, type InnerContext } from '../task/enter.js';
import { findTaskFile, type StepKind } from '../task/find_task_file.js';
import type { Inherited } from '../keywords/inherited.js';
import { IMPORT_TASKS } from '../keywords/keywords.js';
import { knownText } from '../task/known_text.js';
import { readHandlers, readSteps, type StepFile } from '../task/read_steps.js';
import { importCircle, type ReadContext } from '../task/read_context.js';
import { checkStepKeys, fileNamed } from '../task/step_call.js';

/** The steps of the file that `import_tasks` names, with the keywords of the import. */
export async function importTasks(
  cursor: Cursor,
  call: Call,
  context: ReadContext,
  inherited: Inherited,
): Promise<readonly Step[]> {
  const found = locate(cursor, call, context, inherited, 'tasks');
  return found === undefined ? [] : (await readSteps(found.file, found.context, found.inherited)).steps;
}

/** The same among the handlers. */
export async function importHandlers(
  cursor: Cursor,
  call: Call,
  context: ReadContext,
  inherited: Inherited,
): Promise<readonly Handler[]> {
  const found = locate(cursor, call, context, inherited, 'handlers');
  return found === undefined ? [] : (await readHandlers(found.file, found.context, found.inherited)).handlers;
}

type Found = InnerContext & { readonly file: StepFile };

function locate(cursor: Cursor, call: Call, around: ReadContext, outer: Inherited, kind: StepKind): Found | undefined {
  checkStepKeys(cursor, call, IMPORT_TASKS, around.reader.modules);
  const inside = handInward(cursor, around, outer, 'block vars', 'import_tasks');
  const named = fileNamed(cursor, call);
  if (named === undefined) return undefined;
  const name = knownText(named.name, named.at, inside, 'use include_tasks, whose file is chosen during the run');
  const path = name === undefined ? undefined : findTaskFile(name, named.at, inside.context, kind, 'import');
  if (path === undefined) return undefined;
  const circle = importCircle(path, around);
  if (circle !== undefined) {
    named.at.error(`import cycle: ${circle}`, 'include_tasks with a condition may repeat a file');
    return undefined;
  }
  return { ...inside, file: { path, written: name, at: cursor } };
}
