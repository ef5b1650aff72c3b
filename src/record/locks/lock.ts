import { hash } from 'node:crypto';
import { isProcess } from '../../core/model/run/process.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { choiceShape, fields, flag, optional, text, texts, type FieldsOf } from '../../core/model/values/stored.js';

const HOLDER = {
  run: text,
  process: isProcess,
  user: text,
  /** The command line, without secrets. */
  command: text,
  /** ISO 8601. */
  since: text,
  /** The state folder with the journal of the run. Absent: it keeps none. */
  state: optional(text),
  /** The run has ended, and its lock keeps no other run out: one of its writes may still take effect. */
  ended: optional(flag),
};

export type LockHolder = FieldsOf<typeof HOLDER>;

/** A run's hold on some controllers. Its file never changes: a run that needs more controllers writes another lock. */
export interface RunLockFile {
  readonly holder: LockHolder;
  /** `controllerKey` of each controller's URL. */
  readonly places: ReadonlySet<string>;
}

const VERSION = 1;

export function lockText({ holder, places }: RunLockFile): string {
  return JSON.stringify({ version: VERSION, holder, places: [...places] });
}

/** Returns undefined if it is not a lock, or a later version wrote it. */
export function parseLock(content: string): RunLockFile | undefined {
  const value = orElse(undefined, (): unknown => JSON.parse(content));
  return isLockFile(value) ? { holder: value.holder, places: new Set(value.places) } : undefined;
}

const isLockFile = fields({ version: choiceShape(VERSION), holder: fields(HOLDER), places: texts });

/** 96 bits: enough that no two controllers of any fleet share one. */
const PLACE_LENGTH = 16;

/**
 * Identifies a controller in a lock file. Hashed, so that the file does not reveal the URL.
 *
 * @param identity from `controllerIdentity`
 */
export function controllerKey(identity: string): string {
  return hash('sha256', identity, 'base64url').slice(0, PLACE_LENGTH);
}
