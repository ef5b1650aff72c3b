import path from 'node:path';
import type { NatsOptions } from '../../workers/nats/broker/connection.js';
import type { Secrets } from '../../secrets/secrets.js';
import type { Broker } from '../../load/project/broker.js';

/**
 * The longest silence of a worker or a run, in ms. Only tests set it, because all users of a broker must use the same
 * value.
 */
export function leaseOf(env: Readonly<Record<string, string | undefined>>): { readonly leaseMs?: number } {
  const given = Number(env['EVENKEEL_LEASE_MS'] ?? '');
  return given > 0 ? { leaseMs: given } : {};
}

/**
 * How to reach the broker. File names are relative to the working directory. Registers a password in the URL as a
 * secret.
 */
export function natsOptions(
  { nats = '', natsCreds, natsCa }: Broker,
  cwd: string,
  secrets: Pick<Secrets, 'add'>,
): NatsOptions {
  for (const one of nats.split(',')) secrets.add(/^(?:[a-z]+:\/\/)?[^:@]*:(.*)@/i.exec(one.trim())?.[1] ?? '');
  return {
    url: nats,
    ...(natsCreds !== undefined && { credsFile: path.resolve(cwd, natsCreds) }),
    ...(natsCa !== undefined && { caFile: path.resolve(cwd, natsCa) }),
  };
}
