import { refusal, success, type Answer } from '../protocol/answer.js';
import type { Behaviour } from '../behaviour/behaviour.js';
import { readBody } from './body.js';
import { refuseStale } from './concurrency.js';
import { SYSTEM_CONFIGURATION_DEFAULTS, withDefaults } from '../state/defaults.js';
import type { SimulatedRequest } from '../protocol/request.js';
import { SYSTEM_CONFIGURATION_SHAPE } from './field_types.js';
import { SYSTEM_CONFIGURATION, type ControllerState } from '../state/controller_state.js';

/** GET (which the API document does not promise) and PUT of an object without a uuid in its path. */
export function answerSingleton(
  path: string,
  request: SimulatedRequest,
  state: ControllerState,
  behaviour: Behaviour,
): Answer {
  switch (request.method) {
    case 'GET':
      if (behaviour.unreadable !== undefined) return refusal(behaviour.unreadable, `Method "GET" not allowed.`);
      return success(state.singleton(path).read());
    case 'PUT':
      return replace(path, request, state, behaviour);
    default:
      return refusal(405, `Method "${request.method}" not allowed.`, { allow: 'GET, PUT' });
  }
}

function replace(path: string, request: SimulatedRequest, state: ControllerState, behaviour: Behaviour): Answer {
  const system = path === SYSTEM_CONFIGURATION;
  const body = readBody(request, system ? SYSTEM_CONFIGURATION_SHAPE : {});
  if (body.status === 'refused') return body.answer;
  const present = state.singleton(path).current;
  const stale = refuseStale(body.object, present, behaviour);
  if (stale !== undefined) return stale;
  const filled = system ? withDefaults(body.object, SYSTEM_CONFIGURATION_DEFAULTS) : body.object;
  const url = `${request.base}${path}`;
  const resulting = { ...filled, uuid: 'default', url, _last_modified: state.stamp() };
  state.setSingleton(path, resulting, behaviour.lag);
  // Both are success by the API document, so a client meets both: 201 when it is written for the first time.
  return success(resulting, present['url'] === undefined ? 201 : 200);
}
