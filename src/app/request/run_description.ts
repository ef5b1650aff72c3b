import type { Credentials } from '../../run/input/run_input.js';
import type { Fingerprint, Invocation } from './invocation.js';

/** What a worker must know to load a run as its coordinator has loaded it. Holds secrets. */
export interface RunDescription {
  /** Of Evenkeel. */
  readonly version: string;
  readonly id: string;
  readonly invocation: Invocation;
  readonly verbosity: number;
  /** Of the files that the coordinator read. */
  readonly fingerprint: Fingerprint;
  /** Passwords that the user typed, by question. */
  readonly asked: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  /** base64: the key of step digests. */
  readonly digestKey: string;
}
