import {
  isJsonList,
  type JsonObject,
  errorAnswer,
  type SimulatedAnswer,
  success,
  textOrEmpty,
} from '../protocol/exchange.js';
import {
  isEnabled,
  listServers,
  objectsIn,
  referenceTo,
  serverAddress,
  serverName,
  type StoreTurn,
} from './object_store.js';
import { referrers } from './references.js';

/** Of each server that gets traffic. */
const CONNECTIONS = 10;

interface PoolServer {
  readonly name: string;
  readonly state: string;
  readonly connections: number;
}

/** What a pool or virtual service is doing, as its inventory shows it; undefined for other kinds. */
export function inventoryRuntime(kind: string, object: JsonObject, turn: StoreTurn): JsonObject | undefined {
  if (kind === 'pool') return poolRuntime(object, turn);
  if (kind !== 'virtualservice') return undefined;
  return { oper_status: operStatus(serviceState(object, turn)), percent_ses_up: 100 };
}

/** From 0 to 100, by the part of the servers that are up. */
export function healthScore(kind: string, object: JsonObject, turn: StoreTurn): number {
  const pools = kind === 'pool' ? [object] : findPools(object, turn);
  const servers = pools.flatMap((pool) => poolServers(pool, turn));
  const state = kind === 'pool' ? poolState(object, turn) : serviceState(object, turn);
  if (state !== UP) return 0;
  return servers.length === 0 ? 100 : percent(servers.filter(isUp).length, servers.length);
}

/** The open connections of a pool or virtual service, or of one server of a pool; undefined if there is no such server. */
function openConnections(kind: string, object: JsonObject, server: string | null, turn: StoreTurn): number | undefined {
  const pools = kind === 'pool' ? [object] : findPools(object, turn);
  const servers = pools.flatMap((pool) => poolServers(pool, turn));
  const asked = server === null ? servers : servers.filter(({ name }) => name === server);
  if (server !== null && asked.length === 0) return undefined;
  return asked.reduce((sum, { connections }) => sum + connections, 0);
}

const OPEN_CONNECTIONS = /^l4_(?:client|server)\.(?:avg|max)_(?:pool_)?open_conns$/;

/** GET of `/api/analytics/metrics/KIND/UUID`: the newest value of each metric. Only open connections have values. */
export function metricsAnswer(kind: string, object: JsonObject, turn: StoreTurn): SimulatedAnswer {
  const { query, method } = turn.request;
  if (method !== 'GET') return errorAnswer(405, `Method '${method}' not allowed.`, { allow: 'GET' });
  const asked = query.get('metric_id');
  if (asked === null || asked === '') return errorAnswer(400, 'metric_id is required.');
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

/** The servers of a pool, as `/api/pool/UUID/runtime/server` lists them. */
export function serverRuntimes(pool: JsonObject, turn: StoreTurn): readonly JsonObject[] {
  return poolServers(pool, turn).map(({ name, state }) => ({ server: name, oper_status: operStatus(state) }));
}

function poolRuntime(pool: JsonObject, turn: StoreTurn): JsonObject {
  const servers = poolServers(pool, turn);
  const enabled = servers.filter(({ state }) => state !== DISABLED).length;
  const up = servers.filter(isUp).length;
  return {
    oper_status: operStatus(poolState(pool, turn)),
    num_servers: servers.length,
    num_servers_enabled: enabled,
    num_servers_up: up,
    percent_servers_up_total: percent(up, servers.length),
    percent_servers_up_enabled: percent(up, enabled),
  };
}

const UP = 'OPER_UP';
const DOWN = 'OPER_DOWN';
const DISABLED = 'OPER_DISABLED';
const UNUSED = 'OPER_UNUSED';

const REASONS: Readonly<Record<string, string>> = {
  [DOWN]: 'No server is up',
  [DISABLED]: 'Disabled by configuration',
  [UNUSED]: 'No virtual service uses it',
};

function operStatus(state: string): JsonObject {
  const reason = REASONS[state];
  return { state, reason: reason === undefined ? [] : [reason] };
}

function serviceState(service: JsonObject, turn: StoreTurn): string {
  if (!isEnabled(service)) return DISABLED;
  const pools = findPools(service, turn);
  return pools.length === 0 || pools.some((pool) => poolState(pool, turn) === UP) ? UP : DOWN;
}

function poolState(pool: JsonObject, turn: StoreTurn): string {
  if (!isEnabled(pool)) return DISABLED;
  if (isUnused(pool, turn)) return UNUSED;
  return poolServers(pool, turn).some(isUp) ? UP : DOWN;
}

function isUnused(pool: JsonObject, { store }: StoreTurn): boolean {
  return referrers(referenceTo('pool', pool), store, new Set()).length === 0;
}

/** The pools that get the traffic of a virtual service, directly or as members of its pool group. */
function findPools({ pool_ref: pool, pool_group_ref: group }: JsonObject, { store }: StoreTurn): readonly JsonObject[] {
  const { members } = store.at(textOrEmpty(group)) ?? {};
  const references = [pool, ...objectsIn(members).map((member) => member['pool_ref'])];
  return references.map((one) => store.at(textOrEmpty(one))).filter((one) => one !== undefined);
}

/** A server is down only if monitors look at it. */
function poolServers(pool: JsonObject, turn: StoreTurn): readonly PoolServer[] {
  const { behaviour, drains } = turn;
  const { health_monitor_refs: monitors } = pool;
  const down = isJsonList(monitors) && monitors.length > 0 ? (behaviour.servers_down ?? []) : [];
  const traffic = isEnabled(pool) && !isUnused(pool, turn) ? CONNECTIONS : 0;
  return listServers(pool).map((server) => {
    const name = serverName(server, pool);
    if (!isEnabled(server))
      return { name, state: DISABLED, connections: Math.ceil(traffic * drains.rest(pool, name, behaviour)) };
    const isDown = down.some((one) => one === name || one === serverAddress(server));
    return isDown ? { name, state: DOWN, connections: 0 } : { name, state: UP, connections: traffic };
  });
}

function isUp({ state }: PoolServer): boolean {
  return state === UP;
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((100 * part) / whole);
}
