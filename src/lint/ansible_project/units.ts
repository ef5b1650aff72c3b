/** A play, an import of plays, a block or a task of a file, where it begins. */
export interface Unit {
  readonly type: 'play' | 'import' | 'block' | 'task';
  /** From 1. */
  readonly line: number;
  /** The column of its dash, from 1. */
  readonly column: number;
}

/** What a file or a list has in it. */
export type FileContent = 'plays' | 'steps';

interface List {
  readonly indent: number;
  readonly content: FileContent;
  /** The column of the keys of the current item. */
  keys: number;
}

const IN_PLAYS = /^(?:tasks|pre_tasks|post_tasks|handlers):\s*(?:#.*)?$/;
const IMPORT = /^(?:ansible\.builtin\.)?import_playbook:/;
const IN_STEPS = /^(?:block|rescue|always):\s*(?:#.*)?$/;

/**
 * The units of a playbook or of a file of tasks, in order. Read from the layout of the lines, so that it works for
 * files with mistakes too, and costs no second parse; lists in brackets are not looked into.
 */
export function countableUnits(lines: readonly string[], content: FileContent): readonly Unit[] {
  const units: { type: Unit['type']; line: number; column: number }[] = [];
  const lists: List[] = [];
  let awaited: Omit<List, 'keys'> | undefined = { indent: 0, content };
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/);
    const isItem = /^\s*-(?:\s|$)/.test(line);
    if (indent === -1 || line[indent] === '#' || /^(?:---|\.\.\.|%)/.test(line)) continue;
    while (lists.length > 0 && hasEnded(lists.at(-1), indent, isItem)) lists.pop();
    if (isItem && awaited !== undefined && indent >= awaited.indent)
      lists.push({ indent, content: awaited.content, keys: 0 });
    const list = lists.at(-1);
    if (isItem || list === undefined || indent <= list.keys) awaited = undefined;
    if (list === undefined) continue;
    const rest = line.slice(indent).replace(/^-\s*/, '');
    if (isItem && indent === list.indent) {
      list.keys = line.length - rest.length;
      units.push({ type: list.content === 'plays' ? 'play' : 'task', line: index + 1, column: indent + 1 });
    } else if (indent !== list.keys) continue;
    const own = units.findLast(({ column }) => column === list.indent + 1);
    if (own?.type === 'play' && IMPORT.test(rest)) own.type = 'import';
    const opens = (list.content === 'plays' ? IN_PLAYS : IN_STEPS).test(rest.trimEnd());
    if (!opens) continue;
    awaited = { indent: list.keys, content: 'steps' };
    if (own?.type === 'task') own.type = 'block';
  }
  return units;
}

function hasEnded(list: List | undefined, indent: number, isItem: boolean): boolean {
  return list !== undefined && (indent < list.indent || (indent === list.indent && !isItem));
}

/** The innermost unit that a line is in: all lines between are indented more than it. Findings stand anywhere in the line. */
export function unitAt(units: readonly Unit[], line: number, lines: readonly string[]): Unit | undefined {
  let [least, above] = [Infinity, line];
  return units.findLast((unit) => {
    if (unit.line > line) return false;
    for (; above > unit.line && least > 0; above--) least = Math.min(least, indentOfContent(lines[above - 1]));
    return unit.column <= least;
  });
}

function indentOfContent(line = ''): number {
  const indent = line.search(/\S/);
  return indent === -1 || line[indent] === '#' ? Infinity : indent;
}
