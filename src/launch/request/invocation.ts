import { Ajv } from 'ajv';
import * as Type from 'typebox';
import { resolveName } from '../../core/files/paths.js';
import { lazily } from '../../core/model/values/groups.js';
import type { Mapping } from '../../core/model/values/value.js';
import { recordSchema } from '../../module/schema.js';
import { KEPT_OPTIONS, picked, type RunRequest } from './run_request.js';

/**
 * The request in the journal, with the settings of the project file and environment. Sealed, because variables and
 * answers can be secrets.
 */
const INVOCATION = Type.Object({
  ...KEPT_OPTIONS,
  /** Absolute. Relative names refer to this folder. */
  cwd: Type.String(),
  /** The key of the fingerprint's digests. Without it, the content of a file cannot be guessed from its digest. */
  fingerprintKey: Type.String(),
  /** Absolute: the project file, if it was named. */
  config: Type.Optional(Type.String()),
  noExec: Type.Optional(Type.Boolean()),
  /** The controllers that `limit` and the environment's limit selected. Absent: no limit. */
  limitedTo: KEPT_OPTIONS.tags,
  /** The answers to `vars_prompt`. */
  answers: Type.Array(
    Type.Object({ name: Type.String(), question: Type.String(), answer: Type.Unsafe<Mapping[string]>({}) }),
  ),
});

export type Invocation = Type.Static<typeof INVOCATION>;
export type SavedAnswer = Invocation['answers'][number];

const digests = recordSchema(Type.String());

/** The inputs of a run, so that a resume can tell whether they changed. Contains digests, no content. */
const FINGERPRINT = Type.Object({
  /** The version of evenkeel. */
  version: Type.String(),
  /** Keyed digests of the content, by file (relative to the working directory if inside). */
  files: digests,
  /** Keyed digests of the output of inventory programs, by command line. */
  programs: digests,
  /** The controllers of the inventory, in its order. */
  controllers: Type.Array(Type.String()),
  /** Keyed digests of each play's name and `hosts`, in their order. */
  plays: Type.Optional(Type.Array(Type.String())),
});

export type Fingerprint = Type.Static<typeof FINGERPRINT>;

/** Compiled once, on first use, because it takes tens of milliseconds and a program may start many runs. */
const checks = {
  invocation: lazily(() => new Ajv().compile<Invocation>(INVOCATION)),
  fingerprint: lazily(() => new Ajv().compile<Fingerprint>(FINGERPRINT)),
};

/** The kept invocation of a run; undefined if this version cannot read it. */
export function readInvocation(kept: Mapping): Invocation | undefined {
  return checks.invocation()(kept) ? kept : undefined;
}

/** The request of an earlier run, for the controllers that it had. */
export function toRunRequest(invocation: Invocation): RunRequest {
  const { limit: pattern, limitedTo: controllers } = invocation;
  const within = controllers && { controllers, ...(pattern !== undefined && { pattern }) };
  return { ...picked(invocation, KEPT_OPTIONS), command: invocation.command, limit: undefined, within };
}

/** The kept fingerprint of a run; undefined if this version cannot read it. */
export function readFingerprint(kept: Mapping): Fingerprint | undefined {
  return checks.fingerprint()(kept) ? kept : undefined;
}

/** The working directory and the environment variables of a command. */
export interface Workspace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The workspace of an earlier run: its folder, project file and `--no-exec`. A project file or state folder that is named
 * now wins.
 */
export function earlierWorkspace(
  { cwd, config, noExec }: Pick<Invocation, 'cwd' | 'config' | 'noExec'>,
  now: Workspace,
): Workspace {
  const { EVENKEEL_CONFIG: named = '', EVENKEEL_STATE_DIR: state = '' } = now.env;
  const EVENKEEL_CONFIG = named === '' ? config : resolveName(now.cwd, named);
  const rules = noExec === true ? { EVENKEEL_NO_EXEC: '1' } : {};
  const kept = state === '' ? {} : { EVENKEEL_STATE_DIR: resolveName(now.cwd, state) };
  return { cwd, env: { ...now.env, EVENKEEL_CONFIG, ...kept, ...rules } };
}
