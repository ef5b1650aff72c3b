import type { Value } from '../values/value.js';

/** A secret that a controller does not show, and its declared value. */
export type HiddenField = readonly [path: string, value: Value];

/** Remembers the secrets that the project last wrote to one controller. It can compare values, but not reveal them. */
export interface WrittenSecrets {
  /**
   * The fields whose declared value differs from the last written one, and the fields without a record.
   * @param object its path on the controller
   */
  compare(object: string, fields: readonly HiddenField[]): Promise<ComparedSecrets>;
  /** Records written fields. Never rejects: a value that cannot be recorded is unknown later. */
  keep(object: string, fields: readonly HiddenField[]): Promise<void>;
  /** Records that the user was warned about unknown fields. Returns whether the warning is new. Never rejects. */
  note(object: string, fields: readonly string[]): Promise<boolean>;
}

export interface ComparedSecrets {
  readonly changed: readonly string[];
  readonly unknown: readonly string[];
}

/** Opens the record of a controller, by its address and tenant. */
export type OpenWrittenSecrets = (place: string) => Promise<WrittenSecrets>;
