import { jsonText } from '../../core/model/values/json.js';
import type { Behaviour } from '../behaviour/behaviour.js';
import { isJsonList, isJsonObject, textOrEmpty, type JsonObject, type SimulatedJson } from '../protocol/json.js';

const DRAINED_AFTER = 1000;

/** When servers were disabled. The connections of servers that an earlier run disabled have ended. */
export class Drains {
  readonly #since = new Map<string, number>();

  /** Notes the servers that an update of a pool disables. */
  changed(before: JsonObject, after: JsonObject): void {
    const enabled = new Set(
      listServers(before)
        .filter(isEnabled)
        .map((server) => serverName(server, before)),
    );
    for (const server of listServers(after)) {
      const name = serverName(server, after);
      if (!isEnabled(server) && enabled.has(name)) this.#since.set(drainKey(after, name), Date.now());
    }
  }

  /** The part of its connections that a disabled server still has: 1 at first, then less, at last 0. */
  rest(pool: JsonObject, name: string, { drained_after: length = DRAINED_AFTER }: Behaviour): number {
    const since = this.#since.get(drainKey(pool, name));
    if (since === undefined || length === 0) return 0;
    return Math.max(0, 1 - (Date.now() - since) / length);
  }
}

function drainKey({ uuid }: JsonObject, server: string): string {
  return `${textOrEmpty(uuid)}/${server}`;
}

export function listServers({ servers }: JsonObject): readonly JsonObject[] {
  return objectsIn(servers);
}

export function objectsIn(list: SimulatedJson | undefined): readonly JsonObject[] {
  return isJsonList(list) ? list.filter(isJsonObject) : [];
}

/** `10.0.0.9:80`, as metrics and runtimes name a server. */
export function serverName(server: JsonObject, { default_server_port: usual = 80 }: JsonObject): string {
  return `${serverAddress(server)}:${jsonText(server['port'] ?? usual)}`;
}

export function serverAddress({ ip }: JsonObject): string {
  return isJsonObject(ip) ? textOrEmpty(ip['addr']) : '';
}

export function isEnabled({ enabled }: JsonObject): boolean {
  return enabled !== false;
}
