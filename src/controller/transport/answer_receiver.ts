import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { isRead } from '../../core/model/run/session.js';
import { ConnectionFailure, type ApiAnswer } from '../exchange/call.js';
import type { RequestLimits } from '../exchange/policy.js';
import { LARGE_ANSWER, type AnswerSlot } from './answer_memory.js';
import { brokenTls, neverOpened } from './network_failure.js';

export interface AttemptLimits extends Pick<RequestLimits, 'responseBytes' | 'pauseMs'> {
  /** Counts from the hand-over to the connection to the last byte, so that a slow answer cannot hold up a run. */
  readonly timeoutMs: number;
  /** The destination, for messages. */
  readonly to: string;
  /** Where a large answer waits until there is memory for it. */
  readonly slot: AnswerSlot;
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
    const send = (): boolean =>
      dispatcher.dispatch(request, new Receiver(isRead(request.method), limits, { resolve, reject, sendAgain: send }));
    send();
  });
}

export interface Ends {
  readonly resolve: (answer: ApiAnswer) => void;
  readonly reject: (reason: unknown) => void;
  readonly sendAgain: () => void;
}

/** Takes the events of one dispatch, within limits of time and size. */
export abstract class AnswerReceiver implements Dispatcher.DispatchHandler {
  protected readonly chunks: Buffer[] = [];
  protected size = 0;
  protected status = 0;
  protected connection: Dispatcher.DispatchController | undefined;
  protected timer: NodeJS.Timeout;
  #headers: IncomingHttpHeaders = {};

  constructor(protected readonly limits: Pick<AttemptLimits, 'timeoutMs' | 'responseBytes' | 'to'>) {
    this.timer = this.startTimer();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.#headers = headers;
    const failure = headFailure(status, headers);
    if (failure === undefined) this.begin?.(headers);
    else this.giveUp(failure);
  }

  protected begin?(headers: IncomingHttpHeaders): void;

  protected keep(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.limits.responseBytes) this.giveUp(tooLarge(this.limits.responseBytes));
    else this.chunks.push(chunk);
  }

  protected answer(): ApiAnswer {
    const [only] = this.chunks;
    const body = this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks);
    return toAnswer(this.status, this.#headers, body);
  }

  protected startTimer(): NodeJS.Timeout {
    const { timeoutMs, to } = this.limits;
    return setTimeout(() => {
      const seconds = timeoutMs / 1000;
      if (this.connection !== undefined) this.giveUp(this.timedOut(seconds));
      else this.giveUp(new ConnectionFailure('connect', `no connection to ${to} within ${seconds} s`));
    }, timeoutMs);
  }

  /** undici begins a request just before it sends it. */
  protected broken(error: Error): Error {
    const { to } = this.limits;
    return this.connection === undefined ? neverOpened(error, to) : (brokenTls(error, to) ?? error);
  }

  protected abstract timedOut(seconds: number): ConnectionFailure;

  protected abstract giveUp(failure: ConnectionFailure): void;
}

/** A plain handler costs half as much as streams and abort signals. */
class Receiver extends AnswerReceiver {
  #failure: ConnectionFailure | undefined;
  #isOver = false;
  /** The connection was closed, because there was no memory for the answer. */
  #isDropped = false;

  constructor(
    readonly isRead: boolean,
    protected override readonly limits: AttemptLimits,
    readonly ends: Ends,
  ) {
    super(limits);
  }

  onRequestStart(connection: Dispatcher.DispatchController): void {
    this.connection = connection;
    if (this.#failure !== undefined) connection.abort(this.#failure);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.keep(chunk);
    if (this.isRead && this.size > LARGE_ANSWER && this.size - chunk.length <= LARGE_ANSWER) this.#pause();
  }

  /** A server may close a paused connection, and the outcome of a write would be unknown. So its answer waits here. */
  onResponseEnd(): void {
    this.#end();
    const resolve = (): void => this.ends.resolve(this.answer());
    if (this.isRead || this.size <= LARGE_ANSWER) resolve();
    else this.limits.slot.take(resolve, 'writes');
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end();
    if (!this.#isDropped) this.ends.reject(this.#failure ?? this.broken(error));
  }

  /** This wait does not count towards the controller's time limit. */
  #pause(): void {
    clearTimeout(this.timer);
    this.connection?.pause();
    this.timer = setTimeout(() => this.#drop(), this.limits.pauseMs);
    this.limits.slot.take(() => {
      if (this.#isDropped) this.ends.sendAgain();
      else if (this.#isOver) this.limits.slot.giveBack();
      else {
        clearTimeout(this.timer);
        this.timer = this.startTimer();
        this.connection?.resume();
      }
    }, 'reads');
  }

  #drop(): void {
    this.#isDropped = true;
    this.#end();
    this.chunks.length = 0;
    this.connection?.abort(new Error('there is no memory for the answer yet'));
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.timer);
  }

  /** While the connection is being opened there is nothing to abort: the request is dropped in its turn. */
  protected override giveUp(failure: ConnectionFailure): void {
    this.#end();
    this.#failure = failure;
    this.connection?.abort(failure);
    this.ends.reject(failure);
  }

  protected override timedOut(seconds: number): ConnectionFailure {
    const what = this.status === 0 ? 'no answer' : 'the answer was not complete';
    const hint = 'controller_timeout sets how long a request may take';
    return new ConnectionFailure('timeout', `${what} within ${seconds} s`, hint);
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
    retryAfter: retryAfter(headers),
    // undici returns a single value as text, contrary to its types.
    setCookies: headers['set-cookie'] && [headers['set-cookie']].flat(),
  };
}

/** A date as the seconds until then by the clock of the controller, which need not be ours. */
function retryAfter({ 'retry-after': after, date }: IncomingHttpHeaders): string | undefined {
  if (after === undefined || date === undefined || !/[a-z]/i.test(after)) return after;
  const seconds = Math.ceil((Date.parse(after) - Date.parse(date)) / 1000);
  return Number.isNaN(seconds) ? after : String(Math.max(0, seconds));
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
