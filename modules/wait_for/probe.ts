import { connect, type Socket } from 'node:net';
import type { RegularExpression } from '../../src/module/contract.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Seconds. */
export interface Limits {
  readonly connect: number;
  readonly listen: number;
  /** Aborted: it is over at once. */
  readonly signal: AbortSignal;
}

/** Whether somebody listens there. */
export function connectsTo(address: Address, limits: Limits): Promise<boolean> {
  return probe(address, limits, (_socket, end) => {
    end(true);
  });
}

/** Whether somebody listens there and sends what the expression finds. Rejects if the expression is too slow to say. */
export function says(address: Address, expression: RegularExpression, limits: Limits): Promise<boolean> {
  return probe(address, limits, (socket, end) => {
    let heard = '';
    socket.setTimeout(limits.listen * 1000);
    socket.on('data', (data) => {
      heard += data.toString('latin1');
      try {
        if (expression.test(heard)) end(true);
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
  { host, port }: Address,
  { connect: seconds, signal }: Limits,
  connected: (socket: Socket, end: (result: unknown) => void) => void,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: Math.max(1, seconds * 1000) });
    const end = (result: unknown): void => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      if (typeof result === 'boolean') resolve(result);
      else reject(result instanceof Error ? result : new Error(String(result)));
    };
    const giveUp = (): void => {
      end(false);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    socket.on('connect', () => {
      socket.setTimeout(0);
      connected(socket, end);
    });
    socket.on('timeout', giveUp);
    socket.on('error', giveUp);
  });
}
