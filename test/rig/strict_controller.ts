import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMapping, type Mapping, type Value } from '../../src/model/values/value.js';

/** Kinds whose names are unique per cloud. */
const PER_CLOUD: ReadonlySet<string> = new Set(['pool', 'network', 'vrfcontext', 'serviceenginegroup']);
const SECRETS: ReadonlySet<string> = new Set(['password', 'key', 'secret']);

interface Answer {
  readonly status: number;
  readonly body?: Value;
}

/**
 * A controller of the avi dialect as its public description has it: references are resolved when they are written and shown as URLs
 * without names, collections come in pages and names are unique per cloud.
 */
export class StrictController {
  readonly #server: Server;
  readonly #objects = new Map<string, Mapping[]>();
  /** `GET /api/pool?name=web`, in order. */
  readonly requests: string[] = [];
  url = '';
  #made = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.add('cloud', { name: 'Default-Cloud' });
    this.add('cloud', { name: 'edge' });
    for (const name of ['System-HTTP', 'System-TCP', 'System-Ping']) this.add('healthmonitor', { name });
  }

  static async start(): Promise<StrictController> {
    const controller = new StrictController();
    await new Promise<void>((resolve) => controller.#server.listen(0, '127.0.0.1', resolve));
    controller.url = `http://127.0.0.1:${(controller.#server.address() as AddressInfo).port}`;
    return controller;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** An inventory with this controller as `lb1`. */
  get inventory(): string {
    const variables = {
      controller_url: this.url,
      controller_allow_http: true,
      controller_username: 'admin',
      controller_password: 'pw-of-the-test',
      controller_api_version: '22.1.3',
      controller_dialect: 'avi',
    };
    return JSON.stringify({ all: { hosts: { lb1: variables } } });
  }

  /** The requests since the last call. */
  take(): readonly string[] {
    return this.requests.splice(0);
  }

  /** Adds an object past Evenkeel; references as when it is written. */
  add(kind: string, fields: Mapping): Mapping {
    const uuid = `${kind}-${(this.#made += 1).toString().padStart(8, '0')}-0000-4000-8000-000000000000`;
    const scoped = PER_CLOUD.has(kind) ? { cloud_ref: '/api/cloud?name=Default-Cloud', ...fields } : fields;
    const object = { ...this.#resolved(scoped), uuid, url: `${this.url}/api/${kind}/${uuid}`, _last_modified: '1' };
    this.#objects.set(kind, [...this.all(kind), object]);
    return object;
  }

  all(kind: string): readonly Mapping[] {
    return this.#objects.get(kind) ?? [];
  }

  /** The only object of that name. */
  one(kind: string, name: string): Mapping {
    const [only, ...others] = this.all(kind).filter((object) => object['name'] === name);
    if (only === undefined || others.length > 0) throw new Error(`not one ${kind} ${name}`);
    return only;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const target = new URL(request.url ?? '', this.url);
    this.requests.push(`${request.method ?? ''} ${decodeURIComponent(request.url ?? '').replaceAll('+', ' ')}`);
    const { status, body } = this.#answer(request.method ?? '', target, Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  #answer(method: string, { pathname, searchParams }: URL, text: string): Answer {
    const [, kind = '', uuid] = /^\/api\/([^/]+)\/?([^/]*)$/.exec(pathname) ?? [];
    try {
      if (uuid === undefined || uuid === '') {
        if (method === 'GET') return this.#list(kind, searchParams, pathname);
        return { status: 201, body: shown(this.#create(kind, parsed(text))) };
      }
      return this.#object(method, kind, uuid, text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: { error: error.message } };
    }
  }

  #list(kind: string, query: URLSearchParams, pathname: string): Answer {
    const name = query.get('name');
    const found = this.all(kind).filter((object) => name === null || object['name'] === name);
    const [size, page] = [Math.min(200, Number(query.get('page_size') ?? 25)), Number(query.get('page') ?? 1)];
    const next = new URLSearchParams(query);
    next.set('page', String(page + 1));
    const results = found.slice((page - 1) * size, page * size).map(shown);
    const more = found.length > page * size ? { next: `${this.url}${pathname}?${next.toString()}` } : {};
    return { status: 200, body: { count: found.length, results, ...more } };
  }

  #create(kind: string, body: Mapping): Mapping {
    this.#requireFree(
      kind,
      this.#resolved(PER_CLOUD.has(kind) ? { cloud_ref: '/api/cloud?name=Default-Cloud', ...body } : body),
    );
    return this.add(kind, body);
  }

  #requireFree(kind: string, body: Mapping): void {
    const twin = this.all(kind).some(
      ({ name, cloud_ref: cloud }) => name === body['name'] && cloud === body['cloud_ref'],
    );
    if (twin) throw new Refusal(409, `${kind} with that name exists`);
  }

  #object(method: string, kind: string, uuid: string, text: string): Answer {
    const present = this.all(kind).find((object) => object['uuid'] === uuid);
    if (present === undefined) throw new Refusal(404, `${kind} object not found!`);
    if (method === 'GET') return { status: 200, body: shown(present) };
    if (method === 'DELETE') return this.#delete(kind, present);
    const body = this.#resolved(parsed(text));
    const kept = Object.fromEntries(Object.entries(present).filter(([name]) => SECRETS.has(name)));
    const replaced = {
      ...kept,
      ...body,
      uuid,
      url: present['url'] ?? '',
      _last_modified: `${Number(present['_last_modified']) + 1}`,
    };
    this.#objects.set(
      kind,
      this.all(kind).map((object) => (object === present ? replaced : object)),
    );
    return { status: 200, body: shown(replaced) };
  }

  #delete(kind: string, present: Mapping): Answer {
    const by = [...this.#objects].flatMap(([other, objects]) =>
      objects.flatMap((object) =>
        refersTo(object, textOf(present, 'url')) ? [`'${other} ${textOf(object, 'name')}'`] : [],
      ),
    );
    if (by.length > 0) throw new Refusal(400, `Cannot delete, object is referred by: [${by.join(', ')}]`);
    this.#objects.set(
      kind,
      this.all(kind).filter((object) => object !== present),
    );
    return { status: 204 };
  }

  #resolved(fields: Mapping): Mapping {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, this.#resolvedValue(name, value)]));
  }

  #resolvedValue(field: string, value: Value): Value {
    if (Array.isArray(value)) return (value as readonly Value[]).map((item) => this.#resolvedValue(field, item));
    if (isMapping(value)) return this.#resolved(value);
    return typeof value === 'string' && /_refs?$/.test(field) ? this.#target(value) : value;
  }

  #target(reference: string): string {
    const url = new URL(reference, this.url);
    const [, kind = '', uuid = ''] = /^\/api\/([^/]+)\/?([^/]*)$/.exec(url.pathname) ?? [];
    const [name, cloud] = [url.searchParams.get('name'), url.searchParams.get('cloud')];
    const found = this.all(kind).find((object) =>
      uuid === ''
        ? object['name'] === name && (cloud === null || object['cloud_ref'] === this.one('cloud', cloud)['url'])
        : object['uuid'] === uuid,
    );
    if (found === undefined) throw new Refusal(404, `${kind} object not found!`);
    return textOf(found, 'url');
  }
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function textOf(object: Mapping, field: string): string {
  const value = object[field];
  return typeof value === 'string' ? value : '';
}

function parsed(text: string): Mapping {
  const body: unknown = JSON.parse(text);
  if (!isMapping(body)) throw new Refusal(400, 'not an object');
  return body;
}

function shown(object: Mapping): Mapping {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      if (SECRETS.has(name)) return [name, '<sensitive>'];
      return [name, isMapping(value) ? shown(value) : value];
    }),
  );
}

function refersTo(value: Value, url: string): boolean {
  if (Array.isArray(value)) return (value as readonly Value[]).some((item) => refersTo(item, url));
  if (!isMapping(value)) return value === url;
  return Object.entries(value).some(([name, item]) => name !== 'url' && refersTo(item, url));
}
