const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Whether requests with this method, in any case, change nothing on the controller. */
export function isRead(method: string): boolean {
  return READS.has(method.toUpperCase());
}
