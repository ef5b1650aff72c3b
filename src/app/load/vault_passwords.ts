import { fileBelow } from '../../load/project/vault_settings.js';
import type { Environment, Project } from '../../load/project/project.js';
import { openVault } from '../../load/vault/open_vault.js';
import { parseVaultId, passwordFile, type PasswordSource } from '../../load/vault/password_source.js';
import type { Vault } from '../../load/vault/vault.js';
import type { Diagnostics } from '../../model/source/diagnostic.js';
import type { Secrets } from '../../secrets/secrets.js';
import type { CommandContext } from '../../cli/context.js';
import type { VaultOptions } from '../request/options.js';
import { askSecret } from '../../cli/terminal/prompt.js';

/** What a question needs; a program that calls this one has none of it, and cannot be asked. */
export type Asking = Pick<CommandContext, 'stdin' | 'stderr' | 'drain'>;

/** Who says where passwords come from. */
export interface PasswordSettings {
  readonly options: VaultOptions;
  readonly project: Project;
  readonly environment: Environment | undefined;
}

export interface Learning {
  readonly secrets: Secrets;
  readonly diagnostics: Diagnostics;
  /** Whether something will be encrypted: a password that is typed is typed twice then. */
  readonly confirm?: boolean;
}

/** Collects the passwords of this command: asks, reads files and runs programs. */
export async function openVaultFor(
  settings: PasswordSettings,
  context: Pick<CommandContext, 'cwd' | 'env'> & Partial<Asking>,
  learning: Learning,
): Promise<Vault> {
  const sources = passwordSourcesOf(settings, context.cwd, learning.diagnostics);
  return openVault(sources, { ...learning, cwd: context.cwd, env: context.env, ask: asker(context) });
}

/**
 * The ids of the environment (else of the project), those of the options, then the files without a label, then the one that is
 * asked for: Ansible's order.
 */
export function passwordSourcesOf(
  { options, project, environment }: PasswordSettings,
  cwd: string,
  diagnostics: Diagnostics,
): readonly PasswordSource[] {
  const find = fileBelow(cwd, cwd, '--vault-password-file');
  const typed = (options.vaultId ?? []).flatMap((text) => vaultIdOf(text, cwd, '--vault-id', diagnostics) ?? []);
  const named = environment?.vaultPasswordFile ?? project.vaultPasswordFile;
  const files = options.vaultPasswordFile?.map((file) => passwordFile(file, find)) ?? (named ? [named] : []);
  const asked: PasswordSource = { type: 'prompt', label: 'default', named: false };
  return [
    ...(environment?.vaultIds ?? project.vaultIds ?? []),
    ...typed,
    ...files,
    ...(options.askVaultPass === true ? [asked] : []),
  ];
}

/** Undefined after an error. */
export function vaultIdOf(
  text: string,
  cwd: string,
  option: string,
  diagnostics: Diagnostics,
): PasswordSource | undefined {
  const source = parseVaultId(text, fileBelow(cwd, cwd, option));
  if (typeof source !== 'string') return source;
  diagnostics.error(`${option}: ${source}`, undefined, 'write LABEL@FILE or LABEL@prompt');
  return undefined;
}

export function asker({ stdin, stderr, drain }: Partial<Asking>): (question: string) => Promise<string | undefined> {
  return async (question) =>
    stdin === undefined || stderr === undefined || drain === undefined
      ? undefined
      : askSecret(question, { stdin, stderr, drain });
}
