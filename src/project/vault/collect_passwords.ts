import { at, atUnlessOption, type Diagnostics, type Source } from '../../core/model/source/diagnostic.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import type { ProgramEnvironment } from './password_file.js';
import { passwordKey, type PasswordSource, type VaultPassword } from './passwords.js';
import { Vault } from './vault.js';

/** Asks for a password: `New vault password (dev): `. Undefined if there is no answer. */
type AskPassword = (question: string) => Promise<string | undefined>;

export interface PasswordServices extends ProgramEnvironment {
  readonly ask: AskPassword;
  readonly secrets: Secrets;
  readonly diagnostics: Diagnostics;
  /** Whether the command encrypts something: then the user must type each password twice. */
  readonly confirm?: boolean;
  /** What sources have given before, for a command that opens several vaults: a pipe or a user answers only once. */
  readonly given?: Map<string, Buffer>;
}

/**
 * Collects the passwords of a vault, in the given order. An unreadable file is an error if there is no other password, else a warning:
 * a project may name passwords that some of its users do not have.
 */
export async function collectPasswords(sources: readonly PasswordSource[], services: PasswordServices): Promise<Vault> {
  const { secrets, diagnostics, given = new Map<string, Buffer>() } = services;
  const passwords: VaultPassword[] = [];
  const failures: PasswordFailure[] = [];
  for (const source of sources) {
    const key = passwordKey(source);
    const bytes = given.get(key);
    const read: Read =
      bytes === undefined
        ? await passwordFrom(source, new Vault(passwords, secrets), services)
        : { status: 'ok', bytes };
    if (read.status === 'failed') failures.push(read);
    else {
      given.set(key, read.bytes);
      secrets.add(read.bytes.toString());
      passwords.push({ label: source.label, bytes: read.bytes });
    }
  }
  for (const { message: reason, hint, fatal, rule, place } of failures) {
    const { message, source } = atUnlessOption(place, reason);
    if (rule !== undefined) diagnostics.add([{ severity: 'warning', rule, ...at(place, reason) }]);
    else if (fatal || passwords.length === 0) diagnostics.error(message, source, hint);
    else diagnostics.warn(message, source, hint);
  }
  return new Vault(passwords, secrets, failures.length > 0);
}

interface PasswordFailure {
  readonly status: 'failed';
  readonly message: string;
  readonly hint?: string;
  /** Whether this is an error even if there is another password. A failed prompt always is. */
  readonly fatal: boolean;
  /** The lint rule that the failure violates: it is then a warning of this rule. */
  readonly rule?: string;
  readonly place?: Source | string | undefined;
}

type Read = { readonly status: 'ok'; readonly bytes: Buffer } | PasswordFailure;

async function passwordFrom(source: PasswordSource, known: Vault, services: PasswordServices): Promise<Read> {
  if (source.type === 'prompt') return typed(source.named ? source.label : undefined, services);
  // Imported here because most commands need no password.
  const { readPasswordFile } = await import('./password_file.js');
  const read = await readPasswordFile(source, known, services);
  return read.status === 'ok' ? read : { ...read, fatal: false, place: source.place };
}

async function typed(label: string | undefined, { ask, confirm = false }: PasswordServices): Promise<Read> {
  const [first, second] = questions(label, confirm);
  const answer = (await ask(first))?.trim();
  if (answer === undefined) {
    const hint = 'pass --vault-password-file FILE, or run in a terminal';
    return failed('cannot ask for the vault password without a terminal', hint);
  }
  if (answer === '') return failed('the vault password is empty');
  if (second !== undefined && (await ask(second))?.trim() !== answer) return failed('the vault passwords do not match');
  return { status: 'ok', bytes: Buffer.from(answer) };
}

/** Ansible's prompts, because programs that type passwords wait for these texts. */
function questions(label: string | undefined, confirm: boolean): readonly [string, string?] {
  if (label === undefined)
    return confirm ? ['New Vault password: ', 'Confirm New Vault password: '] : ['Vault password: '];
  if (!confirm) return [`Vault password (${label}): `];
  return [`New vault password (${label}): `, `Confirm new vault password (${label}): `];
}

function failed(message: string, hint?: string): PasswordFailure {
  return { status: 'failed', message, fatal: true, ...(hint === undefined ? {} : { hint }) };
}
