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
