import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { decodedUri, isDecodable } from '../core/model/values/uri.js';
import { jsonText } from '../core/model/values/value.js';
import type { Masked } from '../core/secrets/mask_text.js';
import type { OrRefused } from '../launch/request/run_request.js';
import { knownPlans } from '../plan/known_plans.js';
import type { SavedPlanText } from '../plan/text.js';
import { isRunId, JournalError } from '../record/journal/format/run_folders.js';
import { contentPolicy, readAssets, shellHtml, type Assets } from '../reporting/page/html.js';
import { displayPath } from '../reporting/text/source_files.js';
import { commandLine, fileWord } from '../reporting/text/words.js';
import { RunHistory } from './history.js';
import { LiveRuns } from './live_runs.js';

const LOOPBACK = '127.0.0.1';
const JSON_TYPE = 'application/json; charset=utf-8';

/** The terminal output of plans and drift, line by line. */
export interface GroupedTexts {
  plan(file: string): Promise<OrRefused<SavedPlanText>>;
  /** The output of `drift`; undefined if the run found no drift, or was not a drift. */
  drift(run: string): Promise<readonly Masked<string>[] | undefined>;
}

/** A project whose runs and plans are shown. */
interface ShownProject {
  readonly stateDirectory: string;
  /** The folder of the project. */
  readonly directory: string;
  /** The working directory, in which commands to copy are typed. */
  readonly cwd: string;
  /** From `configOption`. */
  readonly config?: readonly string[];
  readonly texts: GroupedTexts;
}

export interface Ui {
  /** Includes the token, which is all that a reader needs. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Shows the kept runs of a project in a browser on this machine. Writes nothing.
 *
 * @param port 0: any free one. Rejects if it is taken.
 */
export async function startUi(project: ShownProject, port: number): Promise<Ui> {
  const { stateDirectory, config } = project;
  const gatekeeper = new Gatekeeper();
  const live = new LiveRuns(stateDirectory, config);
  const pages = new Pages(project, new RunHistory(stateDirectory), live, readAssets());
  const server = createServer((request, response) => {
    answer(request, response, gatekeeper, pages).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof JournalError) refuse(response, 404, error.message);
      else refuse(response, 500, 'this failed');
    });
  });
  server.listen({ port, host: LOOPBACK });
  await once(server, 'listening');
  const address = server.address();
  const used = typeof address === 'object' && address !== null ? address.port : port;
  gatekeeper.listening(used);
  return {
    url: `http://${LOOPBACK}:${used}/?token=${gatekeeper.token}`,
    close: async () => {
      server.closeAllConnections();
      await Promise.all([new Promise((resolve) => server.close(resolve)), pages.close()]);
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  gatekeeper: Gatekeeper,
  pages: Pages,
): Promise<void> {
  const url = parseRequestAddress(request.url);
  for (const [name, value] of pages.headers) response.setHeader(name, value);
  if (request.method !== 'GET') {
    response.setHeader('Allow', 'GET');
    refuse(response, 405, 'this server is read-only');
    return;
  }
  if (url === undefined) {
    refuse(response, 400, 'this is not a valid address');
    return;
  }
  const access = gatekeeper.judgeAccess(request, url);
  switch (access) {
    case 'refused':
      refuse(response, 403, 'open the address that "evenkeel ui" printed');
      return;
    case 'sign-in': {
      // Browsers send no strict cookie with a redirect that began on another site, such as a terminal in a web page.
      const isForeign = request.headers['sec-fetch-site'] === 'cross-site';
      const next = isForeign ? { Refresh: '0; url=/' } : { Location: '/' };
      response.writeHead(isForeign ? 200 : 303, { 'Set-Cookie': gatekeeper.cookie, ...next }).end();
      return;
    }
    case 'granted':
      await pages.answer(request, response, url);
      return;
  }
}

/** Undefined if it is not an address, or if a percent escape in it is malformed. */
function parseRequestAddress(text = '/'): URL | undefined {
  const origin = `http://${LOOPBACK}`;
  const url = URL.canParse(text, origin) ? new URL(text, origin) : undefined;
  return url !== undefined && isDecodable(url.pathname) ? url : undefined;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}

/** What the page shows. */
const AREAS: ReadonlySet<string> = new Set(['', 'runs', 'compare', 'plans', 'controllers']);

/** Routes a request by its path. */
class Pages {
  readonly headers: readonly (readonly [name: string, value: string])[];

  constructor(
    private readonly project: ShownProject,
    private readonly history: RunHistory,
    private readonly live: LiveRuns,
    private readonly assets: Assets,
  ) {
    this.headers = [
      ['Content-Security-Policy', contentPolicy(assets, "connect-src 'self'", "frame-ancestors 'none'")],
      ['Referrer-Policy', 'no-referrer'],
      ['X-Content-Type-Options', 'nosniff'],
      ['Cross-Origin-Opener-Policy', 'same-origin'],
      ['Cross-Origin-Resource-Policy', 'same-origin'],
      ['Cache-Control', 'no-store'],
    ];
  }

  async answer(request: IncomingMessage, response: ServerResponse, { pathname, searchParams }: URL): Promise<void> {
    const [, area, ...rest] = pathname.split('/');
    if (AREAS.has(area ?? '')) {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(shellHtml(this.assets));
      return;
    }
    const [kind, name, part] = rest;
    if (area !== 'api') refuse(response, 404, 'there is nothing here');
    else if (kind === 'runs' && name === undefined) send(response, JSON_TYPE, jsonText(await this.history.runs()));
    else if (kind === 'controllers' && name !== undefined)
      send(response, JSON_TYPE, jsonText(await this.history.controller(decodedUri(name))));
    else if (kind === 'plans') await this.#plan(name, response);
    else if (kind !== 'runs' || name === undefined || !isRunId(name)) refuse(response, 404, 'there is nothing here');
    else if (part === 'drift')
      send(response, JSON_TYPE, jsonText({ lines: (await this.project.texts.drift(name)) ?? [] }));
    else if (part === 'events') await this.live.follow(name, knownVersion(request, searchParams), response);
    else await this.#page(name, response);
  }

  /** Without an id, shows the list. Finds the plans again for each request, because the URL contains no file names. */
  async #plan(id: string | undefined, response: ServerResponse): Promise<void> {
    const { stateDirectory, directory, cwd, texts, config = [] } = this.project;
    const plans = await knownPlans(stateDirectory, directory);
    const shown = plans.map((one) => ({ ...one, file: displayPath(one.file, cwd) }));
    if (id === undefined) {
      send(response, JSON_TYPE, jsonText(shown));
      return;
    }
    const at = plans.findIndex((one) => one.id === id);
    const plan = plans[at];
    if (plan === undefined) {
      refuse(response, 404, 'there is no such plan, or its file no longer exists');
      return;
    }
    const opened = await texts.plan(plan.file);
    const apply = commandLine(['evenkeel', 'apply', fileWord(displayPath(plan.file, cwd)), ...config]);
    if (opened.status === 'ok') send(response, JSON_TYPE, jsonText({ ...shown[at], apply, ...opened.value }));
    else refuse(response, 404, opened.diagnostics.map(({ message }) => message).join('\n'));
  }

  close(): Promise<void> {
    return this.live.close();
  }

  async #page(id: string, response: ServerResponse): Promise<void> {
    const run = await this.live.open(id);
    response.setHeader('X-Version', run.version);
    response.setHeader('X-Over', String(run.isOver));
    send(response, 'application/octet-stream', run.packed ?? new Uint8Array());
  }
}

function send(response: ServerResponse, type: string, content: string | Uint8Array): void {
  response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' }).end(gzipSync(content, { level: 1 }));
}

/** The version that the browser has: from its page, or from its last connection. */
function knownVersion({ headers }: IncomingMessage, searchParams: URLSearchParams): number {
  return Number.parseInt(String(headers['last-event-id'] ?? searchParams.get('since')), 10);
}

/** Whether a request is allowed. `sign-in`: it has the token, and gets the cookie in exchange. */
type Access = 'granted' | 'sign-in' | 'refused';

/** Admits only readers that know the printed address: no other program, and no other page of the browser. */
class Gatekeeper {
  readonly token = secret();
  readonly #session = secret();
  #names: ReadonlySet<string> = new Set();
  #cookie = '';

  /** @param port that the server listens on */
  listening(port: number): void {
    this.#names = new Set(['127.0.0.1', 'localhost'].map((name) => (port === 80 ? name : `${name}:${port}`)));
    // A browser shares cookies between all ports of a machine.
    this.#cookie = `evenkeel-${port}`;
  }

  get cookie(): string {
    return `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
  }

  judgeAccess({ headers }: Pick<IncomingMessage, 'headers'>, url: URL): Access {
    const { host = '', origin, cookie = '' } = headers;
    // DNS rebinding: a foreign page can point its own name to this address.
    if (!this.#names.has(host)) return 'refused';
    if (origin !== undefined && origin !== `http://${host}`) return 'refused';
    const token = url.searchParams.get('token');
    if (url.pathname === '/' && token !== null) return isEqual(token, this.token) ? 'sign-in' : 'refused';
    const given = cookie.split(/;\s*/).find((one) => one.startsWith(`${this.#cookie}=`));
    return given !== undefined && isEqual(given.slice(this.#cookie.length + 1), this.#session) ? 'granted' : 'refused';
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in constant time. */
function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
