import path from 'node:path';
import type { VaultPassword } from '../../load/vault/passwords.js';
import type { VaultRules } from '../../load/vault/vault.js';
import type { Value } from '../../model/values/value.js';
import type { DescribedRollback } from './run_description.js';
import type { Invocation } from './invocation.js';

/** An applied plan, without its steps. */
export interface AppliedPlan {
  /** The inputs of the plan, as JSON. */
  readonly snapshot: () => unknown;
  /** Of the playbooks. */
  readonly folders: readonly string[];
  readonly digest: (value: Value) => string;
}

/** The working directory and the environment variables of a command. */
export interface Workspace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absent: everything is read here. */
  readonly inputs?: GivenInputs | undefined;
}

/** Inputs of a run that need not be read again: a worker gets them from its coordinator. */
export interface GivenInputs {
  /** Vault passwords that replace those of options and project. */
  readonly vaultPasswords?: readonly VaultPassword[] | undefined;
  readonly vaultRules?: VaultRules | undefined;
  /** The environment variables for templates. Absent: those of the process. */
  readonly lookupEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** The applied plan, instead of its file. */
  readonly appliedPlan?: AppliedPlan | undefined;
  /** The data of the rollback, instead of the journal of the original run. */
  readonly rollback?: DescribedRollback | undefined;
}

/** The workspace of an earlier run: its folder, project file and `--no-exec`. A project file that is named now wins. */
export function workspaceOf(
  { cwd, config, noExec }: Pick<Invocation, 'cwd' | 'config' | 'noExec'>,
  now: Workspace,
): Workspace {
  const { EVENKEEL_CONFIG: named = '' } = now.env;
  const EVENKEEL_CONFIG = named === '' ? config : path.resolve(now.cwd, named);
  const rules = noExec === true ? { EVENKEEL_NO_EXEC: '1' } : {};
  return { cwd, env: { ...now.env, EVENKEEL_CONFIG, ...rules } };
}
