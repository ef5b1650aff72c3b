const TEMPORARY: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Whether a status means "try again later". */
export function isTemporaryStatus(status: number): boolean {
  return TEMPORARY.has(status);
}

/** Statuses for refused credentials. 403: the account is locked. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403]);

/**
 * Whether a controller's answer to a sign-in is about the credentials, so that they must not be tried again. One that upgrades may answer
 * 403 as well.
 */
export function refusesCredentials(answer: { readonly status: number; readonly text: string }): boolean {
  return REFUSED.has(answer.status) && !isUpgrading(answer);
}

/** Whether the controller rejects changes during an upgrade. @param text of its answer: the whole or the message */
export function isUpgrading({ status, text }: { readonly status: number; readonly text: string }): boolean {
  return status === 403 && /\bduring (?:\w+ )?upgrade\b|\bupgrade (?:is )?in progress\b/i.test(text);
}
