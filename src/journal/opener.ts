import { isMapping, type Mapping } from '../model/values/value.js';
import { JournalError } from './journal_error.js';
import { keyFile, keyName, readKey, requirePrivate } from './key_file.js';
import { runFolder } from './run_folders.js';
import type { RunHeader } from './run_header.js';
import { Sealer } from './sealer.js';
import { decode, type Find } from './value_codec.js';
import { ValueFiles } from './value_files.js';

/** Opens what was sealed in one run. */
export interface Opener {
  /** @throws JournalError if the key is not there */
  readonly sealer: () => Sealer;
  /**
   * @param what could not be restored without it, for the message
   * @throws JournalError if the key is lost or another one, or what is sealed was changed
   */
  readonly open: (sealed: string, what: string) => Mapping;
}

/**
 * Reads the key at once; a missing key is an error only when something sealed is opened.
 *
 * @throws JournalError if other users may have made what is kept
 */
export async function openerOf(stateDirectory: string, { id, key: name }: RunHeader): Promise<Opener> {
  requirePrivate(stateDirectory);
  const file = keyFile(stateDirectory);
  const found = await readKey(stateDirectory).catch((error: unknown) => error);
  const key = Buffer.isBuffer(found) ? found : undefined;
  const sealer = key !== undefined && keyName(key) === name ? new Sealer(key, id) : undefined;
  const values = sealer && new ValueFiles(runFolder(stateDirectory, id), sealer);
  const refuse = (what: string): never => {
    const begin = `run ${id}: cannot restore ${what}`;
    if (found instanceof JournalError) throw new JournalError(`${begin}: ${found.message}`, found.hint);
    const why = key === undefined ? `the key ${file} is gone` : `it was sealed with another key than ${file} holds`;
    throw new JournalError(`${begin}: ${why}`, 'put the key back that was there when the run was made');
  };
  return {
    sealer: () => sealer ?? refuse('what is sealed'),
    open: (sealed, what) => {
      if (sealer === undefined) return refuse(what);
      const content = opened(sealer, sealed, values?.find);
      if (content !== undefined) return content;
      throw new JournalError(`run ${id}: cannot restore ${what}: what is sealed was changed since`);
    },
  };
}

function opened(sealer: Sealer, sealed: string, find: Find | undefined): Mapping | undefined {
  try {
    const content = decode(sealer.open(sealed), find);
    return isMapping(content) ? content : undefined;
  } catch {
    return undefined;
  }
}
