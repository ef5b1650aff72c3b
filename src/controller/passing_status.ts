const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Whether a status says "not now" rather than "no". */
export function isPassing(status: number): boolean {
  return PASSING.has(status);
}
