import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Destination, Form } from '../../core/model/run/session.js';
import { errorMessage } from '../../core/model/source/diagnostic.js';
import { ConnectionFailure, type ApiAnswer, type ApiCall } from '../exchange/call.js';
import { AnswerReceiver, type AttemptLimits, type Ends } from './answer_receiver.js';

type StreamLimits = Pick<AttemptLimits, 'timeoutMs' | 'responseBytes' | 'to'>;

/**
 * Sends a request whose form or answer is too large for memory. Its time limit counts from the last transferred byte,
 * because gigabytes take long. Rejects with the raw error.
 */
export function stream(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { form, into }: ApiCall,
  limits: StreamLimits,
): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const receiver = new StreamReceiver(into, limits, { resolve, reject });
    const sent = form === undefined ? request : withForm(request, form, receiver);
    dispatcher.dispatch(into === undefined ? sent : { ...sent, headers: acceptingAll(sent.headers) }, receiver);
  });
}

function withForm(
  request: Dispatcher.DispatchOptions,
  form: Form,
  receiver: StreamReceiver,
): Dispatcher.DispatchOptions {
  const headers = [...listed(request.headers), 'content-type', form.contentType, 'content-length', String(form.length)];
  return { ...request, headers, body: Readable.from(watched(form, receiver)) };
}

async function* watched(form: Form, receiver: StreamReceiver): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of form.parts()) {
      receiver.live();
      yield part;
    }
  } catch (error) {
    throw local(error);
  }
}

function acceptingAll(headers: unknown): string[] {
  const names = listed(headers);
  return names.map((text, at) => (at % 2 === 1 && names[at - 1] === 'accept' ? '*/*' : text));
}

function listed(headers: unknown): string[] {
  return Array.isArray(headers) ? headers.map(String) : [];
}

/** A local file could not be read or written. */
function local(error: unknown): ConnectionFailure {
  return error instanceof ConnectionFailure ? error : new ConnectionFailure('local', errorMessage(error));
}

/** In bytes: with more than this to write, reading from the connection pauses. */
const QUEUE_LIMIT = 2 ** 20;

class StreamReceiver extends AnswerReceiver {
  #isOver = false;
  /** The target for the body of this answer. */
  #into: Destination | undefined;
  /** Settles when everything that arrived is written. */
  #writing = Promise.resolve();
  /** Bytes that are not written yet. */
  #queued = 0;

  constructor(
    readonly into: Destination | undefined,
    limits: StreamLimits,
    readonly ends: Pick<Ends, 'resolve' | 'reject'>,
  ) {
    super(limits);
  }

  live(): void {
    clearTimeout(this.timer);
    if (!this.#isOver) this.timer = this.startTimer();
  }

  onRequestStart(connection: Dispatcher.DispatchController): void {
    this.connection = connection;
    if (this.#isOver) connection.abort(new Error('it is no longer wanted'));
  }

  protected override begin(headers: IncomingHttpHeaders): void {
    this.live();
    if (this.status === 200 && this.into !== undefined) this.#receive(this.into, headers);
  }

  /**
   * After each `resume`, undici passes an empty chunk if nothing has arrived. To pause on it would repeat that forever.
   */
  onResponseData(connection: Dispatcher.DispatchController, chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.live();
    const into = this.#into;
    if (into === undefined) this.keep(chunk);
    else {
      this.#write(() => into.take(chunk), chunk.length);
      if (this.#queued > QUEUE_LIMIT) connection.pause();
    }
  }

  onResponseEnd(): void {
    clearTimeout(this.timer);
    void this.#writing.then(() => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.ends.resolve(this.answer());
    });
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end(this.broken(error));
  }

  #receive(into: Destination, headers: IncomingHttpHeaders): void {
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
      return this.giveUp(
        new ConnectionFailure('malformed', 'the answer does not say how long it is, so it may be cut off'),
      );
    this.#into = into;
    this.#write(() => into.start(headers['content-type']), 0);
  }

  #write(work: () => Promise<void>, bytes: number): void {
    this.#queued += bytes;
    this.#writing = this.#writing
      .then(() => (this.#isOver ? undefined : work()))
      .then(
        () => {
          this.#queued -= bytes;
          if (this.#queued === 0 && this.connection?.paused === true && !this.#isOver) this.#resume(this.connection);
        },
        (error: unknown) => this.giveUp(local(error)),
      );
  }

  /** Time for the disk does not count towards the controller's time limit. */
  #resume(connection: Dispatcher.DispatchController): void {
    this.live();
    connection.resume();
  }

  protected override giveUp(failure: ConnectionFailure): void {
    this.#end(failure);
    this.connection?.abort(failure);
  }

  /** The next attempt must not start while this one still writes. */
  #end(failure: unknown): void {
    clearTimeout(this.timer);
    if (this.#isOver) return;
    this.#isOver = true;
    void this.#writing.then(() => this.ends.reject(failure));
  }

  protected override timedOut(seconds: number): ConnectionFailure {
    const hint = 'controller_timeout sets how long a transfer may stop';
    return new ConnectionFailure('timeout', `no data was sent or received for ${seconds} s`, hint);
  }
}
