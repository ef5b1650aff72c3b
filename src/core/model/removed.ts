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
