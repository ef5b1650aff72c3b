import {
  AuthorizationError,
  connect,
  credsAuthenticator,
  nkeyAuthenticator,
  PermissionViolationError,
  TimeoutError,
  UserAuthenticationExpiredError,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { readFile } from 'node:fs/promises';
import { whyUnreadable } from '../../../files/file_error.js';
import { errorMessage } from '../../../model/error_message.js';

/** The address of the broker, and the credentials. */
export interface NatsOptions {
  /** `nats://host:4222` or `tls://host:4222`; several separated by commas. */
  readonly url: string;
  /** PEM files: the broker's CA certificate, and a client certificate. */
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** A file with the seed of an nkey (`SU…`). */
  readonly nkeyFile?: string | undefined;
  /** A file with a JWT and a seed. */
  readonly credsFile?: string | undefined;
  /** Interval of pings that check the connection, in ms. */
  readonly pingInterval?: number | undefined;
}

/** The broker cannot be used. The message says what happened and where; the hint says what to do. */
export class NatsError extends Error {
  constructor(
    message: string,
    readonly hint: string,
    /** This user lacks the permission; another user may have it. */
    readonly isDenied = false,
  ) {
    super(message);
  }
}

/**
 * Connects once, then reconnects for ever.
 * @param name shown by the server
 * @param inbox of the answers: each site has a different one, so that the server can keep other sites from reading them
 * @throws NatsError
 */
export async function connectToNats(options: NatsOptions, name: string, inbox = '_INBOX'): Promise<NatsConnection> {
  const servers = options.url.split(',').map((one) => serverOf(one.trim()));
  const where = servers.map(({ shown }) => shown).join(', ');
  const who = await credentials(options, servers[0]?.url);
  const settings: NodeConnectionOptions = {
    servers: servers.map(({ address }) => address),
    name,
    inboxPrefix: inbox,
    timeout: 10_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    ...(options.pingInterval === undefined ? {} : { pingInterval: options.pingInterval }),
    ...who,
    ...(await tls(
      options,
      servers.some(({ url }) => url.protocol === 'tls:'),
    )),
  };
  try {
    return await connect(settings);
  } catch (error) {
    throw whyNotConnected(error, where, Object.keys(who).length > 0);
  }
}

/**
 * Converts the error of a failed request to a message for the user.
 * @param doing `create the stream X`
 */
export function natsError(error: unknown, doing: string): NatsError {
  if (error instanceof NatsError) return error;
  if (error instanceof Error && error.name === 'JetStreamNotEnabled')
    return new NatsError(
      `cannot ${doing}: the NATS server has JetStream disabled`,
      'start it with --jetstream, or enable JetStream for the account of this user',
    );
  const denied = violation(error);
  if (denied !== undefined)
    return new NatsError(
      `cannot ${doing}: the NATS user may not ${denied.operation === 'publish' ? 'publish' : 'subscribe'} to "${denied.subject}"`,
      'use the credentials of the site, or of the coordinator; docs/examples/evenkeel-users.conf has the permissions of each',
      true,
    );
  return new NatsError(`cannot ${doing}: ${errorMessage(error)}`, 'check the NATS server and its log');
}

export function violation(error: unknown): PermissionViolationError | undefined {
  if (error instanceof PermissionViolationError) return error;
  return error instanceof Error && error.cause !== undefined ? violation(error.cause) : undefined;
}

interface Server {
  readonly url: URL;
  readonly address: string;
  /** Without credentials. */
  readonly shown: string;
}

function serverOf(text: string): Server {
  const full = text.includes('://') ? text : `nats://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '')
    throw new NatsError(
      `not the URL of a NATS server: ${text.replace(/^([a-z]+:\/\/)?.*@/i, '$1********@')}`,
      'write nats://host:4222 or tls://host:4222',
    );
  const address = `${url.hostname}:${url.port === '' ? '4222' : url.port}`;
  return { url, address, shown: `${url.protocol}//${address}` };
}

/** Decodes percent-encoding; returns the text unchanged if it has a stray `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function credentials(options: NatsOptions, url: URL | undefined): Promise<Partial<NodeConnectionOptions>> {
  if (options.credsFile !== undefined) return credentialsIn(options.credsFile, await contentOf(options.credsFile));
  if (options.nkeyFile !== undefined) {
    const seed = (await contentOf(options.nkeyFile)).toString().trim();
    return { authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)) };
  }
  const user = options.user ?? decoded(url?.username ?? '');
  const password = options.password ?? decoded(url?.password ?? '');
  return user === '' ? {} : { user, pass: password };
}

/** A JWT and a seed, the seed of an nkey, or `USER:PASSWORD`. */
function credentialsIn(file: string, content: Buffer): Partial<NodeConnectionOptions> {
  const text = content.toString().trim();
  if (text.includes('-----BEGIN NATS USER JWT-----')) return { authenticator: credsAuthenticator(content) };
  if (/^SU[A-Z2-7]{56}$/.test(text)) return { authenticator: nkeyAuthenticator(new TextEncoder().encode(text)) };
  const [, user, pass] = /^([^:\s]+):(\S+)$/.exec(text) ?? [];
  if (user === undefined || pass === undefined)
    throw new NatsError(
      `${file} holds no credentials for a NATS server`,
      'it must have USER:PASSWORD in one line, the seed of an nkey, or what nsc wrote',
    );
  return { user, pass };
}

async function tls(options: NatsOptions, required: boolean): Promise<Partial<NodeConnectionOptions>> {
  const [ca, cert, key] = await Promise.all(
    [options.caFile, options.certFile, options.keyFile].map(async (file) =>
      file === undefined ? undefined : (await contentOf(file)).toString(),
    ),
  );
  if (!required && ca === undefined && cert === undefined && key === undefined) return {};
  return {
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    },
  };
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new NatsError(
      `cannot read ${file}: ${whyUnreadable(error)}`,
      'check the path of the file and who may read it',
    );
  }
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host name',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ECONNRESET: 'the connection was closed',
};

function whyNotConnected(error: unknown, where: string, hasCredentials: boolean): NatsError {
  if (error instanceof NatsError) return error;
  if (error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError)
    return hasCredentials
      ? new NatsError(
          `the NATS server ${where} refused the credentials`,
          'check the user and password, the nkey or the creds file, and the users in the configuration of the server',
        )
      : new NatsError(`the NATS server ${where} requires credentials`, 'pass --nats-creds FILE');
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = UNREACHABLE[code] ?? (error instanceof TimeoutError ? 'no answer in 10 s' : errorMessage(cause));
  return new NatsError(`cannot connect to the NATS server ${where}: ${reason}`, hintFor(code, errorMessage(cause)));
}

function hintFor(code: string, message: string): string {
  if (/certificate|issuer|CERT_/i.test(`${code} ${message}`))
    return "pass --nats-ca FILE with the authority that signed the server's certificate, and use a host name that the certificate is for";
  if (/tls|ssl|wrong version/i.test(message)) return 'write nats:// for a server without TLS, tls:// for one with it';
  return 'check the URL, that the server is running, and that a firewall lets this machine connect to it';
}
