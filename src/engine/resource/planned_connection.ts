import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import type { PlanGuide, PlanMaker, PlannedConnection } from '../../core/model/run/plan.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { Value } from '../../core/model/values/value.js';
import type { Connection } from '../controllers/session_pool.js';

/** What a request depends on besides the address, as in `PlannedConnection.parts`: the words if it has changed, and its variables. */
const PARTS = [
  ['another user', ['controller_username', 'ansible_user']],
  ['another tenant', ['controller_tenant']],
  ['another dialect', ['controller_dialect']],
  ['another way to sign in', ['controller_auth']],
  ['another API version', ['controller_api_version']],
  ['another version header', ['controller_version_header']],
  ['other headers', ['controller_headers']],
  ['another check of certificates', ['controller_verify_tls', 'ansible_httpapi_validate_certs']],
] as const;
const ADDRESS = ['controller_url', 'ansible_host', 'controller_route', 'controller_proxy'];

/** Characters of a digest that only finds the name of what has changed. */
const SHORT = 8;

type Digest = (value: Value) => string;

/** Each run reads its own settings, and has one plan at most. The connection is asked for again for each task. */
const KNOWN = new WeakMap<ConnectionSettings, PlannedConnection>();

export function plannedConnection(digest: Digest, settings: ConnectionSettings): PlannedConnection {
  return getOrAdd(KNOWN, settings, () => makePlannedConnection(digest, settings));
}

/** The id of a task's `PlannedConnection`; empty if it contacts no controller. */
export function connectionId(digest: Digest, connection: Connection | undefined): string {
  return connection === undefined ? '' : plannedConnection(digest, connection.settings).id;
}

/** Why the task does not act where it would have acted when the plan was made; undefined if it does, or if that is not known. */
export function whyElsewhere(
  plan: PlanGuide,
  settings: ConnectionSettings,
  planned: string | undefined,
  compared: 'all' | 'address',
): string | undefined {
  const { controller } = settings;
  const now = plannedConnection((value) => plan.digest(value), settings);
  if (planned === undefined || planned === now.id) return undefined;
  const then = plan.connections(controller).find(({ id }) => id === planned);
  if (compared === 'address' && then?.address === now.address) return undefined;
  return `the task would act on ${controller} in another way than when the plan was made, or it acted on another controller then`;
}

function makePlannedConnection(digest: Digest, settings: ConnectionSettings): PlannedConnection {
  const { username, tenant, dialect, auth, apiVersion, versionHeader, headers, verifyTls } = settings;
  const address = controllerIdentity(settings);
  const values = [username, tenant ?? null, dialect.name, auth, apiVersion ?? null, versionHeader, headers, verifyTls];
  return { address, id: digest([address, ...values]), parts: values.map((value) => digest(value).slice(0, SHORT)) };
}

/**
 * A run that makes a plan records how it reaches a controller. For a run that follows one: what has changed since,
 * undefined if nothing, or if the plan does not say. `variables`: those that have changed.
 */
export function comparePlanned(
  plan: PlanMaker | PlanGuide | undefined,
  settings: ConnectionSettings,
  compared: 'all' | 'address' = 'all',
) {
  if (plan === undefined) return undefined;
  const { controller } = settings;
  const now = plannedConnection((value) => plan.digest(value), settings);
  if (plan.type === 'make') {
    plan.reached(controller, now);
    return undefined;
  }
  const known = plan.connections(controller);
  if (known.length === 0 || known.some(({ id }) => id === now.id)) return undefined;
  const there = known.find(({ address }) => address === now.address);
  if (there === undefined) {
    const then = [...new Set(known.map(({ address }) => address))].join(', ');
    const message = `${controller} is at ${now.address} now, and the plan was made for ${then}`;
    return { message, variables: ADDRESS };
  }
  if (compared === 'address') return undefined;
  const changed = PARTS.filter((_, at) => there.parts[at] !== now.parts[at]);
  const names = changed.map(([name]) => name).join(', ');
  return {
    message: `${controller} is reached with ${names} than when the plan was made`,
    variables: changed.flatMap(([, variables]) => variables),
  };
}
