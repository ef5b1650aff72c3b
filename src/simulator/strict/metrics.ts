import { refusal, success, type SimulatedAnswer } from '../protocol/exchange.js';
import type { JsonObject } from '../protocol/json.js';
import type { StoreTurn } from './object_store.js';
import { openConnections } from './runtime.js';

const OPEN_CONNECTIONS = /^l4_(?:client|server)\.(?:avg|max)_(?:pool_)?open_conns$/;

/** GET of `/api/analytics/metrics/KIND/UUID`: the newest value of each metric. Only open connections have values. */
export function metricsAnswer(kind: string, object: JsonObject, turn: StoreTurn): SimulatedAnswer {
  const { query, method } = turn.request;
  if (method !== 'GET') return refusal(405, `Method '${method}' not allowed.`, { allow: 'GET' });
  const asked = query.get('metric_id');
  if (asked === null || asked === '') return refusal(400, 'metric_id is required.');
  const server = query.get('obj_id');
  const connections = openConnections(kind, object, server, turn);
  const entity = object['uuid'] ?? '';
  const timestamp = new Date().toISOString();
  const series = asked.split(',').map((name): JsonObject => {
    const hasValue = OPEN_CONNECTIONS.test(name) && connections !== undefined;
    return {
      header: { name, entity_uuid: entity, ...(server !== null && { obj_id: server }) },
      data: hasValue ? [{ timestamp, value: connections }] : [],
    };
  });
  return success({ metric_id: asked, entity_uuid: entity, limit: 1, series });
}
