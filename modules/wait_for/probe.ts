import type { Socket } from 'node:net';
import { asError, type RegularExpression } from '../../src/module/contract.js';

const LONGEST_MS = 2 ** 31 - 1;

/** Seconds. */
export interface Limits {
  readonly connect: number;
  readonly listen: number;
  /** Aborts the probe. */
  readonly signal: AbortSignal;
}

/** Whether a socket that was just opened reaches a listener. */
export function connectsTo(socket: Socket, limits: Limits): Promise<boolean> {
  return probe(socket, limits, (end) => {
    end(true);
  });
}

/**
 * Whether the connection succeeds and the received text matches the expression. Rejects if the expression is too slow.
 */
export function says(socket: Socket, expression: RegularExpression, limits: Limits): Promise<boolean> {
  return probe(socket, limits, (end) => {
    let received = '';
    limitSilence(socket, limits.listen);
    socket.on('data', (data) => {
      received += data.toString('latin1');
      try {
        if (expression.test(received)) end(true);
      } catch (error) {
        end(error);
      }
    });
    socket.on('end', () => {
      end(false);
    });
  });
}

function probe(
  socket: Socket,
  { connect: seconds, signal }: Limits,
  connected: (end: (result: unknown) => void) => void,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    limitSilence(socket, seconds);
    const end = (result: unknown): void => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      if (typeof result === 'boolean') resolve(result);
      else reject(asError(result));
    };
    const giveUp = (): void => {
      end(false);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    socket.on('connect', () => {
      socket.setTimeout(0);
      connected(end);
    });
    socket.on('timeout', giveUp);
    socket.on('error', giveUp);
  });
}

/** Node refuses negative time limits, and 0 means no limit, so an expired time becomes the shortest limit. */
function limitSilence(socket: Socket, seconds: number): void {
  socket.setTimeout(Math.min(Math.max(1, seconds * 1000), LONGEST_MS));
}
