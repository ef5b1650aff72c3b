import type { Block, Handler, Meta, MetaAction, Step } from '../../core/model/playbook/step.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { isList, isMapping } from '../../core/model/values/value.js';
import { type Cursor, describeKind, listItems } from '../document/cursor.js';
import { template } from '../document/templated.js';
import { META_ACTIONS } from '../keywords/keyword_table.js';
import { checkKeyword, keywordsAt } from '../keywords/keywords.js';
import { inheritedFrom, readLoop } from '../keywords/step_keywords.js';
import { importRole, includeRole } from '../role/include_role.js';
import type { ModuleCall } from '../task/call.js';
import {
  type InnerContext,
  openInnerContext,
  type ReadContext,
  searchPathLayer,
  type StepKind,
  type StepLoader,
} from '../task/read_context.js';
import { checkStepKeys, stepCall, withKnownWords } from '../task/step_call.js';
import { loadHandler, loadTask, readTopics } from '../task/task.js';
import { readVars } from '../variables/written_variables.js';
import { importTasks, includeTasks, modernInclude } from './include_tasks.js';

/** Keywords of a step that is not an ordinary task. */
const STEP_WORDS = 'meta import_tasks include_tasks import_role include_role import_playbook include'.split(' ');

async function loadStep(given: Cursor, around: InnerContext): Promise<readonly Step[]> {
  const cursor = withKnownWords(given, around);
  if (cursor === undefined) return [];
  if (isBlock(cursor)) return [await loadBlock(cursor, around)];
  const call = isMapping(cursor.value) ? stepCall(cursor, STEP_WORDS) : undefined;
  if (call === undefined) return one(await loadTask(cursor, around));
  switch (call.module) {
    case 'meta':
      return one(loadMeta(cursor, call, around, 'tasks'));
    case 'import_tasks':
      return importTasks('tasks', cursor, call, around);
    case 'include_tasks':
      return one(await includeTasks(cursor, around, 'tasks'));
    case 'import_role':
      return importRole(cursor, call, around);
    case 'include_role':
      return one(await includeRole(cursor, around));
    case 'include': {
      const now = modernInclude(cursor, call, around.context);
      return now === undefined ? [] : loadStep(now, around);
    }
    default:
      refuse(call);
      return [];
  }
}

async function loadHandlerStep(given: Cursor, around: InnerContext): Promise<readonly Handler[]> {
  const { parts } = around.context;
  const cursor = withKnownWords(given, around);
  if (cursor === undefined) {
    parts.mayAddHandlers = true;
    return [];
  }
  if (isBlock(cursor)) return loadHandlerBlock(cursor, around);
  const call = isMapping(cursor.value) ? stepCall(cursor, STEP_WORDS) : undefined;
  if (call === undefined) {
    const handler = await loadHandler(cursor, around);
    // The invalid handler may have that name, so do not report its notifications.
    if (handler === undefined) parts.mayAddHandlers = true;
    return one(handler);
  }
  switch (call.module) {
    case 'import_tasks':
      return importTasks('handlers', cursor, call, around);
    case 'include_tasks': {
      const include = await includeTasks(cursor, around, 'handlers');
      return one(include && { ...include, listen: readTopics(cursor) });
    }
    case 'meta': {
      const meta = loadMeta(cursor, call, around, 'handlers');
      return one(meta && { ...meta, listen: readTopics(cursor) });
    }
    case 'import_role':
    case 'include_role':
      call.cursor.errorAtKey(`"${call.module}" cannot be a handler`, 'notify a handler of the role');
      return [];
    case 'include': {
      const now = modernInclude(cursor, call, around.context);
      return now === undefined ? [] : loadHandlerStep(now, around);
    }
    default:
      refuse(call);
      return [];
  }
}

/** What loads each item of a list. */
type LoadItem<Loaded> = (item: Cursor, around: InnerContext) => Promise<readonly Loaded[]>;

function each<Loaded>(load: LoadItem<Loaded>) {
  return async (cursor: Cursor | undefined, around: InnerContext): Promise<readonly Loaded[]> => {
    const loaded: (readonly Loaded[])[] = [];
    for (const item of listItems(cursor)) loaded.push(await load(item, around));
    return loaded.flat();
  };
}

export const stepLoader: StepLoader = { tasks: each(loadStep), handlers: each(loadHandlerStep) };

function one<T>(step: T | undefined): readonly T[] {
  return step === undefined ? [] : [step];
}

function refuse({ module, cursor }: ModuleCall): void {
  const message = `"${module}" belongs in the list of plays, not in a list of tasks`;
  cursor.errorAtKey(message, 'use import_tasks for a file of tasks');
}

/** `meta: ACTION`; undefined if the action is invalid. */
function loadMeta(
  cursor: Cursor,
  call: ModuleCall,
  { context, inherited: outer }: InnerContext,
  kind: StepKind,
): Meta | undefined {
  checkStepKeys(cursor, call, keywordsAt('meta', kind === 'handlers'), context.reader.modules);
  const name = template(cursor.get('name'));
  const layers = [
    ...outer.layers,
    ...readVars(cursor.get('vars'), 'task vars', name === undefined ? 'vars of meta' : `vars of "${name.value}"`),
    searchPathLayer(context),
  ];
  const { when, tags, anyErrorsFatal, noLog } = inheritedFrom(cursor, outer);
  const action = readMetaAction(call);
  if (action === undefined) return undefined;
  if (kind === 'handlers' && action === 'flush_handlers')
    return call.cursor.error('"flush_handlers" cannot be a handler: it runs the handlers');
  if (action === 'end_role' && (context.role === undefined || kind === 'handlers')) {
    const hint = 'to end the play for a controller, write end_host';
    return call.cursor.error('"end_role" belongs among the tasks of a role', hint);
  }
  const { source } = cursor;
  return { type: 'meta', action, name, role: context.role?.name, source, when, tags, layers, anyErrorsFatal, noLog };
}

function readMetaAction({ args, cursor }: ModuleCall): MetaAction | undefined {
  const listed = `use one of ${META_ACTIONS.join(', ')}`;
  if (typeof args !== 'string')
    return cursor.errorAtKey(`"meta" takes the name of an action, not ${describeKind(args)}`, listed);
  const written = args.trim();
  const action = META_ACTIONS.find((one) => one === written);
  if (action !== undefined) return action;
  if (written === 'refresh_inventory') {
    cursor.error(
      '"refresh_inventory" is not possible: a run reads its inventory once, because preflight, confirmation and resume need its first state',
      'add new controllers with add_host, or move the plays after it to another playbook and start that with a second "evenkeel run"',
    );
  } else cursor.error(`there is no meta action "${written}"`, didYouMean(written, META_ACTIONS) ?? listed);
  return undefined;
}

const SECTIONS = ['block', 'rescue', 'always'] as const;

function isBlock(cursor: Cursor): boolean {
  return cursor.entries().some(({ name }) => SECTIONS.some((section) => section === name));
}

/** `block`, `rescue` and `always`, and the keywords that the steps inside inherit. */
async function loadBlock(cursor: Cursor, around: InnerContext): Promise<Block> {
  checkKeys(cursor, around.context);
  const { name, ...inside } = enterBlock(cursor, around);
  const { context, inherited } = inside;
  const { anyErrorsFatal, ignoreErrors, noLog, runOnce, when } = inherited;
  for (const key of ['label', 'parallel'])
    cursor.get('loop_control')?.get(key)?.errorAtKey(`"${key}" does nothing in the loop of a block`);
  const section = (key: (typeof SECTIONS)[number]): Promise<readonly Step[]> =>
    context.reader.load.tasks(cursor.get(key), inside);
  return {
    type: 'block',
    name,
    source: cursor.source,
    steps: await section('block'),
    rescue: await section('rescue'),
    always: await section('always'),
    loop: readLoop(cursor),
    layers: [...inherited.layers, searchPathLayer(context)],
    anyErrorsFatal,
    ignoreErrors,
    noLog,
    runOnce,
    when,
  };
}

/**
 * Loads a block among the handlers: each of its tasks is a handler. Ignores the rest of the block, as Ansible does, which
 * also refuses a block inside.
 */
function loadHandlerBlock(cursor: Cursor, around: InnerContext): Promise<readonly Handler[]> {
  checkKeys(cursor, around.context);
  const { name, ...inside } = enterBlock(cursor, around);
  const { reader, parts } = inside.context;
  if (name !== undefined) parts.handlerBlocks.push(name.value);
  for (const item of cursor.entries()) {
    if (/^(?:rescue|always|loop|loop_control|with_.*)$/.test(item.name))
      item.errorAtKey(`"${item.name}" does nothing on a block of handlers`, 'each task of it is a handler by itself');
  }
  const tasks = cursor.get('block');
  const [inner] = isList(tasks?.value) ? tasks.items().filter(isBlock) : [];
  inner?.error('a block of handlers cannot contain a block', 'write its tasks in the block around it');
  return reader.load.handlers(tasks, inside);
}

function enterBlock(cursor: Cursor, around: InnerContext): InnerContext & Pick<Block, 'name'> {
  const name = template(cursor.get('name'));
  return { name, ...openInnerContext(cursor, around, name === undefined ? 'a block' : `"${name.value}"`) };
}

function checkKeys(cursor: Cursor, { reader: { modules } }: ReadContext): void {
  for (const item of cursor.entries()) {
    if (!keywordsAt('block').known.includes(item.name) && modules.has(item.name)) {
      const message = 'a block holds steps and calls no module itself';
      item.errorAtKey(message, `put "${item.name}" into the list under "block"`);
    } else checkKeyword(item, keywordsAt('block'));
  }
  if (isFilled(cursor.get('block'))) return;
  for (const key of ['rescue', 'always']) {
    const section = cursor.get(key);
    if (section !== undefined && isFilled(section)) section.errorAtKey(`"${key}" needs steps under "block"`);
  }
}

function isFilled(section: Cursor | undefined): boolean {
  return section !== undefined && section.items().length > 0;
}
