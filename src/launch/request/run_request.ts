import * as Type from 'typebox';
import { DIFFS, STRATEGIES } from '../../core/model/run/choices.js';
import type { Diagnostic, Diagnostics } from '../../core/model/source/diagnostic.js';
import { ENGINE_OPTIONS } from '../../engine/input/run_input.js';
import type { InventorySource } from '../../project/inventory/load.js';

const optionalText = Type.Optional(Type.String());
const texts = Type.Unsafe<readonly string[]>({ type: 'array', items: { type: 'string' } });
const optionalTexts = Type.Optional(texts);
const optionalFlag = Type.Optional(Type.Boolean());
const optionalCount = Type.Optional(Type.Integer({ minimum: 1 }));

/**
 * What to run, and how. A resume or rerun starts from the same request. Names are relative to the working directory.
 */
export const KEPT_OPTIONS = {
  command: Type.Union([
    Type.Object({ type: Type.Literal('run'), playbooks: texts }),
    Type.Object({ type: Type.Literal('task'), pattern: Type.String(), module: Type.String(), args: optionalText }),
    /** Rolls back the run of that id. */
    Type.Object({ type: Type.Literal('rollback'), run: Type.String(), allowLockout: Type.Boolean() }),
    /** Applies a plan: an absolute file name, and the id of the plan. */
    Type.Object({ type: Type.Literal('apply'), file: Type.String(), plan: Type.String() }),
  ]),
  /** Files, folders, programs, lists of names, and inventories as objects. */
  inventory: Type.Optional(
    Type.Unsafe<readonly InventorySource[]>({
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'object' }] },
    }),
  ),
  /** An environment of `evenkeel.yml`. */
  env: optionalText,
  limit: optionalText,
  /** `I/N`, `auto/N`: the part of the fleet that this run has. */
  shard: optionalText,
  extraVars: optionalTexts,
  /** `label@prompt`, `label@file` or `file`. */
  vaultId: optionalTexts,
  vaultPasswordFile: optionalTexts,
  askVaultPass: optionalFlag,
  modulePath: optionalTexts,
  tags: optionalTexts,
  skipTags: optionalTexts,
  /** Maximum number of controllers at once. */
  forks: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('auto')])),
  /** Maximum size of a registered value, in bytes. */
  maxRegistered: optionalCount,
  strategy: Type.Optional(Type.Enum(STRATEGIES)),
  /** The name, or a glob, of the first task to run. */
  startAtTask: optionalText,
  step: optionalFlag,
  check: optionalFlag,
  diff: Type.Optional(Type.Enum(DIFFS)),
  simulate: optionalFlag,
  /** The API versions that simulated controllers accept. Absent: that of the inventory. */
  apiVersion: optionalTexts,
  user: optionalText,
  /** Whether to ask for the password; never the password. */
  askPass: optionalFlag,
  ...ENGINE_OPTIONS,
};

/** Options for a single start, which a resume does not inherit. */
export const NOT_KEPT = {
  /** How many `-v`. */
  verbosity: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Wait for the locks of other runs. */
  wait: optionalFlag,
  /** After a successful run, check whether a second run would change anything. */
  verifyIdempotent: optionalFlag,
  /** Do not ask to confirm the environment. */
  yes: optionalFlag,
  /** The reason and the ticket of the run, for the history. */
  reason: optionalText,
  ticket: optionalText,
  /** False: the state folder is not used: no journal, and no state of simulated controllers. */
  state: optionalFlag,
  /**
   * The controllers of an earlier run, in place of the environment's limit; `limit` can narrow it. `pattern`: the
   * `--limit` of that run. `known`: those that its inventory had, for a rerun, which reports the missing ones.
   */
  within: Type.Optional(Type.Object({ controllers: texts, pattern: optionalText, known: optionalTexts })),
};

/** Unset options may be undefined. */
type Loose<T> = { readonly [K in keyof T]: T[K] | (K extends 'command' ? never : undefined) };

/** A complete request, from the command line, a program or an earlier run. */
export type RunRequest = Loose<Type.Static<Type.TObject<typeof KEPT_OPTIONS & typeof NOT_KEPT>>>;
export type Command = RunRequest['command'];
export type Within = NonNullable<RunRequest['within']>;

/** Where vault passwords come from, besides the project file. */
export type VaultOptions = Pick<RunRequest, 'vaultId' | 'vaultPasswordFile' | 'askVaultPass'>;

/**
 * Which controllers, and with which variables. Absent: the settings of the environment, otherwise of the project file.
 */
export type RequestedTarget = VaultOptions &
  Pick<RunRequest, 'inventory' | 'env' | 'limit' | 'shard' | 'within' | 'extraVars'>;

/** A request without its command. */
export type RunOptions = Omit<RunRequest, 'command'>;

export function runRequest(command: Command, options: RunOptions): RunRequest {
  return { ...runOptions(options), command };
}

/** The part of `options` that belongs to a request, without unset options. */
export function runOptions(options: RunOptions): RunOptions {
  return picked(options, { ...NOT_KEPT, ...KEPT_OPTIONS });
}

type Kept = { [K in keyof typeof KEPT_OPTIONS]?: Exclude<RunRequest[K], undefined> } & Pick<RunRequest, 'command'>;

/** The part of a request that the journal keeps. */
export function keptRequest({ command, ...options }: RunRequest): Kept {
  return { ...picked(options, KEPT_OPTIONS), command };
}

/** The properties in `names` that are defined. */
export function picked<T extends object, N extends object>(
  from: T,
  names: N,
): { [K in keyof T & keyof N]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(from).filter(([name, value]) => value !== undefined && Object.hasOwn(names, name));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.fromEntries` does not know which names the entries have
  return Object.fromEntries(entries) as { [K in keyof T & keyof N]?: Exclude<T[K], undefined> };
}

export interface Refused {
  readonly status: 'refused';
  readonly diagnostics: readonly Diagnostic[];
}

export function refusedBy({ list }: Diagnostics): Refused {
  return { status: 'refused', diagnostics: list };
}

/** The result of using a run or plan, or the reason why it cannot be opened. */
export type OrRefused<T> = { readonly status: 'ok'; readonly value: T } | Refused;

/** @param problem can be an error with these fields */
export function refusal({ message, hint }: { readonly message: string; readonly hint?: string | undefined }): Refused {
  return { status: 'refused', diagnostics: [{ severity: 'error', message, ...(hint !== undefined && { hint }) }] };
}
