import { resolveName } from '../../core/files/paths.js';
import { type Inventory, LOCALHOST_NAMES } from '../../core/model/inventory/inventory.js';
import { GROUPS_HINT, nearestTarget, selectControllers, wrongTerms } from '../../core/model/inventory/pattern.js';
import { joinPatterns, splitTerms } from '../../core/model/inventory/pattern_terms.js';
import { isInShard, type Shard } from '../../core/model/run/shard.js';
import { Diagnostics, type Source } from '../../core/model/source/diagnostic.js';
import { readText } from '../../project/document/read_file_text.js';
import type { Environment } from '../../project/project/project.js';
import { count } from '../../reporting/text/words.js';
import type { RequestedTarget, Within } from '../request/run_request.js';

interface Limit {
  /** For messages: the origin of the limit, without and with its pattern. */
  readonly title: string;
  readonly shown: string;
  readonly pattern: string;
  /** Absent: it was typed on the command line. */
  readonly source?: Source;
}

/** The limit of the environment, unless `within` replaces it, and those of the command line. */
export function collectLimits(
  options: Pick<RequestedTarget, 'within' | 'limit'>,
  environment: Environment | undefined,
): readonly Limit[] {
  const limits: Limit[] = [];
  if (environment?.limit !== undefined && options.within === undefined) {
    const of = `of the environment "${environment.name}"`;
    const { value: pattern, source } = environment.limit;
    limits.push({ title: `the limit ${of}`, shown: `the limit "${pattern}" ${of}`, pattern, source });
  }
  if (options.limit !== undefined)
    limits.push({ title: '--limit', shown: `--limit "${options.limit}"`, pattern: options.limit });
  return limits;
}

/** Applies all limits: `--limit` can narrow the limit of an environment, but not widen it. */
export async function selectLimited(
  inventory: Inventory,
  { within, limits }: { readonly within: Within | undefined; readonly limits: readonly Limit[] },
  cwd: string,
  diagnostics: Diagnostics,
): Promise<ReadonlySet<string> | undefined> {
  let selected = within && new Set(within.controllers);
  if (within?.known !== undefined && inventory.partial !== true)
    (await import('./gone_controllers.js')).reportGone(inventory, within, diagnostics);
  for (const { title, shown, pattern: written, source } of limits) {
    const parts = await readLimit(written, cwd, diagnostics, source);
    if (parts === undefined) continue;
    const { names, unmatched, error } = selectControllers(inventory, joinPatterns(parts.map(({ pattern }) => pattern)));
    if (error !== undefined || (unmatched.length > 0 && inventory.partial !== true)) {
      reportWrongTerms(inventory, title, parts, diagnostics);
      continue;
    }
    const before = selected;
    selected = new Set(before === undefined ? names : names.filter((name) => before.has(name)));
    if (inventory.partial === true) continue;
    if (names.length === 0) diagnostics.error(`${shown} selects no controller`, source);
    else if (selected.size === 0) {
      const message = `${shown} selects no controller of this ${within === undefined ? 'environment' : 'run'}`;
      diagnostics.error(message, source);
    }
  }
  return selected;
}

/** A file may list thousands of controllers of another inventory. */
const MOST_TERMS = 20;

/** Reports each term that selects nothing: probably a typo. */
export function reportWrongTerms(
  inventory: Inventory,
  title: string,
  parts: readonly LimitPart[],
  diagnostics: Diagnostics,
): void {
  const wrong = parts.flatMap(({ pattern, source }) =>
    wrongTerms(inventory, pattern)
      .filter(({ why }) => why !== undefined || inventory.partial !== true)
      .map((term) => ({ ...term, source })),
  );
  for (const { name, why, source } of wrong.slice(0, MOST_TERMS)) {
    const message = why ?? `"${name}" matches no controller of the inventory`;
    const hint = why === undefined ? (nearestTarget(inventory, name) ?? GROUPS_HINT) : undefined;
    diagnostics.error(`${title}: ${message}`, source, hint);
  }
  if (wrong.length > MOST_TERMS)
    diagnostics.error(
      `${title}: ${count(wrong.length - MOST_TERMS, 'more term')} without a controller of the inventory`,
    );
}

/** The limit's controllers that belong to the shard. `localhost` needs no inventory entry, so it is added. */
export function inShard(
  limit: ReadonlySet<string> | undefined,
  shard: Shard,
  { controllers }: Inventory,
): ReadonlySet<string> {
  const names = limit ?? [...controllers.keys(), ...LOCALHOST_NAMES];
  return new Set([...names].filter((name) => isInShard(name, shard)));
}

/** A part of a limit; a line of a file may contain several terms. */
export interface LimitPart {
  readonly pattern: string;
  /** Absent: it came from the command line. */
  readonly source: Source | undefined;
}

/**
 * The patterns of `--limit`. A term `@FILE` is replaced by the lines of that file, one pattern per line, without comments (`# …`). An empty limit is an error, because no limit means every controller. Undefined after an error.
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
    // With a comma it stays one term: `!fd00::7`.
    if (!term.startsWith('@')) parts.push({ pattern: /[:\s]/.test(term) ? `${term},` : term, source });
    else if (term === '@') diagnostics.error('"@" in a limit must be followed by the name of a file', source);
    else for (const line of await readLimitLines(term.slice(1), cwd, diagnostics)) parts.push(line);
  }
  if (diagnostics.list.length > before) return undefined;
  if (parts.length > 0) return parts;
  diagnostics.error('the limit is empty: it names no controllers', source, 'omit --limit to select all of them');
  return undefined;
}

async function readLimitLines(file: string, cwd: string, diagnostics: Diagnostics): Promise<readonly LimitPart[]> {
  const found = new Diagnostics();
  const text = await readText(resolveName(cwd, file), found, `the limit file ${file}`, file);
  const retryHint = file.endsWith('.retry')
    ? 'no run writes it: --rerun last runs where the last run failed'
    : undefined;
  diagnostics.add(found.list.map((one) => ({ ...one, hint: one.hint ?? retryHint })));
  return (text ?? '').split(/\r?\n/).flatMap((line, index) => {
    const pattern = line.replace(/(?:^|\s)#.*/, '').trim();
    return pattern === '' ? [] : [{ pattern, source: { file, line: index + 1, column: line.indexOf(pattern) + 1 } }];
  });
}
