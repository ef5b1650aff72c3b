const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Whether a request with that method, however it is spelled, leaves the controller as it is. */
export function isRead(method: string): boolean {
  return READS.has(method.toUpperCase());
}
