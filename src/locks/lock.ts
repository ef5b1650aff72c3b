import type { ProcessIdentity } from '../model/run/process_identity.js';

/** The run that holds a lock. */
export interface Holder {
  readonly run: string;
  readonly process: ProcessIdentity;
  readonly user: string;
  /** The command line, without secrets. */
  readonly command: string;
  /** ISO 8601. */
  readonly since: string;
}

/** A run's hold on some controllers. Its file never changes: a run that needs more controllers writes another lock. */
export interface Lock {
  readonly holder: Holder;
  /** `placeKey` of each controller's URL. */
  readonly places: ReadonlySet<string>;
}

const VERSION = 1;

export function lockText({ holder, places }: Lock): string {
  return JSON.stringify({ version: VERSION, holder, places: [...places] });
}

/** Returns undefined if it is not a lock, or a later version wrote it. */
export function parseLock(text: string): Lock | undefined {
  const value = json(text);
  if (!isRecord(value) || value['version'] !== VERSION) return undefined;
  const holder = holderOf(value['holder']);
  const places = value['places'];
  if (holder === undefined || !Array.isArray(places) || !places.every(isText)) return undefined;
  return { holder, places: new Set(places) };
}

function holderOf(value: unknown): Holder | undefined {
  if (!isRecord(value)) return undefined;
  const { run, user, command, since } = value;
  const process = identityOf(value['process']);
  const whole = isText(run) && isText(user) && isText(command) && isText(since) && process !== undefined;
  return whole ? { run, process, user, command, since } : undefined;
}

function identityOf(value: unknown): ProcessIdentity | undefined {
  if (!isRecord(value)) return undefined;
  const { host, boot, space, pid, started } = value;
  const whole = isText(host) && isMaybeText(boot) && isMaybeText(space) && isMaybeText(started);
  return whole && typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0
    ? { host, boot, space, pid, started }
    : undefined;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isMaybeText(value: unknown): value is string | undefined {
  return value === undefined || isText(value);
}
