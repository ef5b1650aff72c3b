/**
 * The secret values of one run, in every encoding in which they could come out again. Whoever learns a secret adds it;
 * the report masks it (`report/redaction.ts`). Only ever grows; one instance a run, handed down, never global.
 */
export class Secrets {
  readonly #forms = new Set<string>();
  #pattern: RegExp | undefined;

  /** Values too short to search for without masking half the output are left alone: under 4 characters. */
  add(secret: string): void {
    if (secret.length < 4 || this.#forms.has(secret)) return;
    for (const form of encodings(secret)) this.#forms.add(form);
    this.#pattern = undefined;
  }

  /** The Basic header's value for these credentials gives the password away as well. */
  addCredentials(username: string, password: string): void {
    this.add(password);
    this.add(Buffer.from(`${username}:${password}`).toString('base64'));
  }

  /** The text with every secret in it replaced by `********`. */
  mask(text: string): string {
    if (this.#forms.size === 0) return text;
    this.#pattern ??= longestFirst(this.#forms);
    return text.replace(this.#pattern, '********');
  }
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

function longestFirst(forms: ReadonlySet<string>): RegExp {
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return new RegExp(sorted.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|'), 'g');
}
