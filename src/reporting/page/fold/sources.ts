import { placeText } from '../../../core/model/source/diagnostic.js';
import { maskedSourceLine } from '../../../core/secrets/mask_source.js';
import { plain } from '../../text/plain.js';
import { displayPath, type HasChanged, SourceFiles } from '../../text/source_files.js';
import type { PageColumn, SourcePosition, TaskText } from '../format/page.js';

/** Maximum number of lines of a task. */
const MOST_LINES = 14;
const LONGEST_LINE = 160;

/** What a page shows of the files of a run. */
export interface Sources {
  /** The file as the user names it. */
  readonly place: (place: SourcePosition) => SourcePosition;
  /** The lines of a task; undefined if they are missing or have changed. */
  readonly task: (place: SourcePosition, task: Pick<PageColumn, 'task' | 'module'>) => TaskText | undefined;
}

/** For a run that has just ended. @param mask knows the secrets of the run */
export function liveSources(cwd: string, mask: (text: string) => string, hasChanged?: HasChanged): Sources {
  return createSources(cwd, (lines, number) => mask(maskedSourceLine(lines, number)), hasChanged);
}

/**
 * For a run that is read from its journal. Without the text that the run kept, its secrets are unknown, and any text in a task may be one. So
 * values are left out, unless they are templates, numbers or booleans.
 *
 * @param kept by position
 */
export function keptSources(cwd: string, kept: ReadonlyMap<string, TaskText> = new Map()): Sources {
  const { place, task } = createSources(cwd, (lines, number) => withoutTexts(maskedSourceLine(lines, number)));
  const read = new Map<string, TaskText | undefined>();
  const readTask: Sources['task'] = (at, about) => {
    const key = `${placeText(at)} ${about.module} ${about.task}`;
    if (!read.has(key)) read.set(key, task(at, about));
    return read.get(key);
  };
  return { place, task: (at, about) => kept.get(placeText(at)) ?? readTask(at, about) };
}

function createSources(
  cwd: string,
  shownLine: (lines: readonly string[], number: number) => string,
  hasChanged?: HasChanged,
): Sources {
  const files = new SourceFiles(cwd, hasChanged);
  return {
    place: (place) => ({ ...place, file: displayPath(place.file, cwd) }),
    task: (place, { task, module }) => {
      const lines = files.lines(place.file);
      const end = lines === undefined ? 0 : endOfTask(lines, place);
      const text = lines?.slice(place.line - 1, end).join('\n') ?? '';
      // The file may have changed since.
      if (lines === undefined || !(text.includes(module) || text.includes(task))) return undefined;
      const shown = Array.from({ length: end - place.line + 1 }, (_, index) => shownLine(lines, place.line + index));
      const named = shown.map((line) => (line.trimStart() === NAMELESS ? line.replace('…', task) : line));
      return { first: place.line, lines: named.map((line) => plain(line).slice(0, LONGEST_LINE)) };
    },
  };
}

/** The number of the task's last line. All its lines are indented at least as far as its first key. */
function endOfTask(lines: readonly string[], { line, column }: SourcePosition): number {
  let end = line;
  for (let number = line + 1; number < line + MOST_LINES && number <= lines.length; number++) {
    const text = lines[number - 1] ?? '';
    if (text.trim() === '') continue;
    if (text.length - text.trimStart().length < column - 1) break;
    end = number;
  }
  return end;
}

/** Replaces the name, which events contain in masked form. */
const NAMELESS = '- name: …';
const KEY = /^(\s*(?:- )*(?:["']?[\w.-]+["']?:(?=\s|$))?\s*)(.*)$/;
const HARMLESS = /^(?:-?\d{1,5}|true|false|yes|no|null|~|[|>][+-]?|(["']?)\{\{[\s\w.[\]()|,+*/-]*\}\}\1)?$/;

function withoutTexts(line: string): string {
  const [, key = '', value = ''] = KEY.exec(line) ?? [];
  return HARMLESS.test(value) ? line : `${key}…`;
}
