import path from 'node:path';
import type { Diagnostics } from '../model/diagnostic.js';
import { joinPatterns, splitTerms } from '../model/pattern_terms.js';
import { readText } from './file.js';

/**
 * The pattern that `--limit` means: a term `@FILE` stands for the lines of that file, one pattern a line; empty lines and
 * those that begin with `#` mean nothing. A limit that names nothing is an error, since without one every controller
 * would be meant. Undefined after an error.
 */
export async function readLimit(limit: string, cwd: string, diagnostics: Diagnostics): Promise<string | undefined> {
  const terms: string[] = [];
  const before = diagnostics.list.length;
  for (const term of splitTerms(limit)) {
    if (term.startsWith('@')) terms.push(...(await linesOf(term.slice(1), cwd, diagnostics)));
    else terms.push(term);
  }
  if (diagnostics.list.length > before) return undefined;
  if (terms.length > 0) return joinPatterns(terms);
  diagnostics.error('the limit is empty: it names no controllers', undefined, 'leave --limit out to mean all of them');
  return undefined;
}

async function linesOf(file: string, cwd: string, diagnostics: Diagnostics): Promise<readonly string[]> {
  if (file === '') {
    diagnostics.error('"@" in a limit must be followed by the name of a file');
    return [];
  }
  const text = await readText(path.resolve(cwd, file), diagnostics, `the limit file ${file}`, file);
  return (text ?? '').split(/\r?\n/).flatMap((line) => {
    const term = line.trim();
    return term === '' || term.startsWith('#') ? [] : [term];
  });
}
