import { shownProxy } from '../../core/model/inventory/route.js';
import type { HostAndPort } from '../transport/confinement.js';

/**
 * What went wrong on the way through a proxy. `proxy`: it does not work, for no controller; `credentials`: it does not let
 * us in; `certificate`: its own is not valid; `target`: it cannot reach the controller now; `closed`: it does not say why;
 * `forbidden`: it may not; `name`: the controller's name is unknown.
 */
export type TunnelFault = 'proxy' | 'credentials' | 'certificate' | 'target' | 'closed' | 'forbidden' | 'name';

/** There is no connection through a proxy. */
export class TunnelFailure extends Error {
  override readonly name = 'TunnelFailure';

  /** @param message worded to follow the name of the proxy */
  constructor(
    readonly fault: TunnelFault,
    message: string,
  ) {
    super(message);
  }
}

/** The faults of a proxy that is of no use to any controller. */
export function isDown(fault: TunnelFault): boolean {
  return fault === 'proxy' || fault === 'credentials' || fault === 'certificate';
}

/** A proxy that works says something within this time: a reply to the greeting takes one round trip. */
export const SILENCE_MS = 5000;

/** The proxy does not accept these credentials, or wants some. */
export function wanted(username: string): string {
  return username === '' ? 'wants a user name and a password' : `refuses the user name or the password`;
}

/** The proxy closed the connection. OpenSSH does so if the controller cannot be reached, often after it said that it is connected. */
export function closedEarly(to: HostAndPort): TunnelFailure {
  return new TunnelFailure('closed', `closed the connection to ${shownProxy(to)} before an answer`);
}
