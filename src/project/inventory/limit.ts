import path from 'node:path';
import { splitTerms } from '../../core/model/inventory/pattern_terms.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Source } from '../../core/model/source/source.js';
import { readText } from '../document/read_file_text.js';

/** A part of a limit; a line of a file may contain several terms. */
export interface LimitPart {
  readonly pattern: string;
  /** Absent: it came from the command line. */
  readonly source: Source | undefined;
}

/**
 * The patterns of `--limit`. A term `@FILE` is replaced by the lines of that file, one pattern per line; empty lines and those that begin
 * with `#` are ignored. An empty limit is an error, because no limit means every controller. Undefined after an error.
 *
 * @param source of a limit that a file sets
 */
export async function readLimit(
  limit: string,
  cwd: string,
  diagnostics: Diagnostics,
  source?: Source,
): Promise<readonly LimitPart[] | undefined> {
  const parts: LimitPart[] = [];
  const before = diagnostics.list.length;
  for (const term of splitTerms(limit)) {
    if (!term.startsWith('@')) parts.push({ pattern: term, source });
    else if (term === '@') diagnostics.error('"@" in a limit must be followed by the name of a file', source);
    else for (const line of await readLimitLines(term.slice(1), cwd, diagnostics)) parts.push(line);
  }
  if (diagnostics.list.length > before) return undefined;
  if (parts.length > 0) return parts;
  diagnostics.error('the limit is empty: it names no controllers', source, 'omit --limit to select all of them');
  return undefined;
}

async function readLimitLines(file: string, cwd: string, diagnostics: Diagnostics): Promise<readonly LimitPart[]> {
  const text = await readText(path.resolve(cwd, file), diagnostics, `the limit file ${file}`, file);
  return (text ?? '').split(/\r?\n/).flatMap((line, index) => {
    const pattern = line.trim();
    const source = { file, line: index + 1, column: line.indexOf(pattern) + 1 };
    return pattern === '' || pattern.startsWith('#') ? [] : [{ pattern, source }];
  });
}
