import { DIALECTS } from '../../src/core/model/dialect.js';
import { builtInKinds } from '../../src/kinds/kind_table.js';
import { RequestLog, SimulatedController } from '../../src/simulator/controller/controller.js';
import {
  isJsonObject,
  type JsonObject,
  type SimulatedAnswer,
  type SimulatedJson,
  type SimulatedRequest,
} from '../../src/simulator/protocol/exchange.js';
import { objectsIn } from '../../src/simulator/service/object_store.js';
import { Service, type ServiceOptions } from '../../src/simulator/service/service.js';
import { SimulatedState } from '../../src/simulator/state/controller_state.js';
import { basic } from './raw_client.js';
import type { TestedDialect } from './simulated.js';

/** A request as a simulated controller gets it, without HTTP. */
export function bareRequest(
  method: string,
  path: string,
  body?: SimulatedJson,
  headers: SimulatedRequest['headers'] = {},
): SimulatedRequest {
  const [plain = '', query = ''] = path.split('?');
  return {
    method,
    path: plain,
    query: new URLSearchParams(query),
    headers: {
      authorization: basic('admin', 'simulated'),
      'x-vendor-version': '22.1.3',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? '' : JSON.stringify(body),
    base: 'https://lb1',
  };
}

/** A simulated controller without HTTP. Basic authentication is on. */
export function bareController(dialectName: TestedDialect = 'generic', options: Partial<ServiceOptions> = {}) {
  const dialect = DIALECTS.get(dialectName);
  if (dialect === undefined) throw new Error(`there is no dialect ${dialectName}`);
  const state = new SimulatedState(undefined, () => undefined);
  const { versionHeader } = dialect;
  const kinds = dialectName === 'avi' ? builtInKinds() : undefined;
  const service = new Service(state, { dialect, kinds, versionHeader, apiVersions: [], tenants: [], ...options });
  service.addAccount({ username: 'admin', password: 'simulated' });
  const log = new RequestLog(true);
  const controller = new SimulatedController('lb1', state, { service, prefix: '', log });
  controller.behaviour = { basic: true };
  const answer = (request: SimulatedRequest): SimulatedAnswer => service.answer(request, controller.behaviour);
  const ask = (...given: Parameters<typeof bareRequest>): SimulatedAnswer => answer(bareRequest(...given));
  /** The object in the answer. */
  const object = (...given: Parameters<typeof bareRequest>): JsonObject => {
    const { body, status } = ask(...given);
    if (status >= 300 || !isJsonObject(body)) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };
  const list = (path: string, headers: SimulatedRequest['headers'] = {}): readonly JsonObject[] =>
    objectsIn(object('GET', path, undefined, headers)['results']);
  return { controller, service, state, log, answer, ask, object, list };
}
