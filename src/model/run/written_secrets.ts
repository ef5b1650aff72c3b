import type { Value } from '../values/value.js';

/** A secret that a controller does not show, and its declared value. */
export type HiddenField = readonly [path: string, value: Value];

/** What the project last wrote to the secrets of one controller. It can compare values, but not tell them. */
export interface WrittenSecrets {
  /**
   * The fields whose declared value is another one than was last written, and those of which nothing is known.
   * @param object its path on the controller
   */
  compare(object: string, fields: readonly HiddenField[]): Promise<ComparedSecrets>;
  /** The fields have been written. Never rejects: what cannot be kept is unknown later. */
  keep(object: string, fields: readonly HiddenField[]): Promise<void>;
  /** The user has been told that nothing is known of these fields. Returns whether that is new. Never rejects. */
  note(object: string, fields: readonly string[]): Promise<boolean>;
}

export interface ComparedSecrets {
  readonly changed: readonly string[];
  readonly unknown: readonly string[];
}

/** Opens what is known of a controller, by its address and tenant. */
export type OpenWrittenSecrets = (place: string) => Promise<WrittenSecrets>;
