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
  /** The plan that the run makes or applies. Absent: neither. */
  readonly plan?: DescribedPlan | undefined;
  /** Absent: the run is no rollback. */
  readonly rollback?: DescribedRollback | undefined;
  /** The coordinator wants to know of each request (`--profile`). */
  readonly isMeasured?: boolean | undefined;
  /** The run has the plays of `drift --unmanaged`, too. */
  readonly listsUnmanaged?: boolean | undefined;
  /** For a worker on another machine. Absent: it sees the same files. */
  readonly carried?: CarriedRun | undefined;
}

/** Of a plan, what all walks need. What it says about a controller goes with its walks. */
export interface DescribedPlan {
  /** base64 */
  readonly digestKey: string;
  /** Of a plan that is applied: what it was made from. Absent: the run makes one. */
  readonly applied?: { readonly snapshot: unknown; readonly folders: readonly string[] } | undefined;
  /** The plan has been applied. This run checks the playbooks that it was made from, and does not follow it. */
  readonly isFinished?: true;
}

/** Of a rollback. What is put back on a controller goes with its walk. */
export interface DescribedRollback {
  /** Absolute: of the playbooks of the run that is rolled back. */
  readonly folders: readonly string[];
  /** As in `LoadedRun`. */
  readonly addresses: readonly (readonly [controller: string, url: string])[];
}

/** What a worker on another machine gets of the coordinator's. */
export interface CarriedRun {
  /** Of what is in the bundle, which travels beside this. */
  readonly digest: string;
  /** Absolute folder of the project, and what was outside of it. */
  readonly root: string;
  readonly others: readonly string[];
  /** base64, by label. */
  readonly vaultPasswords: readonly (readonly [label: string, password: string])[];
  /** Environment variables that the project looked up: those of the worker win. */
  readonly env: Readonly<Record<string, string>>;
}
