import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { DEFAULT_DIALECT, DIALECTS } from '../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import { serverCertificate } from './certificates.js';
import { settingsOf } from './controllers.js';
import { WAITS } from './waits.js';

type Body = Record<string, unknown>;

interface Asked {
  readonly method: string;
  /** Below the prefix, with the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly cookies?: readonly string[];
}

/** A controller that signs in by session only, has tenants, and refuses what a real one of the family refuses. */
export class SessionController {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** CSRF token by session. */
  readonly #sessions = new Map<string, string>();
  readonly #objects = new Map<string, Body[]>();
  /** `METHOD path`, with `@tenant` at the end of what is below /api, in order. */
  readonly log: string[] = [];
  readonly asked: Asked[] = [];
  readonly tenants = new Set(['admin', 'blue', 'green']);
  readonly passwords = new Map([['admin', 'swordfish-7/ü']]);
  /** Called before a request is carried out; what it returns is the answer. */
  before: ((asked: Asked) => Reply | undefined | Promise<Reply | undefined>) | undefined;
  /** True: the request was carried out, and its answer is lost. */
  losesReply: (asked: Asked) => boolean = () => false;
  system: Body = { portal_configuration: { allow_basic_authentication: false, enable_https: true } };
  prefix = '';

  private constructor(
    readonly ca: string,
    server: Server,
    private readonly port: number,
  ) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#serve(request, response);
    });
  }

  static async start(): Promise<SessionController> {
    const { ca, key, cert } = await serverCertificate();
    const server = createServer({ key, cert });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A request may still be on its way when the server is closed.
    return new SessionController(ca, server, (server.address() as AddressInfo).port);
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}${this.prefix}`;
  }

  settings(overrides: Partial<ConnectionSettings> = {}): ConnectionSettings {
    const dialect = DIALECTS.get('avi') ?? DEFAULT_DIALECT;
    const { versionHeader } = dialect;
    return settingsOf(this.url, this.ca, { dialect, versionHeader, auth: 'session', tenant: 'admin', ...overrides });
  }

  /** Of a user, as an inventory says it. */
  variables(name = 'lb1'): Record<string, unknown> {
    return {
      [name]: {
        controller_url: this.url,
        controller_verify_tls: false,
        controller_username: 'admin',
        controller_password: this.passwords.get('admin'),
        controller_api_version: '22.1.3',
        controller_dialect: 'avi',
        controller_auth: 'session',
        ...WAITS,
      },
    };
  }

  get sessions(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  /** All sessions run out. */
  expire(): void {
    this.#sessions.clear();
  }

  objects(kind: string, tenant = 'admin'): Body[] {
    const key = `${tenant} ${kind}`;
    const known = this.#objects.get(key) ?? [];
    this.#objects.set(key, known);
    return known;
  }

  add(kind: string, tenant: string, object: Body): void {
    this.objects(kind, tenant).push({ uuid: `${kind}-${randomUUID()}`, ...object });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = (await buffer(request)).toString();
    const asked = { method, path: url.slice(this.prefix.length), headers, body };
    if (!url.startsWith(this.prefix)) return void response.writeHead(404).end();
    this.asked.push(asked);
    const tenant = asked.path.startsWith('/api') ? ` @${String(headers['x-avi-tenant'])}` : '';
    this.log.push(`${method} ${asked.path}${tenant}`);
    const reply = (await this.before?.(asked)) ?? this.#answer(asked);
    if (this.losesReply(asked)) return void request.socket.destroy();
    const text = reply.body === undefined ? '' : JSON.stringify(reply.body);
    response.writeHead(reply.status, {
      'content-type': 'application/json',
      ...(reply.cookies !== undefined && { 'set-cookie': [...reply.cookies] }),
    });
    response.end(text);
  }

  #answer(asked: Asked): Reply {
    const { pathname } = new URL(asked.path, 'https://controller');
    if (pathname === '/login') return this.#login(asked);
    const session = this.#sessionOf(asked);
    if (session === undefined) return error(401, 'Authentication credentials were not provided.');
    if (asked.method !== 'GET' && !this.#isSafe(asked, session)) return error(403, 'CSRF Failed: CSRF token missing.');
    if (pathname === '/logout') {
      this.#sessions.delete(session);
      return { status: 200, body: {} };
    }
    if (!/^\d+\.\d+\.\d+$/.test(String(asked.headers['x-avi-version']))) return error(400, 'Invalid version');
    const tenant = String(asked.headers['x-avi-tenant']);
    if (!this.tenants.has(tenant)) return error(404, `Tenant ${tenant} not found!`);
    return this.#api(asked, tenant);
  }

  #login({ method, body, headers }: Asked): Reply {
    if (method !== 'POST') return error(405, 'Method not allowed');
    if (headers.authorization !== undefined || headers.cookie !== undefined) return error(400, 'not a sign-in');
    const { username, password } = JSON.parse(body) as { username: string; password: string };
    if (this.passwords.get(username) !== password) return error(401, 'Invalid credentials');
    const [session, token] = [randomUUID(), randomUUID()];
    this.#sessions.set(session, token);
    return {
      status: 200,
      body: { session_cookie_name: 'avi-sessionid' },
      cookies: [
        `avi-sessionid=${session}; Path=/; Secure; HttpOnly`,
        `sessionid=${session}; Path=/; Secure; HttpOnly`,
        `csrftoken=${token}; Path=/; Secure`,
      ],
    };
  }

  #sessionOf({ headers }: Asked): string | undefined {
    const session = /(?:^|; )avi-sessionid=([^;]+)/.exec(headers.cookie ?? '')?.[1];
    return session !== undefined && this.#sessions.has(session) ? session : undefined;
  }

  #isSafe({ headers }: Asked, session: string): boolean {
    const isOwn = headers.referer?.startsWith(this.url) === true;
    return isOwn && headers['x-csrftoken'] === this.#sessions.get(session);
  }

  #api({ method, path, body }: Asked, tenant: string): Reply {
    const { pathname, searchParams } = new URL(path, 'https://controller');
    if (pathname === '/api/systemconfiguration') {
      if (method === 'PUT') this.system = JSON.parse(body) as Body;
      return { status: 200, body: this.system };
    }
    if (pathname === '/api/useraccount') return this.#changePassword(JSON.parse(body) as Body);
    const [, kind = '', uuid] = /^\/api\/(\w+)(?:\/([\w-]+))?\/?$/.exec(pathname) ?? [];
    if (kind === 'tenant') return list([...this.tenants].map((name) => ({ name, uuid: `tenant-${name}` })));
    const objects = this.objects(kind, tenant);
    if (uuid !== undefined) return this.#one(objects, uuid, method, body);
    if (method === 'GET') {
      const name = searchParams.get('name');
      return list(objects.filter((object) => name === null || object['name'] === name));
    }
    const sent = JSON.parse(body) as Body;
    if (objects.some(({ name }) => name === sent['name'])) return error(409, `${kind} exists`);
    const made = { ...sent, uuid: `${kind}-${randomUUID()}` };
    objects.push(made);
    return { status: 201, body: made };
  }

  #changePassword({ username, password, old_password: old }: Body): Reply {
    if (this.passwords.get(String(username)) !== old) return error(400, 'The old password is wrong.');
    this.passwords.set(String(username), String(password));
    return { status: 200, body: {} };
  }

  #one(objects: Body[], uuid: string, method: string, body: string): Reply {
    const at = objects.findIndex((object) => object['uuid'] === uuid);
    if (at < 0) return error(404, 'object not found!');
    if (method === 'PUT') objects[at] = { ...(JSON.parse(body) as Body), uuid };
    if (method !== 'DELETE') return { status: 200, body: objects[at] };
    objects.splice(at, 1);
    return { status: 204 };
  }
}

function list(results: readonly Body[]): Reply {
  return { status: 200, body: { count: results.length, results } };
}

function error(status: number, text: string): Reply {
  return { status, body: { error: text } };
}
