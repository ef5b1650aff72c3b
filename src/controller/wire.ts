import { errorMessage } from '../core/model/error_message.js';
import type { Exchange } from '../core/model/run/event.js';
import type { ApiAnswer, ApiCall } from './exchange/call.js';
import type { RequestGate } from './pace/request_gate.js';
import type { NewestConnection, Transport } from './transport/transport.js';

export interface WireOptions {
  /** Inventory name and URL, for messages and events. */
  readonly settings: { readonly controller: string; readonly url: string };
  readonly transport: Transport;
  /** Takes note of every answer. */
  readonly gate: RequestGate;
  readonly onRequest: ((exchange: Exchange) => void) | undefined;
  readonly onThrottled: ((throttling: Throttling) => void) | undefined;
  /** Whether `onRequest` also gets the bodies. */
  readonly bodies: boolean;
}

/** The controller answered with this status, so it gets no requests for this many seconds. */
export interface Throttling {
  readonly controller: string;
  readonly status: number;
  readonly seconds: number;
}

/** Sends single requests, and reports each of them. */
export class Wire {
  constructor(private readonly options: WireOptions) {}

  /** @param more headers for this one request: names and values, one after the other */
  async send(call: ApiCall, more?: readonly string[]): Promise<ApiAnswer> {
    const started = performance.now();
    const bodies = this.options.bodies && call.outsideApi !== true;
    try {
      const answer = await this.options.transport.send(call, more);
      this.#report(call, started, { status: answer.status, ...(bodies && { responseBody: answer.text }) });
      this.#heed(answer, started);
      return answer;
    } catch (error) {
      this.#report(call, started, { error: errorMessage(error) });
      throw error;
    }
  }

  get connection(): NewestConnection {
    return this.options.transport.connection;
  }

  forgetAnswers(): void {
    this.options.transport.forgetAnswers();
  }

  #heed(answer: ApiAnswer, started: number): void {
    const { gate, onThrottled, settings } = this.options;
    const seconds = gate.noteAnswer(answer, started);
    if (seconds !== undefined) onThrottled?.({ controller: settings.controller, status: answer.status, seconds });
  }

  #report(call: ApiCall, started: number, result: Pick<Exchange, 'status' | 'error' | 'responseBody'>): void {
    const { settings, onRequest, bodies } = this.options;
    onRequest?.({
      controller: settings.controller,
      method: call.method,
      url: settings.url + call.path,
      seconds: (performance.now() - started) / 1000,
      ...(bodies && call.body !== undefined && call.outsideApi !== true && { requestBody: call.body }),
      ...result,
    });
  }
}
