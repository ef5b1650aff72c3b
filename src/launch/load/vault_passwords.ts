import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Environment, Project } from '../../project/project/project.js';
import { fileBelow } from '../../project/project/settings.js';
import { parseVaultId, passwordFile, type PasswordSource } from '../../project/vault/passwords.js';
import type { VaultOptions } from '../request/run_request.js';

/** Asks without showing what is typed; undefined if there is no terminal, or the question was interrupted. */
export type AskSecret = (question: string) => Promise<string | undefined>;

/** The options and settings that can name passwords. */
interface PasswordSettings {
  readonly options: VaultOptions;
  readonly project: Project;
  readonly environment: Environment | undefined;
}

/**
 * Ansible's order: the ids of the environment (otherwise of the project), those of the options, the files without a
 * label, then the prompt.
 */
export function findPasswordSources(
  { options, project, environment }: PasswordSettings,
  cwd: string,
  diagnostics: Diagnostics,
): readonly PasswordSource[] {
  const find = fileBelow(cwd, cwd, '--vault-password-file');
  const typed = (options.vaultId ?? []).flatMap((text) => readVaultId(text, cwd, '--vault-id', diagnostics) ?? []);
  const named = environment?.vaultPasswordFile ?? project.vaultPasswordFile;
  const files = options.vaultPasswordFile?.map((file) => passwordFile(file, find)) ?? (named ? [named] : []);
  const prompted: PasswordSource = { type: 'prompt', label: 'default', named: false };
  return [
    ...(environment?.vaultIds ?? project.vaultIds ?? []),
    ...typed,
    ...files,
    ...(options.askVaultPass === true ? [prompted] : []),
  ];
}

/** Undefined after an error. */
export function readVaultId(
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

/** For programs that call the library: they cannot be prompted. */
export const noAnswer: AskSecret = () => Promise.resolve(undefined);
