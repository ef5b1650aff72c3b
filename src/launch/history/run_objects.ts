import path from 'node:path';
import { whyFailed, makeFolder } from '../../core/files/paths.js';
import { writeNewFile } from '../../core/files/replace_file.js';
import { LoadError } from '../../core/model/source/diagnostic.js';
import { jsonText, type Value } from '../../core/model/values/value.js';
import { maskValue } from '../../core/secrets/mask_value.js';
import { Secrets } from '../../core/secrets/secrets.js';
import { JournalError } from '../../record/journal/format/run_folders.js';
import { withRun, type WrittenObject } from '../../record/journal/read/read_run.js';
import type { ShownWrite } from '../../record/journal/read/shown_writes.js';
import { ownIdentity } from '../../record/locks/process_identity.js';

/** An object that a run wrote, before and after it. Secrets are masked. */
export interface RunObject extends Pick<ShownWrite, 'controller' | 'task' | 'module' | 'method'> {
  /** The number of the write in the run, from 1. */
  readonly write: number;
  /** Absent if `no_log` masks it. */
  readonly object?: string;
  /** Absent if `no_log` masks it. */
  readonly path?: string;
  readonly outcome: WrittenObject['outcome'];
  /** Null: it did not exist, the controller did not show it, or `no_log` masks it. */
  readonly before: Value;
  /** Why values of it cannot be shown that the journal has: their files are gone or damaged. */
  readonly lost?: string;
  /** As the controller returned it after the write, otherwise as it was written. */
  readonly after: Value;
}

/**
 * Reads the objects that a run wrote, in the order of the writes and one at a time: objects may be large.
 *
 * @throws JournalError if there is no such run, or its journal or key cannot be read
 */
export function withRunObjects<T>(
  stateDirectory: string,
  id: string,
  use: (objects: Iterable<RunObject>) => Promise<T>,
): Promise<T> {
  return withRun(stateDirectory, id, { process: ownIdentity() }, ({ writes }) => use(shownObjects(writes())));
}

function* shownObjects(writes: readonly WrittenObject[]): Iterable<RunObject> {
  for (const write of writes) yield shownObject(write);
}

function shownObject(written: WrittenObject): RunObject {
  const { intent, outcome } = written;
  const { write, target: controller, task, module, method } = intent;
  const common = { write, controller, task, module, method, ...written.shown, outcome };
  if (intent.hidden === true) return { ...common, before: null, after: null };
  const { change } = intent;
  const secrets = new Secrets();
  for (const text of written.masked) secrets.add(text);
  const losses = new Set<string>();
  const shown = (read: () => Value | undefined): Value => {
    try {
      return maskValue(read() ?? null, secrets);
    } catch (error) {
      if (!(error instanceof LoadError)) throw error;
      losses.add(error.message);
      return null;
    }
  };
  const before = shown(() => (change.kind === 'none' ? null : change.before));
  const after = shown(() => written.seen ?? (change.kind === 'none' ? null : change.after));
  const lost = losses.size > 0 && { lost: [...losses].join('; ') };
  return { ...common, before, after, ...lost };
}

export interface SavedObjects {
  readonly saved: number;
  /** Writes without an object to save, because it did not exist or cannot be shown. */
  readonly without: number;
}

/**
 * Writes each object, as it was before its write, to `FOLDER/CONTROLLER/NUMBER-OBJECT.json`, readable by the owner
 * only.
 *
 * @throws JournalError if a file exists already or cannot be written
 */
export async function saveObjects(objects: Iterable<RunObject>, folder: string): Promise<SavedObjects> {
  let [saved, without] = [0, 0];
  for (const object of objects) {
    if (object.before === null) without += 1;
    else {
      await save(
        path.join(folder, fileName(object.controller), `${object.write}-${fileName(object.object ?? '')}.json`),
        object.before,
      );
      saved += 1;
    }
  }
  return { saved, without };
}

async function save(file: string, value: Value): Promise<void> {
  try {
    await makeFolder(path.dirname(file));
    await writeNewFile(file, `${jsonText(value, null, 2)}\n`, 0o600);
  } catch (error) {
    throw new JournalError(`cannot save ${file}: ${whyFailed(error)}`, '--save takes a new or an empty folder');
  }
}

/** Names of controllers and objects can contain any characters. */
function fileName(text: string): string {
  const name = text.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[-.]+|-+$/g, '');
  return name.slice(0, 80) || 'object';
}
