import type { Source } from '../../core/model/source/diagnostic.js';

/** The label of a password that was given without one. */
export const DEFAULT_LABEL = 'default';

/** A password, and the label under which it was given. */
export interface VaultPassword {
  readonly label: string;
  readonly bytes: Buffer;
}

/**
 * The passwords in the order to try them: those with the label first, then the others, because the label of a text may
 * be wrong.
 */
export function candidatesFor(label: string, passwords: readonly VaultPassword[]): readonly VaultPassword[] {
  const own = passwords.filter((one) => one.label === label);
  return [...own, ...passwords.filter((one) => one.label !== label)];
}

/** The labels of the passwords, each once. */
export function listLabels(passwords: readonly Pick<VaultPassword, 'label'>[]): readonly string[] {
  return [...new Set(passwords.map(({ label }) => label))];
}

/**
 * Where one password comes from: `label@prompt` or `label@file` of `--vault-id`, or the equivalent of another option.
 */
export type PasswordSource = { readonly label: string } & (
  | { readonly type: 'prompt'; /** `-J` asks without a label. */ readonly named: boolean }
  | ({ readonly type: 'file' } & NamedFile)
);

/** Equal for sources that give the same password under the same label. */
export function passwordKey(source: PasswordSource): string {
  return [source.label, source.type === 'file' ? source.path : source.named].join('@');
}

export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  /** For messages: relative to the working directory. */
  readonly shown: string;
  /** What names the file: a place in another file, an option, or an environment variable. */
  readonly place?: Source | string;
}

/** Resolves the name of a password file; the caller knows what it is relative to. */
export type FindFile = (name: string) => NamedFile;

/** Parses `label@prompt`, `label@file`, `prompt` or `file`. Returns a message if the text is invalid. */
export function parseVaultId(text: string, find: FindFile): PasswordSource | string {
  const at = text.indexOf('@');
  const label = at === -1 ? DEFAULT_LABEL : text.slice(0, at).trim() || DEFAULT_LABEL;
  const source = text.slice(at + 1);
  if (/[;\s]/.test(label)) return `the vault id "${label}" has a character that ids cannot have`;
  if (source === '') return `the vault id "${text}" does not say where its password comes from`;
  if (source === 'prompt') return { type: 'prompt', label, named: true };
  return passwordFile(source, find, label);
}

export function passwordFile(name: string, find: FindFile, label = DEFAULT_LABEL): PasswordSource {
  return { type: 'file', label, ...find(name) };
}
