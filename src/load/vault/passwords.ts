/** A password, and the label under which it was given. */
export interface VaultPassword {
  readonly label: string;
  readonly bytes: Buffer;
}

/** The passwords in the order in which they are tried: those of the label first. A label is a name, not a proof: any may fit. */
export function candidatesFor(label: string, passwords: readonly VaultPassword[]): readonly VaultPassword[] {
  const own = passwords.filter((one) => one.label === label);
  return [...own, ...passwords.filter((one) => one.label !== label)];
}

/** The labels of the passwords, each once. */
export function labelsOf(passwords: readonly VaultPassword[]): readonly string[] {
  return [...new Set(passwords.map(({ label }) => label))];
}
