import { hash } from 'node:crypto';
import type { ProcessIdentity } from '../../core/model/run/journal.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { choiceShape, fields, flag, optional, text, texts } from '../../core/model/values/stored.js';

export interface LockHolder {
  readonly run: string;
  readonly process: ProcessIdentity;
  readonly user: string;
  /** The command line, without secrets. */
  readonly command: string;
  /** ISO 8601. */
  readonly since: string;
  /** The state folder with the journal of the run. Absent: it keeps none. */
  readonly state?: string | undefined;
  /** The run has ended, and its lock keeps no other run out: one of its writes may still take effect. */
  readonly ended?: boolean | undefined;
}

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

const isLockFile = fields({
  version: choiceShape(VERSION),
  holder: fields({
    run: text,
    process: fields({
      host: text,
      boot: optional(text),
      space: optional(text),
      pid: processId,
      started: optional(text),
    }),
    user: text,
    command: text,
    since: text,
    state: optional(text),
    ended: optional(flag),
  }),
  places: texts,
});

function processId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

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
