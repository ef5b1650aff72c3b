import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { encodedPath } from '../../core/model/values/uri.js';
import { ConnectionFailure, type ApiAnswer, type ApiCall } from '../exchange/call.js';
import type { RequestLimits } from '../exchange/policy.js';
import type { LoadWatch } from '../pace/slow_down.js';
import type { OpenRoute } from '../route/open_routes.js';
import type { AnswerSlot } from './answer_memory.js';
import { receive, type AttemptLimits } from './answer_receiver.js';
import { openDispatcher } from './dispatchers.js';
import {
  brokenTls,
  destinationText,
  networkFailure,
  wantsCertificate,
  type FailedDestination,
} from './network_failure.js';
import { stream } from './stream.js';

export interface TransportOptions {
  /** Undefined: directly. */
  readonly route: OpenRoute | undefined;
  /** The trusted authorities, in order; the next set is tried if a certificate is not trusted. */
  readonly trust: readonly (() => SecureContext)[];
  readonly limits: RequestLimits;
  readonly slot: AnswerSlot;
  /** Absent: no one watches. */
  readonly load?: LoadWatch | undefined;
  /** Called with each weakness of an accepted certificate. */
  readonly onWeakness?: (message: string) => void;
}

export interface NewestConnection {
  /** Undefined: there has been none. */
  readonly socket: Socket | undefined;
  /** Where it leads: the controller, or the proxy. Undefined if it is not open yet. */
  readonly address: string | undefined;
  /** `route madrid` */
  readonly through: string | undefined;
}

/**
 * The connection to one controller: made with the first request, kept until closed. Throws `ConnectionFailure` only.
 */
export class Transport {
  readonly #untried: (() => Dispatcher)[];
  #dispatcher: Dispatcher;
  /** Those of the authorities before, which finish what they have sent. */
  readonly #former: Dispatcher[] = [];
  readonly #route: OpenRoute | undefined;
  readonly #destination: FailedDestination;
  readonly #prefix: string;
  readonly #headers: RequestHeaders;
  readonly #limits: AttemptLimits;
  readonly #load: LoadWatch | undefined;
  #hasAnswered = false;
  #socket: Socket | undefined;
  #address: string | undefined;
  /** Why the newest connection was closed, which undici does not say. */
  #refusal: ConnectionFailure | undefined;

  constructor(settings: ConnectionSettings, options: TransportOptions) {
    const url = new URL(settings.url);
    this.#route = options.route;
    this.#load = options.load;
    this.#destination = {
      origin: url.origin,
      through: options.route?.text,
      hasOwnAuthorities: settings.ca !== undefined,
    };
    this.#prefix = url.pathname.replace(/\/+$/, '');
    if (this.#prefix !== '') url.pathname = '';
    this.#headers = requestHeaders(settings);
    const { slot, limits } = options;
    const to = destinationText(this.#destination);
    this.#limits = { timeoutMs: settings.timeout * 1000, ...limits, slot, to };
    const onSocket = (socket: Socket): void => {
      this.#socket = socket;
      this.#address = undefined;
      this.#refusal = undefined;
      socket.once('connect', () => (this.#address = socket.remoteAddress));
      socket.once('error', (error) => {
        if (wantsCertificate(error)) this.#refusal = brokenTls(error, to);
      });
    };
    const [first, ...others] = options.trust.map(
      (context) => () => openDispatcher(settings, url, options.route, context(), options.onWeakness, onSocket),
    );
    if (first === undefined) throw new Error('nothing to trust');
    this.#dispatcher = first();
    this.#untried = others;
  }

  /** Sends a call once. @param more headers for this one request: names and values, one after the other */
  send(call: ApiCall, more?: readonly string[]): Promise<ApiAnswer> {
    return this.#load === undefined
      ? this.#sendTryingAuthorities(call, more)
      : this.#sendWatched(call, more, this.#load);
  }

  async #sendWatched(call: ApiCall, more: readonly string[] | undefined, load: LoadWatch): Promise<ApiAnswer> {
    const sent = load.sent(performance.now(), !this.#hasAnswered);
    try {
      const answer = await this.#sendTryingAuthorities(call, more);
      this.#hasAnswered = true;
      // How long a write takes depends on what it writes.
      const usual = call.method === 'GET' && call.into === undefined ? 'answered' : 'unknown';
      load.ended(sent, performance.now(), answer.status === 429 ? 'overloaded' : usual);
      return answer;
    } catch (error) {
      load.ended(sent, performance.now(), this.#isOverload(error) ? 'overloaded' : 'unknown');
      throw error;
    }
  }

  /**
   * A connection broke, if only in its handshake, the way to the controller admits no more of them, or a controller that has answered
   * before no longer does in time. One that never has may be switched off.
   */
  #isOverload(error: unknown): boolean {
    if (!(error instanceof ConnectionFailure)) return false;
    if (error.type === 'timeout') return this.#hasAnswered;
    const isOpen = this.#route !== undefined || this.#address !== undefined;
    return error.type === 'reset' || (isOpen && error.type === 'connect');
  }

  async #sendTryingAuthorities(call: ApiCall, more: readonly string[] | undefined): Promise<ApiAnswer> {
    const dispatcher = this.#dispatcher;
    const started = this.#route === undefined ? 0 : performance.now();
    try {
      const answer = await this.#sendVia(dispatcher, call, more);
      this.#route?.arrived();
      return answer;
    } catch (error) {
      const failure = networkFailure(error, this.#destination);
      if (failure.type === 'timeout') this.#route?.silentSince(started);
      // The handshake failed, so nothing was sent.
      if (failure.type === 'untrusted' && this.#trustsOthers(dispatcher))
        return this.#sendTryingAuthorities(call, more);
      throw failure.type === 'reset' ? (this.#refusal ?? failure) : failure;
    }
  }

  #sendVia(dispatcher: Dispatcher, call: ApiCall, more: readonly string[] | undefined): Promise<ApiAnswer> {
    const request = {
      origin: this.#destination.origin,
      // Parts that users wrote may contain spaces and any letters.
      path: this.#prefix + (/^[\x21-\x7e]*$/.test(call.path) ? call.path : encodedPath(call.path)),
      method: call.method,
      headers: this.#headersFor(call, more),
      body: call.body ?? null,
    };
    if (call.form === undefined && call.into === undefined) return receive(dispatcher, request, this.#limits);
    return stream(dispatcher, request, call, this.#limits);
  }

  get connection(): NewestConnection {
    return { socket: this.#socket, address: this.#address, through: this.#destination.through };
  }

  /** Its answers are no longer needed: the next large answer may be read. */
  forgetAnswers(): void {
    this.#limits.slot.giveBack();
  }

  /** Running requests fail. */
  async close(): Promise<void> {
    this.forgetAnswers();
    await Promise.all([this.#dispatcher, ...this.#former].map((dispatcher) => dispatcher.destroy(CLOSED)));
  }

  /** Switches to the next set of trusted authorities; false if there are no more. */
  #trustsOthers(failed: Dispatcher): boolean {
    if (this.#dispatcher !== failed) return true;
    const next = this.#untried.shift();
    if (next === undefined) return false;
    this.#dispatcher = next();
    this.#former.push(failed);
    // Each of its requests fails by itself and is sent again, unless its connection was trusted.
    void failed.close().catch(() => undefined);
    return true;
  }

  #headersFor(call: ApiCall, more: readonly string[] = []): string[] {
    if (call.outsideApi === true) return [...this.#headers.outside, ...more];
    const usual = call.body === undefined ? this.#headers.bare : this.#headers.withBody;
    const own = call.tenant === undefined ? usual : this.#headers.inTenant(usual, call.tenant);
    return more.length === 0 ? own : [...own, ...more];
  }
}

/** Flat name-value lists, which are fastest for undici; built once per controller. */
export interface RequestHeaders {
  readonly bare: string[];
  readonly withBody: string[];
  /** Of a JSON request outside of the API. */
  readonly outside: readonly string[];
  /** The same headers with another tenant. */
  inTenant(headers: readonly string[], tenant: string): string[];
}

/**
 * What every request carries (API document, sections 5 and 9): credentials without waiting for a challenge, unless
 * sign-in is by session, and the API version.
 */
function requestHeaders(settings: ConnectionSettings): RequestHeaders {
  const own: Record<string, string> = { accept: 'application/json', 'user-agent': 'evenkeel' };
  for (const [name, value] of Object.entries(settings.headers)) own[name.toLowerCase()] = value;
  const outside = settings.auth === 'session' ? [...Object.entries(own).flat(), ...JSON_BODY] : [];
  if (settings.auth === 'basic')
    own['authorization'] = `Basic ${Buffer.from(`${settings.username}:${settings.password}`).toString('base64')}`;
  if (settings.apiVersion !== undefined) own[settings.versionHeader.toLowerCase()] = settings.apiVersion;
  const tenantHeader = settings.dialect.tenants?.header.toLowerCase();
  if (tenantHeader !== undefined && settings.tenant !== undefined) own[tenantHeader] = settings.tenant;
  const bare = Object.entries(own).flat();
  const inTenant = (headers: readonly string[], tenant: string): string[] =>
    headers.map((text, at) => (at % 2 === 1 && headers[at - 1] === tenantHeader ? tenant : text));
  return { bare, withBody: [...bare, ...JSON_BODY], outside, inTenant };
}

/** One for all: undici would make an error for each controller, and Node would write its stack as text. */
const CLOSED = Object.assign(new Error('the connection is closed'), { code: 'UND_ERR_DESTROYED' });

const JSON_BODY = ['content-type', 'application/json'];
