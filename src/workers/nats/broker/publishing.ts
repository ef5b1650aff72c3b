import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { ClosedConnectionError, type MsgHdrs } from '@nats-io/transport-node';
import { natsError, violation } from './connection.js';
import type { Storage } from './storage.js';

export interface Channel {
  readonly stream: string;
  readonly subject: string;
}

export interface Publication {
  /** Identifies the message, so that the stream drops duplicates. */
  readonly id: string;
  readonly data: Uint8Array;
  readonly headers?: MsgHdrs;
}

const WRONG_LAST_SEQUENCE = 10071;
const TIMEOUT_MS = 5000;
const RETRY_MS = 200;

/**
 * Publishes until the stream has accepted or refused the message, across lost connections and restarts of the broker.
 * Never publishes twice: the stream accepts it only directly after the message with the sequence number `after`.
 * @param onTrouble called when the first attempt fails
 * @returns its sequence number; undefined if another message came after `after`
 * @throws NatsError if the user may not publish, Error if the connection was closed
 */
export async function publishAfter(
  { js, link, manager }: Storage,
  { stream, subject }: Channel,
  message: Publication,
  after: number | undefined,
  onTrouble: () => void = () => undefined,
): Promise<number | undefined> {
  for (;;) {
    try {
      const expect = after === undefined ? {} : { expect: { lastSubjectSequence: after } };
      const { id, data, ...rest } = message;
      const published = js.publish(subject, data, { msgID: id, timeout: TIMEOUT_MS, ...rest, ...expect });
      return (await link.answer(published)).seq;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) {
        const last = await lastOf(manager, { stream, subject }).catch(() => undefined);
        if (last !== undefined) return last.id === message.id ? last.sequence : undefined;
      }
      if (violation(error) !== undefined) throw natsError(error, 'publish a message');
      if (error instanceof ClosedConnectionError || link.isClosed) throw error;
      onTrouble();
    }
    await link.retryIn(RETRY_MS);
  }
}

/** The last message of a subject; sequence number 0 if there is none. */
export async function lastOf(
  manager: JetStreamManager,
  { stream, subject }: Channel,
): Promise<{ readonly sequence: number; readonly id: string }> {
  const last = await manager.direct.getMessage(stream, { last_by_subj: subject });
  return last === null ? { sequence: 0, id: '' } : { sequence: last.seq, id: last.header.get('Nats-Msg-Id') };
}
