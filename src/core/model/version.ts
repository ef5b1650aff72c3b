/** Defined by the build. */
declare const EVENKEEL_VERSION: string | undefined;

/** Orders versions such as `20.1.3`: negative if the first one is older. */
export function compareVersions(a: string, b: string): number {
  const [parts, others] = [a.split('.').map(Number), b.split('.').map(Number)];
  return parts.map((part, at) => part - (others[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** The version of the package; `0.0.0-source` when run from the sources. */
export const VERSION = typeof EVENKEEL_VERSION === 'string' ? EVENKEEL_VERSION : '0.0.0-source';
