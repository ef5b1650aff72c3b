import Type from 'typebox';
import { entry, isMapping, type Mapping, type Value } from '../model/value.js';
import type { Plan } from './contract.js';

/** The argument that allows what `guardAccess` refuses. */
export const ALLOW_LOCKOUT = {
  allow_lockout: Type.Boolean({
    default: false,
    description:
      'Allow a change after which Evenkeel could no longer sign in: Basic authentication or HTTPS switched off, or left to a default of the controller.',
  }),
};

/** The portal settings without which nobody signs in with Basic authentication over HTTPS, as Evenkeel does. */
const ACCESS = ['allow_basic_authentication', 'enable_https'] as const;

/** Refuses a system configuration that would lock Evenkeel out, and warns where that may happen by a default. */
export function guardAccess(
  args: { readonly allow_lockout: boolean },
  before: Mapping | null,
  after: Mapping,
): Pick<Plan, 'refusal' | 'warnings'> {
  if (args.allow_lockout) return {};
  const closed = ACCESS.find((name) => closes(portal(before, name), portal(after, name)));
  if (closed !== undefined)
    return { refusal: refusal(`sets portal_configuration.${closed} to ${JSON.stringify(portal(after, closed))}`) };
  const dropped = ACCESS.find((name) => portal(before, name) !== undefined && portal(after, name) === undefined);
  if (dropped !== undefined) return { refusal: refusal(`drops portal_configuration.${dropped}`) };
  return before === null && portal(after, 'allow_basic_authentication') === undefined ? { warnings: [FALLS_BACK] } : {};
}

/** Whatever is not `true`, such as the text "false", may be false to a controller. */
function closes(before: Value | undefined, after: Value | undefined): boolean {
  return after !== undefined && after !== true && after !== before;
}

const FALLS_BACK =
  'the system configuration cannot be read and portal_configuration.allow_basic_authentication is not declared: replacing the configuration may set it back to false, and then nobody can sign in; declare it as true to be safe';

function refusal(what: string): string {
  return `this ${what}, and Evenkeel signs in with Basic authentication over HTTPS: it would lock itself out; nothing was written. Say allow_lockout: true if that is wanted`;
}

function portal(object: Mapping | null, name: string): Value | undefined {
  const settings = object === null ? undefined : entry(object, 'portal_configuration');
  return isMapping(settings) ? entry(settings, name) : undefined;
}
