import path from 'node:path';
import type { Cursor } from '../document/cursor.js';
import { text } from '../document/texts.js';
import { placeOf, relativeTo } from './values.js';

/** How to reach the NATS server of the workers at sites. Files are relative to the working directory. */
export interface Broker {
  readonly nats?: string | undefined;
  readonly natsCreds?: string | undefined;
  readonly natsCa?: string | undefined;
}

type BrokerSetting = 'nats' | 'nats_creds' | 'nats_ca';

/** The broker that one place names: the project file, the variables or an environment. */
export function brokerAt(get: (name: BrokerSetting) => Cursor | undefined, base: string, cwd: string): Broker {
  const file = (name: BrokerSetting): string | undefined => {
    const value = text(get(name));
    return value === undefined ? undefined : relativeTo(cwd, path.resolve(base, value));
  };
  return { nats: brokerUrl(get('nats')), natsCreds: file('nats_creds'), natsCa: file('nats_ca') };
}

/** A project file is shared, so it must not hold the password. */
function brokerUrl(cursor: Cursor | undefined): string | undefined {
  const url = text(cursor);
  if (cursor !== undefined && url?.includes('@') === true && typeof placeOf(cursor) !== 'string')
    cursor.error('nats must not contain a password', 'write a file for nats_creds');
  return url;
}

interface Workers extends Broker {
  readonly siteTimeout?: number | undefined;
  readonly noNats?: boolean | undefined;
}

/**
 * The broker of an earlier run or plan, and how long to wait for its workers, unless the options name another broker or
 * none (`--no-nats`, which an earlier run also keeps). Another broker never gets the credentials for the earlier one;
 * credentials without a broker are for the one that is named.
 */
export function brokerOf(kept: Workers, given: Workers): Workers {
  if (given.noNats === true) return { ...brokerOf({}, {}), noNats: true };
  const { nats = kept.nats } = given;
  const same = nats === kept.nats || kept.nats === undefined ? kept : {};
  return {
    nats,
    natsCreds: given.natsCreds ?? same.natsCreds,
    natsCa: given.natsCa ?? same.natsCa,
    siteTimeout: given.siteTimeout ?? kept.siteTimeout,
    noNats: nats === undefined ? kept.noNats : undefined,
  };
}

/** The broker of the project, or of its environment. */
export function brokerIn(
  { brokers }: { readonly brokers: readonly Broker[] },
  environment: { readonly broker: Broker } | undefined,
): Broker {
  const levels = [...brokers, environment?.broker ?? {}];
  return levels.reduce((weaker, stronger) => brokerOf(weaker, stronger));
}
