import { Connections, type ConnectionsOptions } from '../../src/controller/connections.js';
import { ControllerError } from '../../src/controller/exchange/call.js';
import type { RetryPolicy } from '../../src/controller/exchange/policy.js';
import { DEFAULT_DIALECT } from '../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import type { Route } from '../../src/core/model/inventory/route.js';

/** Pauses too short to wait for. */
export const IMPATIENT: RetryPolicy = { attempts: 4, baseMs: 1, capMs: 4, deadlineSeconds: 20 };

export const PASSWORD = 'swordfish-7/ü';

export function settingsOf(
  url: string,
  ca: string | undefined,
  overrides: Partial<ConnectionSettings> = {},
): ConnectionSettings {
  return {
    controller: 'lb1',
    url,
    dialect: DEFAULT_DIALECT,
    auth: 'basic',
    tenant: undefined,
    username: 'admin',
    password: PASSWORD,
    apiVersion: '22.1.3',
    versionHeader: 'X-Vendor-Version',
    ca,
    verifyTls: true,
    timeout: 10,
    writeSettles: 60,
    patience: 15,
    headers: {},
    maxRequests: 1,
    route: undefined,
    shared: false,
    ...overrides,
  };
}

/** A way through proxies that are no route of the project. */
export function through(...proxies: readonly string[]): Route {
  return { name: undefined, proxies };
}

export function connections(options: Partial<ConnectionsOptions> = {}): Connections {
  return new Connections({ abort: new AbortController().signal, retry: IMPATIENT, ...options });
}

/** The error that a promise is rejected with. */
export async function errorOf(promise: Promise<unknown>): Promise<ControllerError> {
  const [result] = await Promise.allSettled([promise]);
  if (result.status === 'rejected' && result.reason instanceof ControllerError) return result.reason;
  throw new Error(`expected a ControllerError, got ${result.status}`, {
    cause: result.status === 'rejected' ? result.reason : result.value,
  });
}
