const TEMPORARY: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Whether a status means "try again later". */
export function isTemporaryStatus(status: number): boolean {
  return TEMPORARY.has(status);
}

/** Whether the controller rejects changes during an upgrade. @param text of its answer: the whole or the message */
export function isUpgrading({ status, text }: { readonly status: number; readonly text: string }): boolean {
  return status === 403 && /\bduring (?:\w+ )?upgrade\b|\bupgrade (?:is )?in progress\b/i.test(text);
}
