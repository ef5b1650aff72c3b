import { fields, optional, text, type CheckedType } from '../values/stored.js';

/** Identifies a process although process ids are reused. */
export const isProcess = fields({
  host: text,
  /** Identifies the machine beside its name; undefined where the system does not provide it. */
  machine: optional(text),
  /** Identifies the boot of the machine; undefined where the system does not provide it. */
  boot: optional(text),
  /** The namespace of process ids: containers have their own. */
  space: optional(text),
  pid: (value): value is number => Number.isSafeInteger(value) && Number(value) > 0,
  /** The start time, in the system's own format; undefined where the system does not provide it. */
  started: optional(text),
});

export type ProcessIdentity = CheckedType<typeof isProcess>;

/** With the same clock. No two boots share an id. Names of machines are shared, and change; images may have an id of a machine. */
export function isSameMachine(other: ProcessIdentity, own: ProcessIdentity): boolean {
  const isSameHost = other.host === own.host;
  if (other.boot === own.boot) return own.boot !== undefined || isSameHost;
  return isSameHost && own.machine !== undefined && other.machine === own.machine;
}
