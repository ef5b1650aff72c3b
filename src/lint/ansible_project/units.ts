/** A play, a block or a task of a file, where it begins. */
export interface Unit {
  readonly type: 'play' | 'block' | 'task';
  /** From 1. */
  readonly line: number;
  /** Of its dash, from 1. */
  readonly column: number;
}

interface List {
  readonly indent: number;
  readonly of: 'plays' | 'steps';
  /** Where the keys of the current item stand. */
  keys: number;
}

const OF_PLAYS = /^(?:tasks|pre_tasks|post_tasks|handlers):\s*(?:#.*)?$/;
const OF_STEPS = /^(?:block|rescue|always):\s*(?:#.*)?$/;

/**
 * The units of a playbook or of a file of tasks, in order. Read from the layout of the lines, so that it works for files with mistakes too,
 * and costs no second parse; lists in brackets are not looked into.
 */
export function unitsOf(text: string, of: 'plays' | 'steps'): readonly Unit[] {
  const units: { type: Unit['type']; line: number; column: number }[] = [];
  const lists: List[] = [];
  let awaited: { readonly indent: number; readonly of: List['of'] } | undefined = { indent: 0, of };
  for (const [index, line] of text.split('\n').entries()) {
    const indent = line.search(/\S/);
    const isItem = /^\s*-(?:\s|$)/.test(line);
    if (indent === -1 || line[indent] === '#' || /^(?:---|\.\.\.|%)/.test(line)) continue;
    while (lists.length > 0 && isBehind(lists.at(-1), indent, isItem)) lists.pop();
    if (isItem && awaited !== undefined && indent >= awaited.indent) lists.push({ indent, of: awaited.of, keys: 0 });
    const list = lists.at(-1);
    if (isItem || list === undefined || indent <= list.keys) awaited = undefined;
    if (list === undefined) continue;
    const rest = line.slice(indent).replace(/^-\s*/, '');
    if (isItem && indent === list.indent) {
      list.keys = line.length - rest.length;
      units.push({ type: list.of === 'plays' ? 'play' : 'task', line: index + 1, column: indent + 1 });
    } else if (indent !== list.keys) continue;
    const opens = (list.of === 'plays' ? OF_PLAYS : OF_STEPS).test(rest.trimEnd());
    if (!opens) continue;
    awaited = { indent: list.keys, of: 'steps' };
    const own = units.findLast(({ column }) => column === list.indent + 1);
    if (own?.type === 'task') own.type = 'block';
  }
  return units;
}

function isBehind(list: List | undefined, indent: number, isItem: boolean): boolean {
  return list !== undefined && (indent < list.indent || (indent === list.indent && !isItem));
}

/** The innermost unit that a place is in. */
export function unitAt(units: readonly Unit[], { line, column }: Pick<Unit, 'line' | 'column'>): Unit | undefined {
  return units.findLast((unit) => unit.line <= line && (unit.column < column || unit.line === line));
}
