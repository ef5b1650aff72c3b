import * as Type from 'typebox';
import { jsonText, valueAt, type Mapping, type Value } from '../core/model/values/value.js';
import type { Plan, Singleton } from './contract.js';

/** The argument that allows what `guardAccess` refuses. */
export const ALLOW_LOCKOUT = {
  allow_lockout: Type.Boolean({
    default: false,
    description:
      'Allow a change after which Evenkeel could no longer sign in: Basic authentication or HTTPS switched off, or left to a default of the controller.',
  }),
};

/** The portal settings that a sign-in needs: Basic authentication needs the first, every sign-in needs HTTPS. */
const BASIC = 'allow_basic_authentication';
const HTTPS = 'enable_https';

/**
 * Refuses a system configuration that would lock Evenkeel out. Warns if a default of the controller may do so.
 *
 * @param signIn how the session signed in, as the read of the object reports it
 * @param consent how the user can allow the change, for the message
 */
export function guardAccess(
  args: { readonly allow_lockout: boolean },
  before: Mapping | null,
  after: Mapping,
  { signIn }: Pick<Singleton, 'signIn'>,
  consent = 'Set allow_lockout: true',
): Pick<Plan, 'refusal' | 'warnings' | 'locksOut'> {
  const needed = signIn === 'session' ? [HTTPS] : [BASIC, HTTPS];
  const lockout = findLockout(needed, before, after);
  const mayFallBack = needed.includes(BASIC) && before === null && portal(after, BASIC) === undefined;
  if (args.allow_lockout) return lockout !== undefined || mayFallBack ? { locksOut: true } : {};
  const how = signIn === 'session' ? 'over HTTPS' : 'with Basic authentication over HTTPS';
  const why = `and Evenkeel signs in ${how}: it would lock itself out; nothing was written`;
  if (lockout !== undefined) return { refusal: `this ${lockout}, ${why}. ${consent} if that is intended` };
  return mayFallBack ? { warnings: [FALLS_BACK] } : {};
}

/** How a configuration blocks the sign-in, in words; undefined if it does not. */
function findLockout(needed: readonly string[], before: Mapping | null, after: Mapping): string | undefined {
  // Any value other than `true`, such as the text "false", may be false to a controller.
  const closed = needed.find((name) => {
    const now = portal(after, name);
    return now !== undefined && now !== true && now !== portal(before, name);
  });
  if (closed !== undefined) return `sets portal_configuration.${closed} to ${jsonText(portal(after, closed))}`;
  const dropped = needed.find((name) => portal(before, name) !== undefined && portal(after, name) === undefined);
  return dropped === undefined ? undefined : `drops portal_configuration.${dropped}`;
}

const FALLS_BACK =
  'the system configuration cannot be read and portal_configuration.allow_basic_authentication is not declared: replacing the configuration may set it back to false, and then no one can sign in; declare it as true to be safe';

function portal(object: Mapping | null, name: string): Value | undefined {
  return valueAt(object ?? undefined, ['portal_configuration', name]);
}
