import type { Diagnostics } from '../core/model/source/diagnostic.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import type { Secrets } from '../core/secrets/secrets.js';
import { pickEnvironment } from '../launch/load/target.js';
import { findPasswordSources, type AskSecret } from '../launch/load/vault_passwords.js';
import type { Workspace } from '../launch/request/invocation.js';
import type { VaultOptions } from '../launch/request/run_request.js';
import { loadProject } from '../project/project/project.js';
import { collectPasswords } from '../project/vault/collect_passwords.js';
import { listLabels, type PasswordSource, type VaultPassword } from '../project/vault/passwords.js';
import type { Vault } from '../project/vault/vault.js';

/** The options of every `evenkeel vault` command. */
export interface VaultCommandOptions extends VaultOptions {
  readonly env?: string;
}

/** What is needed to read passwords and to ask for them. */
export interface VaultPorts extends Workspace {
  readonly secrets: Secrets;
  readonly askSecret: AskSecret;
}

export interface EncryptOptions extends VaultCommandOptions {
  /** The password to encrypt with, if there are several. */
  readonly encryptVaultId?: string;
}

const ASKED: PasswordSource = { type: 'prompt', label: 'default', named: false };

/** The passwords of the options and of the project file; asks for one if there is none. Undefined after an error. */
export async function openToDecrypt(
  options: VaultCommandOptions,
  ports: VaultPorts,
  diagnostics: Diagnostics,
): Promise<Vault | undefined> {
  const { all } = await findSources(options, ports, diagnostics);
  if (diagnostics.failed()) return undefined;
  const vault = await openAll(all.length > 0 ? all : [ASKED], ports, diagnostics, false);
  return diagnostics.failed() ? undefined : vault;
}

/**
 * The password to encrypt with. What the command line has comes before the settings if it has one that is typed, which must be typed twice.
 * Undefined after an error.
 */
export async function passwordToEncrypt(
  options: EncryptOptions,
  ports: VaultPorts,
  diagnostics: Diagnostics,
): Promise<VaultPassword | undefined> {
  const { encryptVaultId: wanted } = options;
  const { all, given } = await findSources(options, ports, diagnostics);
  const rest = all.filter((source) => !given.includes(source));
  const isTyped = wanted === undefined && given.some(isPrompt);
  const sources = isTyped ? given : all.length > 0 ? [...given, ...rest] : [ASKED];
  if (wanted === undefined && sources.some(isPrompt)) refuseSeveral(sources, diagnostics);
  if (diagnostics.failed()) return undefined;
  const { passwords } = await openAll(sources, ports, diagnostics, true);
  return diagnostics.failed() ? undefined : choose(passwords, wanted, diagnostics);
}

function isPrompt({ type }: PasswordSource): boolean {
  return type === 'prompt';
}

/** The password that `rekey` encrypts with: a new one, or a known one with the given label. */
export async function newPassword(
  sources: readonly PasswordSource[],
  known: readonly VaultPassword[],
  { encryptVaultId }: EncryptOptions,
  ports: VaultPorts,
  diagnostics: Diagnostics,
): Promise<VaultPassword | undefined> {
  const needed = sources.length === 0 && encryptVaultId === undefined ? [ASKED] : sources;
  const { passwords } = await openAll(needed, ports, diagnostics, true);
  if (diagnostics.failed()) return undefined;
  return choose(encryptVaultId === undefined ? passwords : [...passwords, ...known], encryptVaultId, diagnostics);
}

interface NamedSources {
  readonly all: readonly PasswordSource[];
  /** Those that the options name. */
  readonly given: readonly PasswordSource[];
}

async function findSources(
  options: VaultCommandOptions,
  { cwd, env }: Workspace,
  diagnostics: Diagnostics,
): Promise<NamedSources> {
  const project = await loadProject(cwd, env, diagnostics);
  const environment = pickEnvironment(options.env, project, diagnostics);
  const all = findPasswordSources({ options, project, environment }, cwd, diagnostics);
  const ofSettings = findPasswordSources({ options: {}, project, environment }, cwd, diagnostics);
  return { all, given: all.filter((source) => !ofSettings.includes(source)) };
}

async function openAll(
  sources: readonly PasswordSource[],
  ports: VaultPorts,
  diagnostics: Diagnostics,
  confirm: boolean,
): Promise<Vault> {
  const { cwd, env, secrets, askSecret: ask } = ports;
  const vault = await collectPasswords(sources, { cwd, env, ask, secrets, diagnostics, confirm });
  diagnostics.requireExecution();
  return vault;
}

function choose(
  passwords: readonly VaultPassword[],
  wanted: string | undefined,
  diagnostics: Diagnostics,
): VaultPassword | undefined {
  const labels = listLabels(passwords);
  const chosen = wanted === undefined ? passwords[0] : passwords.find(({ label }) => label === wanted);
  if (chosen === undefined) {
    const given = labels.length === 0 ? 'there is none' : `there are ${labels.join(', ')}`;
    const message = `--encrypt-vault-id: there is no vault id "${wanted ?? ''}" (${given})`;
    diagnostics.error(message, undefined, didYouMean(wanted ?? '', labels));
  } else if (wanted === undefined) refuseSeveral(passwords, diagnostics);
  return diagnostics.failed() ? undefined : chosen;
}

function refuseSeveral(passwords: readonly Pick<VaultPassword, 'label'>[], diagnostics: Diagnostics): void {
  const labels = listLabels(passwords);
  const [label = ''] = labels;
  if (passwords.length < 2) return;
  if (labels.length > 1) {
    const hint = `add --encrypt-vault-id ${label}, or one of the rest`;
    diagnostics.error(`several passwords could encrypt: ${labels.join(', ')}`, undefined, hint);
  } else {
    const hint = 'name one of them only, or give them labels: --vault-id LABEL@FILE';
    diagnostics.error(`several passwords with the label "${label}" could encrypt`, undefined, hint);
  }
}
