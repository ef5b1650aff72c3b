import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../launch/user_code/user_files.js';

/** A row of a table of a page that ships with Evenkeel. */
export interface PageRow {
  /** The words of the first cell that are names: without arguments and options. */
  readonly names: readonly string[];
  /** The first cell, as plain text. */
  readonly call: string;
  /** The second cell, as plain text. */
  readonly text: string;
  /** `docs/templates.md#lists` */
  readonly place: string;
}

/** The rows of all tables whose first column has this title. The pages are the only place where these texts are written. */
export function pageRows(page: string, title: string): readonly PageRow[] {
  const rows: PageRow[] = [];
  let anchor = '';
  let isInTable = false;
  for (const line of readFileSync(path.join(packageRoot(), page), 'utf8').split('\n')) {
    const heading = /^#+ (.*)$/.exec(line)?.[1];
    if (heading !== undefined)
      anchor = heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-');
    const [first, second = ''] = splitCells(line);
    if (first === undefined) isInTable = false;
    else if (isInTable && !/^-+$/.test(first))
      rows.push({ names: namesIn(first), call: plainText(first), text: plainText(second), place: `${page}#${anchor}` });
    else if (first === title) isInTable = true;
  }
  return rows;
}

function splitCells(line: string): readonly string[] {
  if (!line.startsWith('|')) return [];
  return line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Both ``reverse(list)` `unique(list)`` and ``min` `max` (`list, attribute?`)``, with shared arguments, have two names. */
function namesIn(cell: string): readonly string[] {
  const spans = [...cell.matchAll(/(\((?!and ))?`([^`]+)`/g)].filter(([, isArguments]) => isArguments === undefined);
  return spans.flatMap(([, , text = '']) =>
    text
      .replaceAll(/\(.*/g, '')
      .split(/[\s,]+/)
      .filter((word) => /^(?:community\.general\.)?\w+$/.test(word)),
  );
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`]|\*\*/g, '')
    .replaceAll(String.raw`\|`, '|');
}
