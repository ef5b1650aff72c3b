import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { parseProxy } from '../../core/model/inventory/route.js';
import { ConnectionFailure } from '../exchange/call.js';
import { LIMITS } from '../exchange/policy.js';
import { AnswerMemory } from '../transport/answer_memory.js';
import { SecureContexts } from '../transport/dispatchers.js';
import { Transport } from '../transport/transport.js';
import { OpenRoutes } from './open_routes.js';
import { tryProxy, type Opening } from './tunnel.js';
import { TunnelFailure } from './tunnel_failure.js';

/** Either how long it took, in milliseconds, or why it failed. */
export type RouteCheckResult =
  | { readonly milliseconds: number }
  | { readonly failure: string; readonly hint?: string | undefined };

/** Looks at proxies outside of a run. */
export class RouteCheck {
  readonly #opening: Opening = new Set();
  readonly #routes = new OpenRoutes();
  readonly #contexts = new SecureContexts();
  readonly #open = new Set<Transport>();

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => {
      for (const socket of this.#opening) socket.destroy();
      this.#routes.close();
      for (const transport of this.#open) void transport.close();
    });
  }

  /** Whether a proxy works, and how long a round trip to it takes. The failure follows the name of the proxy. */
  async proxy(url: string): Promise<RouteCheckResult> {
    const proxy = parseProxy(url);
    if (proxy === undefined) return { failure: 'is not the URL of a SOCKS5 or HTTP proxy' };
    try {
      return { milliseconds: await tryProxy(proxy, this.#opening) };
    } catch (error) {
      if (error instanceof TunnelFailure) return { failure: error.message };
      throw error;
    }
  }

  /** Whether a controller answers through one proxy. Sends no credentials. */
  async controller(settings: ConnectionSettings, proxy: string): Promise<RouteCheckResult> {
    const route = this.#routes.to({ name: settings.route?.name, proxies: [proxy] });
    const [trust, slot] = [this.#contexts.trust(settings.ca), new AnswerMemory().slot()];
    const transport = new Transport({ ...settings, auth: 'session' }, { route, trust, limits: LIMITS, slot });
    this.#open.add(transport);
    const started = performance.now();
    try {
      await transport.send({ method: 'GET', path: '/', repeatable: true, outsideApi: true });
      return { milliseconds: performance.now() - started };
    } catch (error) {
      if (error instanceof ConnectionFailure) return { failure: error.message, hint: error.hint };
      throw error;
    } finally {
      this.#open.delete(transport);
      await transport.close();
    }
  }
}
