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
export function labelsOf(passwords: readonly VaultPassword[]): readonly string[] {
  return [...new Set(passwords.map(({ label }) => label))];
}
