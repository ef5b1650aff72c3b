import type { Block, Handler, Step } from '../../core/model/playbook/step.js';
import { isList } from '../../core/model/values/value.js';
import type { Cursor } from '../document/cursor.js';
import { template } from '../document/templated.js';
import type { Inherited } from '../keywords/inherited.js';
import { checkKeyword, keywordsAt } from '../keywords/keywords.js';
import { readLoop } from '../keywords/loop.js';
import { openInnerContext, searchPathLayer, type InnerContext, type ReadContext } from '../task/read_context.js';

const SECTIONS = ['block', 'rescue', 'always'] as const;

export function isBlock(cursor: Cursor): boolean {
  return cursor.entries().some(({ name }) => SECTIONS.some((section) => section === name));
}

/** `block`, `rescue` and `always`, and the keywords that the steps inside inherit. */
export async function loadBlock(cursor: Cursor, around: ReadContext, outer: Inherited): Promise<Block> {
  checkKeys(cursor, around);
  const { name, context, inherited } = enterBlock(cursor, around, outer);
  const section = (key: (typeof SECTIONS)[number]): Promise<readonly Step[]> =>
    context.reader.load.tasks(cursor.get(key), context, inherited);
  return {
    type: 'block',
    name,
    source: cursor.source,
    steps: await section('block'),
    rescue: await section('rescue'),
    always: await section('always'),
    loop: readLoop(cursor),
    layers: [...inherited.layers, searchPathLayer(context)],
  };
}

/**
 * Loads a block among the handlers: each of its tasks is a handler. Ignores the rest of the block, as Ansible does, which
 * also refuses a block inside.
 */
export function loadHandlerBlock(cursor: Cursor, around: ReadContext, outer: Inherited): Promise<readonly Handler[]> {
  checkKeys(cursor, around);
  const { name, context, inherited } = enterBlock(cursor, around, outer);
  if (name !== undefined) context.parts.handlerBlocks.push(name.value);
  for (const item of cursor.entries()) {
    if (/^(?:rescue|always|loop|loop_control|with_.*)$/.test(item.name)) {
      item.errorAtKey(`"${item.name}" does nothing on a block of handlers`, 'each task of it is a handler by itself');
    }
  }
  const tasks = cursor.get('block');
  const [inner] = isList(tasks?.value) ? tasks.items().filter(isBlock) : [];
  inner?.error('a block of handlers cannot contain a block', 'write its tasks in the block around it');
  return context.reader.load.handlers(tasks, context, inherited);
}

type EnteredBlock = InnerContext & Pick<Block, 'name'>;

function enterBlock(cursor: Cursor, around: ReadContext, outer: Inherited): EnteredBlock {
  const name = template(cursor.get('name'));
  const title = name === undefined ? 'a block' : `"${name.value}"`;
  return { name, ...openInnerContext(cursor, around, outer, title) };
}

function checkKeys(cursor: Cursor, { reader: { modules } }: ReadContext): void {
  for (const item of cursor.entries()) {
    if (!keywordsAt('block').known.includes(item.name) && modules.has(item.name)) {
      item.errorAtKey(
        'a block holds steps and calls no module itself',
        `put "${item.name}" into the list under "block"`,
      );
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
