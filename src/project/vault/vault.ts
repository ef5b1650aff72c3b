import { isUtf8 } from 'node:buffer';
import { LoadError, type Source } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { isList, isMapping, Vaulted, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { FindsSecrets } from '../../core/secrets/secret_finder.js';
import { Secrets } from '../../core/secrets/secrets.js';
import { parseEnvelope, unseal, unsealNow, type Envelope, type Unsealed } from './cipher.js';
import { candidatesFor, DEFAULT_LABEL, listLabels, type VaultPassword } from './passwords.js';

export type OpenedText =
  /** `password`: the one that worked. `label`: the one in the envelope. */
  | { readonly status: 'ok'; readonly content: Buffer; readonly password: VaultPassword; readonly label: string }
  | ({ readonly status: 'refused' } & DecryptionRefusal);

type Text = { readonly status: 'ok'; readonly text: string } | Extract<OpenedText, { status: 'refused' }>;

/**
 * Decrypts with the passwords of one command. Keeps the results, because every attempt takes milliseconds. The text of a
 * `!vault` value is a secret as soon as it is decrypted.
 */
export class Vault {
  /** By the text of the envelope. */
  readonly #opened = new Map<string, OpenedText>();
  /** Texts of encrypted files, to mask in messages. */
  readonly #quoted = new Secrets();
  /** Whether any `!vault` value was read. */
  hasValues = false;

  /** Each finds texts that are secrets, too: in variables that it knows, and in those of controllers. */
  readonly hidden: FindsSecrets[] = [];

  /** @param unread whether there are passwords that could not be read; that has been reported */
  constructor(
    readonly passwords: readonly VaultPassword[],
    private readonly secrets: Secrets,
    private readonly unread = false,
  ) {}

  /** A vault without passwords. */
  static locked(): Vault {
    return new Vault([], new Secrets());
  }

  /** Hides an encrypted file that is not a variables file: messages mask `texts`, and `data`, which its tasks use, is secret. */
  hide(texts: readonly string[], data: readonly string[] = []): void {
    for (const text of texts) this.#quoted.add(text);
    for (const text of data) this.secrets.add(text);
  }

  /** Masks decrypted texts in a message: a name in a playbook may come from an encrypted file. */
  mask(text: string): string {
    return this.#quoted.mask(this.secrets.mask(text));
  }

  /** Decrypts the text of an encrypted file. The content may be any bytes. */
  async open(text: string): Promise<OpenedText> {
    const known = this.#opened.get(text);
    if (known !== undefined) return known;
    const parsed = parseEnvelope(text);
    if (parsed.status === 'damaged') return this.#keep(text, refused(damage(parsed.message)));
    for (const password of candidatesFor(parsed.envelope.label, this.passwords)) {
      const opened = openedBy(password, parsed.envelope, await unseal(parsed.envelope, password.bytes));
      if (opened !== undefined) return this.#keep(text, opened);
    }
    return this.#keep(text, refused(noneFits(parsed.envelope, this.passwords, this.unread)));
  }

  /** A `!vault` value, which is decrypted on first use. */
  value(envelope: string, source: () => Source): Vaulted {
    this.hasValues = true;
    return new Vaulted(envelope, source, (value) => {
      const read = this.#asText(this.#openNow(envelope));
      if (read.status === 'ok') return read.text;
      throw unreadable(value, read);
    });
  }

  /** Decrypts `!vault` values in parallel. Returns an error for each that cannot be decrypted. */
  async unlock(values: Iterable<Vaulted>): Promise<readonly LoadError[]> {
    const distinct = new Map<string, Vaulted>();
    for (const value of values) if (!distinct.has(value.envelope)) distinct.set(value.envelope, value);
    const failures = await Promise.all(
      [...distinct].map(async ([envelope, value]) => {
        const read = this.#asText(await this.open(envelope));
        return read.status === 'ok' ? [] : [unreadable(value, read)];
      }),
    );
    return failures.flat();
  }

  /** Decrypts a file that a template reads. The content is a secret from now on. Throws an Error if the file cannot be decrypted. */
  decryptText(envelope: string): string {
    const read = this.#asText(this.#openNow(envelope));
    if (read.status === 'ok') return read.text;
    throw new Error(read.hint === undefined ? read.message : `${read.message} (${read.hint})`);
  }

  #asText(opened: OpenedText): Text {
    if (opened.status === 'refused') return opened;
    if (!isUtf8(opened.content)) return refused({ message: 'is not UTF-8 text once it is decrypted' });
    const text = opened.content.toString();
    this.secrets.add(text);
    return { status: 'ok', text };
  }

  /** Like `open`, but synchronous. */
  #openNow(text: string): OpenedText {
    const known = this.#opened.get(text);
    if (known !== undefined) return known;
    const parsed = parseEnvelope(text);
    if (parsed.status === 'damaged') return this.#keep(text, refused(damage(parsed.message)));
    for (const password of candidatesFor(parsed.envelope.label, this.passwords)) {
      const opened = openedBy(password, parsed.envelope, unsealNow(parsed.envelope, password.bytes));
      if (opened !== undefined) return this.#keep(text, opened);
    }
    return this.#keep(text, refused(noneFits(parsed.envelope, this.passwords, this.unread)));
  }

  #keep(text: string, opened: OpenedText): OpenedText {
    this.#opened.set(text, opened);
    return opened;
  }
}

function openedBy(password: VaultPassword, { label }: Envelope, unsealed: Unsealed): OpenedText | undefined {
  return unsealed.status === 'ok' ? { ...unsealed, password, label } : undefined;
}

function unreadable(value: Vaulted, { message, hint }: DecryptionRefusal): LoadError {
  return new LoadError(`this value ${message}`, value.source(), hint);
}

function refused(why: DecryptionRefusal): Extract<OpenedText, { status: 'refused' }> {
  return { status: 'refused', ...why };
}

/** Why something cannot be decrypted. `message` continues a sentence that starts with its name. */
interface DecryptionRefusal {
  readonly message: string;
  readonly hint?: string;
}

/** For a text that none of the passwords decrypts. */
function noneFits({ label }: Envelope, passwords: readonly VaultPassword[], unread: boolean): DecryptionRefusal {
  const own = label === DEFAULT_LABEL ? '' : ` with the vault id "${label}"`;
  const give = label === DEFAULT_LABEL ? '--vault-password-file FILE' : `--vault-id ${label}@FILE`;
  if (passwords.length === 0 && unread) return { message: `is encrypted${own}, and no vault password could be read` };
  if (passwords.length === 0)
    return {
      message: `is encrypted${own}, and no vault password was given`,
      hint: `pass ${give}, or --ask-vault-pass (-J), or name the file in evenkeel.yml`,
    };
  const labels = listLabels(passwords);
  const message = `cannot be decrypted: none of the vault passwords fits (tried: ${labels.join(', ')})`;
  if (labels.includes(label)) return { message, hint: 'the password may be wrong, or the text was changed' };
  return { message, hint: own === '' ? `pass ${give}` : `it was encrypted${own}: pass ${give}` };
}

function damage(message: string): DecryptionRefusal {
  return { message: `is damaged: ${message}` };
}

// Cached by layer, because layers never change and controllers share them.
const encrypted = new WeakMap<VariableLayer, readonly Vaulted[]>();

/** The `!vault` values in these layers, at any depth. Each layer is searched once. */
export function encryptedValues(layers: Iterable<VariableLayer>): readonly Vaulted[] {
  return [...layers].flatMap((layer) => getOrAdd(encrypted, layer, () => within(layer.values)));
}

function within(value: Value): readonly Vaulted[] {
  if (value instanceof Vaulted) return [value];
  if (isList(value)) return value.flatMap(within);
  return isMapping(value) ? Object.values(value).flatMap(within) : [];
}
