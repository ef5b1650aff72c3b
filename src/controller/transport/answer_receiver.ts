import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { isRead } from '../../core/model/run/session.js';
import { ConnectionFailure, type ApiAnswer } from '../exchange/call.js';
import type { RequestLimits } from '../exchange/policy.js';
import { LARGE_ANSWER, type AnswerPlace } from './answer_memory.js';
import { brokenTls } from './network_failure.js';

export interface AttemptLimits extends Pick<RequestLimits, 'responseBytes' | 'pauseMs'> {
  /** Counts from the hand-over to the connection to the last byte, so that a slow answer cannot hold up a run. */
  readonly timeoutMs: number;
  /** The destination, for messages. */
  readonly to: string;
  /** Where a large answer waits until there is memory for it. */
  readonly place: AnswerPlace;
}

/**
 * Sends one request through a dispatcher and gathers its answer. Rejects with whatever went wrong, raw. If there is no
 * memory for a large answer for some seconds, drops the connection, and reads again when there is.
 */
export function receive(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: AttemptLimits,
): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const send = (): void => {
      dispatcher.dispatch(request, new Receiver(isRead(request.method), limits, { resolve, reject, sendAgain: send }));
    };
    send();
  });
}

interface Ends {
  readonly resolve: (answer: ApiAnswer) => void;
  readonly reject: (reason: unknown) => void;
  readonly sendAgain: () => void;
}

/** Takes the events of one dispatch. A plain handler costs half as much as streams and abort signals. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #connection: Dispatcher.DispatchController | undefined;
  #failure: ConnectionFailure | undefined;
  #timer: NodeJS.Timeout;
  #isOver = false;
  /** The connection was closed, because there was no memory for the answer. */
  #isDropped = false;

  constructor(
    readonly isRead: boolean,
    readonly limits: AttemptLimits,
    readonly ends: Ends,
  ) {
    this.#timer = this.#startTimer();
  }

  onRequestStart(connection: Dispatcher.DispatchController): void {
    this.#connection = connection;
    if (this.#failure !== undefined) connection.abort(this.#failure);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const failure = headFailure(status, headers);
    if (failure !== undefined) this.#giveUp(failure);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.limits.responseBytes) this.#giveUp(tooLarge(this.limits.responseBytes));
    else this.#chunks.push(chunk);
    if (this.isRead && this.#size > LARGE_ANSWER && this.#size - chunk.length <= LARGE_ANSWER) this.#pause();
  }

  /**
   * A server may close a paused connection, and the outcome of a write would be unknown. So its answer waits here.
   */
  onResponseEnd(): void {
    this.#end();
    if (this.isRead || this.#size <= LARGE_ANSWER) this.#answer();
    else
      this.limits.place.take(() => {
        this.#answer();
      }, 'writes');
  }

  #answer(): void {
    this.ends.resolve(toAnswer(this.#status, this.#headers, this.#body()));
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end();
    const broken = this.#connection && brokenTls(error, this.limits.to);
    if (!this.#isDropped) this.ends.reject(this.#failure ?? broken ?? error);
  }

  /** This wait does not count towards the controller's time limit. */
  #pause(): void {
    clearTimeout(this.#timer);
    this.#connection?.pause();
    this.#timer = setTimeout(() => {
      this.#drop();
    }, this.limits.pauseMs);
    this.limits.place.take(() => {
      if (this.#isDropped) this.ends.sendAgain();
      else if (this.#isOver) this.limits.place.giveBack();
      else {
        clearTimeout(this.#timer);
        this.#timer = this.#startTimer();
        this.#connection?.resume();
      }
    }, 'reads');
  }

  #drop(): void {
    this.#isDropped = true;
    this.#end();
    this.#chunks.length = 0;
    this.#connection?.abort(new Error('there is no memory for the answer yet'));
  }

  #startTimer(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#giveUp(this.#timedOut());
    }, this.limits.timeoutMs);
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #body(): Buffer {
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
  }

  /**
   * While the connection is being opened there is nothing to abort: the request is dropped in its turn.
   */
  #giveUp(failure: ConnectionFailure): void {
    this.#end();
    this.#failure = failure;
    this.#connection?.abort(failure);
    this.ends.reject(failure);
  }

  #timedOut(): ConnectionFailure {
    const seconds = this.limits.timeoutMs / 1000;
    if (this.#connection === undefined)
      return new ConnectionFailure('connect', `no connection to ${this.limits.to} within ${seconds} s`);
    return new ConnectionFailure(
      'timeout',
      this.#status === 0 ? `no answer within ${seconds} s` : `the answer was not complete within ${seconds} s`,
      'controller_timeout sets how long a request may take',
    );
  }
}

export function toAnswer(status: number, headers: IncomingHttpHeaders, body: Buffer): ApiAnswer {
  const text = body.toString();
  return {
    status,
    text,
    // Checked only if there is a replacement character, which is rare.
    ...(text.includes('\ufffd') && !isUtf8(body) && { garbled: true }),
    contentType: headers['content-type'],
    location: headers.location,
    retryAfter: headers['retry-after'],
    setCookies: cookiesIn(headers),
  };
}

/** undici returns a single value as text, contrary to its types. */
function cookiesIn({ 'set-cookie': cookies }: IncomingHttpHeaders): readonly string[] | undefined {
  return cookies && [cookies].flat();
}

/** The error in the head of an answer. */
export function headFailure(status: number, headers: IncomingHttpHeaders): ConnectionFailure | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  // No compression was requested. A few kilobytes may unpack to gigabytes, so they are not unpacked.
  if (encoding !== 'identity')
    return new ConnectionFailure('malformed', `the answer is compressed (${encoding}), which was not requested`);
  if (status <= 599) return undefined;
  return new ConnectionFailure('malformed', `the answer has the status ${status}, which does not exist`);
}

export function tooLarge(bytes: number): ConnectionFailure {
  const hint = 'if this answer is right, max_registered in evenkeel.yml or EVENKEEL_MAX_REGISTERED allows larger ones';
  return new ConnectionFailure('oversized', `the answer is larger than ${bytes / 2 ** 20} MiB`, hint);
}
