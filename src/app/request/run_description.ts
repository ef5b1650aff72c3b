import type { Credentials } from '../../run/input/run_input.js';
import type { Fingerprint, Invocation } from './invocation.js';
import { fields, flag, mapping, number, optional, text, trusted, type Check } from '../../model/values/shape.js';

/** What a worker needs to load a run exactly as its coordinator did. Contains secrets. */
export interface RunDescription {
  /** Of Evenkeel. */
  readonly version: string;
  readonly id: string;
  readonly invocation: Invocation;
  readonly verbosity: number;
  /** Fingerprint of the files that the coordinator read. */
  readonly fingerprint: Fingerprint;
  /** Passwords that the user typed, by question. */
  readonly asked: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  /** The key of step digests, in base64. */
  readonly digestKey: string;
  /** The plan that the run makes or applies. Absent: neither. */
  readonly plan?: DescribedPlan | undefined;
  /** Absent: the run is not a rollback. */
  readonly rollback?: DescribedRollback | undefined;
  /** The coordinator needs an event for each request (`--profile`). */
  readonly isMeasured?: boolean | undefined;
  /** The run also has the plays of `drift --unmanaged`. */
  readonly listsUnmanaged?: boolean | undefined;
  /** For a worker on another machine. Absent: the worker has the same files. */
  readonly carried?: CarriedRun | undefined;
}

const isDescription: Check<RunDescription> = fields({
  version: text,
  id: text,
  invocation: trusted<Invocation>(mapping),
  verbosity: number,
  fingerprint: trusted<Fingerprint>(mapping),
  asked: trusted<Readonly<Record<string, string>>>(mapping),
  credentials: trusted<Credentials>(mapping),
  digestKey: text,
  plan: optional(trusted<DescribedPlan>(mapping)),
  rollback: optional(trusted<DescribedRollback>(mapping)),
  isMeasured: optional(flag),
  listsUnmanaged: optional(flag),
  carried: optional(trusted<CarriedRun>(mapping)),
});

/** What a coordinator of the same version sent. */
export function parseDescription(json: string): RunDescription {
  const description: unknown = JSON.parse(json);
  if (isDescription(description)) return description;
  throw new Error('the description of the run is invalid');
}

/** The part of a plan that all walks need. The part for a controller is sent with its walks. */
export interface DescribedPlan {
  /** base64 */
  readonly digestKey: string;
  /** The inputs of the applied plan. Absent: the run makes a plan. */
  readonly applied?: { readonly snapshot: unknown; readonly folders: readonly string[] } | undefined;
  /** This run follows an apply and checks the playbooks of the plan, without following the plan. */
  readonly isFinished?: true;
}

/** For a rollback. The objects to restore on a controller are sent with its walk. */
export interface DescribedRollback {
  /** The absolute folders of the original run's playbooks. */
  readonly folders: readonly string[];
  /** As in `LoadedRun`. */
  readonly addresses: readonly (readonly [controller: string, url: string])[];
}

/** What the coordinator sends to a worker on another machine. */
export interface CarriedRun {
  /** Digest of the bundle, which is sent separately. */
  readonly digest: string;
  /** The absolute folder of the project, and the paths outside of it. */
  readonly root: string;
  readonly others: readonly string[];
  /** The home folder of the user there. */
  readonly home: string;
  /** base64, by label. */
  readonly vaultPasswords: readonly (readonly [label: string, password: string])[];
  /** Environment variables that the project looked up. The worker's own variables win. */
  readonly env: Readonly<Record<string, string>>;
}
