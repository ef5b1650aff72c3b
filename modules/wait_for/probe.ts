import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import { asError, type PythonExpression } from '../../src/module/contract.js';

const LONGEST_MS = 2 ** 31 - 1;

/** Seconds. */
export interface ProbeLimits {
  readonly connect: number;
  readonly listen: number;
  readonly signal: AbortSignal;
}

/**
 * Whether a socket that was just opened reaches a listener. Undefined if that is unknown, because a proxy opened it or
 * its route is down.
 */
export function connectsTo(socket: Socket, limits: ProbeLimits): Promise<boolean | undefined> {
  if (!socket.connecting) return answers(socket, limits);
  return probe(socket, limits, false, (end) => end(true));
}

/**
 * The groups of the match if the connection succeeds and the received text matches the expression. Rejects if the expression is too
 * slow.
 */
export async function receives(
  socket: Socket,
  expression: PythonExpression,
  limits: ProbeLimits,
): Promise<MatchGroups | false> {
  let found: MatchGroups | false = false;
  await probe(socket, limits, false, (end) => {
    let received = '';
    limitSilence(socket, limits.listen);
    socket.on('data', (data) => {
      received += data.toString('latin1');
      try {
        const match = expression.first(received);
        if (match === undefined) return;
        const [, ...groups] = match;
        const named = Object.entries(match.groups ?? {}).map(([name, group]) => [name, group ?? null] as const);
        found = { match_groups: groups.map((group) => group ?? null), match_groupdict: Object.fromEntries(named) };
        end(true);
      } catch (error) {
        end(asError(error));
      }
    });
    socket.on('end', () => end(false));
  });
  return found;
}

/** As Ansible registers them. */
export interface MatchGroups {
  readonly match_groups: readonly (string | null)[];
  readonly match_groupdict: Readonly<Record<string, string | null>>;
}

/** Takes the result, or an error for the task. */
type ProbeEnd = (result: boolean | undefined | Error) => void;

/** @param late the result if nothing happens in time */
function probe(
  socket: Socket,
  { connect: seconds, signal }: ProbeLimits,
  late: boolean | undefined,
  connected: (end: ProbeEnd) => void,
): Promise<boolean | undefined> {
  return new Promise((resolve, reject) => {
    limitSilence(socket, seconds);
    const end: ProbeEnd = (result) => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const giveUp = (): void => end(late);
    const fail = (error: Error | null): void =>
      end(error !== null && errorName(error) === 'EROUTE' ? undefined : false);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    const start = (): void => {
      socket.setTimeout(0);
      connected(end);
    };
    socket.on('connect', start);
    socket.on('timeout', giveUp);
    socket.on('error', fail);
    // A proxy opened it, or could not.
    if (socket.destroyed) fail(socket.errored);
    else if (!socket.connecting) start();
  });
}

/** A proxy opened the socket. It reaches a listener if anything answers the first message of TLS, in whatever protocol. */
function answers(socket: Socket, limits: ProbeLimits): Promise<boolean | undefined> {
  return probe(socket, limits, undefined, (end) => {
    const secure = connect({ socket, rejectUnauthorized: false });
    limitSilence(secure, limits.connect);
    secure.on('timeout', () => end(undefined));
    secure.on('secureConnect', () => end(true));
    secure.on('error', (error: Error) => end(/^(?:EPROTO|ERR_SSL_)/.test(errorName(error))));
    secure.on('close', () => end(false));
  });
}

function errorName(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

/** Node refuses negative time limits, and 0 means no limit, so an expired time becomes the shortest limit. */
function limitSilence(socket: Socket, seconds: number): void {
  socket.setTimeout(Math.min(Math.max(1, seconds * 1000), LONGEST_MS));
}
