import { TLSSocket, type PeerCertificate } from 'node:tls';
import type { CertificateFacts, ConnectionFacts, Ping, PingFailure, PingStep } from '../core/model/run/ping.js';
import { listPage } from './answers/list_page.js';
import type { Client } from './client.js';
import { ControllerError, type ApiCall, type FailureType } from './exchange/call.js';

/** The filter keeps the answer small. */
const QUERY = 'name=evenkeel-ping';

/** Signs in, and reads in the tenant of the settings. @param clouds the path of the collection of clouds */
export async function pingController(client: Client, clouds: string): Promise<Ping> {
  const call: ApiCall = { method: 'GET', path: `${clouds}?${QUERY}`, repeatable: true };
  const found: { version: string | null; milliseconds: number | null } = { version: null, milliseconds: null };
  let failure: PingFailure | null = null;
  try {
    // Another server may answer 200 to anything.
    listPage(call, await client.read(call), client);
    const started = performance.now();
    await client.read(call);
    found.milliseconds = Math.round((performance.now() - started) * 10) / 10;
    found.version = await client.askVersion();
  } catch (error) {
    // An interrupt says nothing about the controller.
    if (!(error instanceof ControllerError) || error.givenUp) throw error;
    failure = describe(error, client);
    if (failure.step === 'sign-in') await client.noticeDialect();
  }
  const { url, username, auth: sign_in, apiVersion, tenant } = client.settings;
  const settings = { url, username, sign_in, api_version: apiVersion ?? null, tenant: tenant ?? null };
  return { ...connectionFacts(client), ...settings, ...found, failure };
}

function describe(error: ControllerError, client: Client): PingFailure {
  const { message, method, path } = innermost(error);
  const asked = `${method} ${path}: `;
  return {
    step: failedStep(error, client),
    // The step says what the request was for.
    message: message.startsWith(asked) ? message.slice(asked.length) : message,
    hint: error.hint ?? null,
    status: error.outcome,
    error,
  };
}

/** A request that was not sent because of the sign-in or the version before it has that error as its cause. */
function innermost(error: ControllerError): ControllerError {
  return error.cause instanceof ControllerError ? innermost(error.cause) : error;
}

function failedStep(error: ControllerError, client: Client): PingStep {
  const { failure, route, status, path } = innermost(error);
  const { dialect, apiVersion, tenant } = client.settings;
  const before = failure === undefined ? undefined : stepBefore(failure, client);
  if (route !== undefined) return 'route';
  if (before !== undefined) return before;
  if (status === 401 || path === dialect.session?.loginPath) return 'sign-in';
  if (apiVersion === undefined && dialect.versionPath !== undefined) return 'version';
  if (status === 400 && /version/i.test(error.message)) return 'version';
  return status === 404 && tenant !== undefined ? 'tenant' : 'answer';
}

/** The step before the request in which a connection failed; undefined: it was open. */
function stepBefore(failure: FailureType, client: Client): PingStep | undefined {
  // The time limit of a connection is one for TCP and TLS.
  if (failure === 'connect') return client.connection.address === undefined ? 'TCP' : 'TLS';
  return STEPS[failure];
}

const STEPS: Readonly<Partial<Record<FailureType, PingStep>>> = {
  lookup: 'name',
  untrusted: 'TLS',
  certificate: 'TLS',
  tls: 'TLS',
  proxy: 'route',
  refused: 'sign-in',
};

function connectionFacts({ connection: { socket, address, through } }: Client): ConnectionFacts {
  const tls = socket instanceof TLSSocket ? certificateFacts(socket) : null;
  return { address: through === undefined ? (address ?? null) : null, route: through ?? null, tls };
}

const DAY_MS = 86_400_000;

/** Null before the handshake, and after the end of the connection. */
function certificateFacts(socket: TLSSocket): CertificateFacts | null {
  const { issuer, valid_to: end } = peerCertificate(socket) ?? {};
  if (issuer === undefined || end === undefined) return null;
  const expires = new Date(end);
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    issuer: nameText(issuer.CN) ?? nameText(issuer.O) ?? 'an authority without a name',
    expires: expires.toISOString(),
    days_left: Math.floor((expires.getTime() - Date.now()) / DAY_MS),
  };
}

/** Node returns an empty object, or null, if there is none. */
function peerCertificate(socket: TLSSocket): Partial<PeerCertificate> | null {
  return socket.getPeerCertificate();
}

/** A name can have a part several times. */
function nameText(part: string | readonly string[] | undefined): string | undefined {
  return typeof part === 'object' ? part.join(', ') : part;
}
