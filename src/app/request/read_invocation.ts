import { Ajv } from 'ajv';
import type { Mapping } from '../../model/values/value.js';
import { FINGERPRINT, type Fingerprint } from '../load/fingerprint.js';
import type { RunSettings } from './options.js';
import { INVOCATION, type Invocation } from './invocation.js';

/** What was kept of how a run was asked for; undefined if it is of another kind. */
export function readInvocation(kept: Mapping): Invocation | undefined {
  const isInvocation = new Ajv().compile<Invocation>(INVOCATION);
  return isInvocation(kept) ? kept : undefined;
}

export function readFingerprint(kept: Mapping): Fingerprint | undefined {
  const isFingerprint = new Ajv().compile<Fingerprint>(FINGERPRINT);
  return isFingerprint(kept) ? kept : undefined;
}

/** The options that ask for the same, for whom it was then. */
export function settingsOf(invocation: Invocation): RunSettings {
  const { limit: pattern, limitedTo: controllers } = invocation;
  return { ...invocation, verbosity: 0, limit: undefined, within: controllers && { controllers, pattern } };
}
