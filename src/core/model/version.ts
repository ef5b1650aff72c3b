/** Defined by the build. */
declare const EVENKEEL_VERSION: string | undefined;

/** Orders versions such as `20.1.3`: negative if the first one is older. */
export function compareVersions(a: string, b: string): number {
  const [parts, others] = [a.split('.').map(Number), b.split('.').map(Number)];
  return parts.map((part, at) => part - (others[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** The version of the package; `0.0.0-source` when run from the sources. */
export const VERSION = typeof EVENKEEL_VERSION === 'string' ? EVENKEEL_VERSION : '0.0.0-source';

const ROUTES = 'reach sites through controller_proxy or routes, see docs/scaling.md';
const SHARDS = 'one process drives a whole fleet, and --shard divides it among machines, see docs/scaling.md';

/** Commands, options, settings and variables of earlier versions, and what replaced them. */
const REMOVED: ReadonlyMap<string, string> = new Map([
  ['--workers', SHARDS],
  ...[
    'evenkeel worker',
    'evenkeel workers',
    '--nats',
    '--nats-creds',
    '--nats-ca',
    '--no-nats',
    '--site-timeout',
    'noNats',
    'nats',
    'nats_creds',
    'nats_ca',
    'worker_keys',
    'EVENKEEL_NATS',
    'EVENKEEL_NATS_CREDS',
    'EVENKEEL_NATS_CA',
    'evenkeel_site',
  ].map((name) => [name, ROUTES] as const),
]);

/** `--workers was removed: …`; undefined if there never was one of that name. */
export function removedText(name: string): string | undefined {
  const instead = REMOVED.get(name);
  return instead && `${name} was removed: ${instead}`;
}
