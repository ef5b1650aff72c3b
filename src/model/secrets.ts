/** Stands in every output where a secret was. */
export const MASK = '********';
/** Shorter values would mask half the output: they are left alone. */
const SHORTEST = 4;
/** A line of a longer secret may come out alone, but one such as `}` gives nothing away. */
const SHORTEST_LINE = 8;

/**
 * The secret values of one run, in every encoding in which they could come out again. Whoever learns a secret adds it;
 * the report masks it (`report/redaction.ts`). Only ever grows; one instance a run, handed down, never global.
 *
 * A fleet may have a password for each of its thousands of controllers, and every line of output is searched for all of
 * them: so a text is looked at once, and only where four characters in a row begin some secret are the secrets compared.
 */
export class Secrets {
  readonly #forms = new Set<string>();
  /** Which four characters begin a secret: their hash is marked. */
  readonly #beginnings = new Uint8Array(1 << 16);
  /** Lengths of the secrets that begin with that hash, longest first. */
  readonly #lengths = new Map<number, readonly number[]>();

  add(secret: string): void {
    if (secret.length < SHORTEST || this.#forms.has(secret)) return;
    for (const form of encodings(secret)) if (!this.#forms.has(form)) this.#addForm(form);
    for (const part of partsOf(secret)) this.add(part);
  }

  /** The Basic header's value for these credentials gives the password away as well. */
  addCredentials(username: string, password: string): void {
    this.add(password);
    this.add(Buffer.from(`${username}:${password}`).toString('base64'));
  }

  /** The text with every secret in it replaced by `********`, the longest where several begin at one place. */
  mask(text: string): string {
    if (this.#forms.size === 0) return text;
    let masked = '';
    let kept = 0;
    for (let at = 0; at + SHORTEST <= text.length; at++) {
      const length = this.#lengthAt(text, at);
      if (length === 0) continue;
      masked += text.slice(kept, at) + MASK;
      kept = at + length;
      at = kept - 1;
    }
    return kept === 0 ? text : masked + text.slice(kept);
  }

  #addForm(form: string): void {
    const beginning = hashAt(form, 0);
    const lengths = this.#lengths.get(beginning) ?? [];
    this.#forms.add(form);
    this.#beginnings[beginning] = 1;
    if (lengths.includes(form.length)) return;
    this.#lengths.set(
      beginning,
      [...lengths, form.length].sort((a, b) => b - a),
    );
  }

  /** How long the secret is that begins there; 0 if none does. */
  #lengthAt(text: string, at: number): number {
    const beginning = hashAt(text, at);
    if (this.#beginnings[beginning] !== 1) return 0;
    const lengths = this.#lengths.get(beginning) ?? [];
    return lengths.find((length) => this.#forms.has(text.slice(at, at + length))) ?? 0;
  }
}

/** Of the four characters there: the same four give the same number below 65,536. */
function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let offset = 0; offset < SHORTEST; offset++) hash = (hash * 31 + text.charCodeAt(at + offset)) & 0xffff;
  return hash;
}

/** What comes out of it where it is trimmed, or cut into lines. */
function partsOf(secret: string): readonly string[] {
  const trimmed = secret.trim();
  const lines = trimmed.includes('\n') ? trimmed.split('\n').map((line) => line.trim()) : [];
  return [trimmed, ...lines.filter((line) => line.length >= SHORTEST_LINE)];
}

function encodings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}
