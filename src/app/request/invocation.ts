import * as Type from 'typebox';
import type { Static } from 'typebox';
import type { Mapping } from '../../model/values/value.js';

const optionalText = Type.Optional(Type.String());
const texts = Type.Unsafe<readonly string[]>({ type: 'array', items: { type: 'string' } });
const optionalTexts = Type.Optional(texts);
const optionalFlag = Type.Optional(Type.Boolean());

/** Everything that was asked for when a run began. Sealed on disk: extra variables and answers may be secrets. */
export const INVOCATION = Type.Object({
  /** Absolute: what relative names are relative to. */
  cwd: Type.String(),
  /** The key of the digests in the fingerprint. Without it, the content of a file cannot be guessed from its digest. */
  fingerprintKey: Type.String(),
  command: Type.Union([
    Type.Object({ type: Type.Literal('run'), playbooks: texts }),
    Type.Object({ type: Type.Literal('task'), pattern: Type.String(), module: Type.String(), args: optionalText }),
    /** Undoes the run of that id. */
    Type.Object({ type: Type.Literal('rollback'), run: Type.String(), allowLockout: Type.Boolean() }),
  ]),
  /** Absolute: the project file, if it was named. */
  config: optionalText,
  noExec: optionalFlag,
  inventory: optionalTexts,
  env: optionalText,
  /** `--limit` as it was given. */
  limit: optionalText,
  /** The controllers that it meant, and the environment's limit. Absent: no limit. */
  limitedTo: optionalTexts,
  extraVars: optionalTexts,
  vaultId: optionalTexts,
  vaultPasswordFile: optionalTexts,
  askVaultPass: optionalFlag,
  modulePath: optionalTexts,
  tags: optionalTexts,
  skipTags: optionalTexts,
  forks: Type.Integer({ minimum: 1 }),
  maxRegistered: Type.Optional(Type.Integer({ minimum: 1 })),
  strategy: Type.Optional(Type.Enum(['host_pinned', 'linear', 'free'])),
  startAtTask: optionalText,
  step: optionalFlag,
  forceHandlers: optionalFlag,
  check: optionalFlag,
  diff: Type.Optional(Type.Enum(['auto', 'host', 'fleet'])),
  simulate: optionalFlag,
  apiVersion: optionalTexts,
  user: optionalText,
  /** That a password was asked for; never the password. */
  askPass: optionalFlag,
  /** What was answered to `vars_prompt`, by question. */
  answers: Type.Array(
    Type.Object({ name: Type.String(), question: Type.String(), answer: Type.Unsafe<Mapping[string]>({}) }),
  ),
});

export type Invocation = Static<typeof INVOCATION>;
export type Command = Invocation['command'];
export type SavedAnswer = Invocation['answers'][number];
