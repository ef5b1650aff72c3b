import { isEqual, leavesIn, mapLeaves, valueAt, type Value } from '../core/model/values/value.js';
import { MASK } from '../core/secrets/secrets.js';
import { JournalError, listRuns } from '../record/journal/format/run_folders.js';
import { JOURNAL_VERSION, readHeader, type RunHeader } from '../record/journal/format/run_header.js';
import { objectNameKey, type ObjectWrite } from '../record/journal/read/past_writes.js';
import { withRun } from '../record/journal/read/read_run.js';
import { ownIdentity } from '../record/locks/process_identity.js';
import { count } from '../reporting/text/words.js';
import type { DriftedObject } from './collector.js';

/** Why an object differs, as far as the project's journals show. */
export type DriftOrigin =
  /** No run in the journal has written it. */
  | { readonly type: 'never applied' }
  /** No run whose journal can be read has written it. */
  | { readonly type: 'unknown' }
  /** It has changed since that run. */
  | { readonly type: 'changed since'; readonly run: string }
  /** It has not changed since that run: the playbook or its variables have. */
  | { readonly type: 'declared anew'; readonly run: string }
  /** That run wrote it, but the result of the write is unknown. */
  | { readonly type: 'unknown since'; readonly run: string };

/** The maximum number of journals to read. */
const MOST_RUNS = 50;

export interface Origins {
  readonly judge: (object: DriftedObject) => DriftOrigin;
  /** What could not be read. */
  readonly warnings: readonly string[];
}

/** The run that found the objects. */
interface CheckRun {
  readonly id: string;
  readonly simulated: boolean;
  /** Where the inventory leads each host. */
  readonly reached: ReadonlyMap<string, string>;
}

/** Looks the objects up in the journals of earlier runs, the newest first, until all are found. */
export async function findOrigins(
  objects: readonly DriftedObject[],
  stateDirectory: string | undefined,
  { id, simulated, reached }: CheckRun,
): Promise<Origins> {
  const keyed = ({ address, target, tenant, object }: DriftedObject): string =>
    objectNameKey({ address: address ?? reached.get(target) ?? '', target, tenant, object });
  const wanted = new Set(objects.map(keyed));
  const found = new Map<string, { readonly run: string; readonly write: ObjectWrite }>();
  const warnings: string[] = [];
  const warn = (run: string, why: string): void => {
    warnings.push(`cannot look up earlier writes in run ${run}: ${why}`);
  };
  const runs = stateDirectory === undefined || wanted.size === 0 ? [] : await listRuns(stateDirectory).catch(() => []);
  const older: string[] = [];
  let read = 0;
  for (const run of runs.filter((one) => one < id)) {
    if (stateDirectory === undefined || wanted.size === 0 || read === MOST_RUNS) break;
    try {
      const { header } = await readHeader(stateDirectory, run, 1);
      if (!mayHaveWritten(header, simulated)) continue;
      read += 1;
      if (header.schemaVersion < JOURNAL_VERSION) {
        older.push(run);
        continue;
      }
      const problems: string[] = [];
      const onBroken = (problem: string): number => problems.push(problem);
      const reading = { process: ownIdentity(), onBroken, withoutTasks: true };
      const writes = await withRun(stateDirectory, run, reading, ({ objectWrites }) =>
        objectWrites((key) => wanted.has(key)),
      );
      for (const problem of problems.slice(0, 1)) warn(run, problem);
      for (const [key, write] of writes) {
        wanted.delete(key);
        found.set(key, { run, write });
      }
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      warn(run, error.message);
    }
  }
  if (older.length > 0)
    warnings.push(
      `${count(older.length, 'run')} of earlier versions of evenkeel, the newest ${older[0]}, cannot be looked up`,
    );
  const nowhere: DriftOrigin = { type: warnings.length > 0 ? 'unknown' : 'never applied' };
  const judge = (object: DriftedObject): DriftOrigin => {
    const last = found.get(keyed(object));
    return last === undefined ? nowhere : judgeOrigin(object, last);
  };
  return { judge, warnings };
}

/** `wrote` is absent if the run is still running or was cut off. */
function mayHaveWritten({ check, simulated, end }: RunHeader, wanted: boolean): boolean {
  return !check && simulated === wanted && end?.wrote !== false;
}

function judgeOrigin(
  object: DriftedObject,
  { run, write }: { readonly run: string; readonly write: ObjectWrite },
): DriftOrigin {
  return { type: write.outcome === 'unknown' ? 'unknown since' : sinceWrite(object, write), run };
}

/** A missing object was deleted by a run, or has disappeared since. */
function sinceWrite(
  { kind, now }: DriftedObject,
  { kind: written, seen }: ObjectWrite,
): Exclude<DriftOrigin['type'], 'never applied' | 'unknown'> {
  if (kind === 'create') return written === 'delete' ? 'declared anew' : 'changed since';
  if (written === 'delete') return 'changed since';
  if (kind === 'delete') return 'declared anew';
  if (seen === undefined) return 'unknown since';
  const comparable = now
    .map(({ path, value }) => [plainValue(value), plainValue(valueAt(seen, path))] as const)
    .filter((pair) => !pair.some(hasMask));
  if (comparable.length === 0) return 'unknown since';
  return comparable.every(([a, b]) => isEqual(a, b)) ? 'declared anew' : 'changed since';
}

/** Its path and query, without the address at which the controller was reached and the name of the object. */
const REFERENCE = /^(?:https?:\/\/[^/?#]+(?:\/[^?#]*?)?)?(\/api\/[^#]*)(?:#.*)?$/s;

function plainValue(value: Value = null): Value {
  return mapLeaves(value, (leaf) => (typeof leaf === 'string' ? (REFERENCE.exec(leaf)?.[1] ?? leaf) : leaf));
}

/** Controllers do not show secrets, so they are not compared. */
function hasMask(value: Value): boolean {
  return [...leavesIn(value)].some(([leaf]) => typeof leaf === 'string' && leaf.includes(MASK));
}
