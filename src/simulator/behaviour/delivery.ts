import { gzipSync } from 'node:zlib';
import { jsonText } from '../../core/model/values/value.js';
import type { Headers, SimulatedAnswer } from '../protocol/exchange.js';
import type { BrokenAnswer, Fault } from './fault.js';

/** What is sent for one request: a correct answer or a fault. */
export type Delivery =
  | DeliveredReply
  | { readonly type: 'close' }
  | { readonly type: 'silence' }
  | { readonly type: 'cut'; readonly reply: DeliveredReply }
  | {
      readonly type: 'trickle';
      readonly reply: DeliveredReply;
      readonly milliseconds: number;
      readonly part: 'headers' | 'body';
    }
  | { readonly type: 'endless'; readonly part: 'headers' | 'body' | 'informational' }
  | { readonly type: 'length'; readonly reply: DeliveredReply; readonly by: number }
  | { readonly type: 'huge'; readonly megabytes: number };

export interface DeliveredReply {
  readonly type: 'reply';
  readonly status: number;
  readonly headers: Headers;
  /** Bytes if the body is not UTF-8. */
  readonly text: string | Buffer;
}

export function honest({ status, headers, body }: SimulatedAnswer): DeliveredReply {
  if (body === undefined) return reply(status, '', headers);
  return reply(status, jsonText(body), { 'content-type': 'application/json', ...headers });
}

/** `carryOut` applies the request; it is called for the faults that allow that. */
export function misbehave(fault: BrokenAnswer, carryOut: () => SimulatedAnswer): Delivery {
  if ('applied' in fault && fault.applied) carryOut();
  switch (fault.type) {
    case 'answer':
      return configuredReply(fault);
    case 'drop':
      return { type: 'close' };
    case 'hang':
      return { type: 'silence' };
    case 'cut':
      return { type: 'cut', reply: honest(carryOut()) };
    case 'trickle':
      return {
        type: 'trickle',
        reply: honest(carryOut()),
        milliseconds: fault.milliseconds,
        part: fault.part ?? 'body',
      };
    case 'endless':
      return { type: 'endless', part: fault.part };
    case 'length':
      return { type: 'length', reply: honest(carryOut()), by: fault.by };
    case 'redirect':
      return reply(fault.status ?? 302, '', { location: fault.to ?? 'https://elsewhere.invalid/login' });
    case 'garbage':
      return garbage(fault.form);
    case 'huge':
      return { type: 'huge', megabytes: fault.megabytes };
  }
}

/** The status that the log shows; null if the client got no complete answer. */
export function deliveredStatus(delivery: Delivery): number | null {
  switch (delivery.type) {
    case 'reply':
      return delivery.status;
    case 'trickle':
    case 'length':
      return delivery.reply.status;
    case 'huge':
      return 200;
    case 'close':
    case 'silence':
    case 'endless':
    case 'cut':
      return null;
  }
}

function reply(status: number, text: string | Buffer, headers: Headers): DeliveredReply {
  return { type: 'reply', status, text, headers };
}

function configuredReply(fault: Extract<Fault, { type: 'answer' }>): DeliveredReply {
  const { status, body = { error: `Configured to answer ${status}.` }, headers = {} } = fault;
  if (typeof body === 'string') return reply(status, body, { 'content-type': 'text/plain', ...headers });
  return reply(status, jsonText(body), { 'content-type': 'application/json', ...headers });
}

/** More levels than a recursive parser survives. */
const DEEP = 20_000;

type GarbageForm = Extract<Fault, { type: 'garbage' }>['form'];

const GARBAGE: Readonly<Record<GarbageForm, string | Buffer>> = {
  html: '<!doctype html><title>Sign in</title><p>Please sign in.</p>',
  truncated: '{"count": 1, "results": [{"name": "ed',
  shape: '{"count": 1, "results": {"name": "edge"}}',
  list: '[]',
  empty: '',
  bytes: Buffer.from('{"count": 0, "results": [], "note": "\u00c3(\u00ff"}', 'latin1'),
  gzip: gzipSync('{"count": 0, "results": []}'),
  deep: `{"count": 0, "results": [], "note": ${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  twice: '{"count": 1, "results": [{"name": "edge"}], "count": 0, "results": []}',
  proto: '{"__proto__": {"count": 0, "results": []}, "constructor": {"prototype": {"polluted": 1}}}',
  nan: '{"count": NaN, "results": []}',
};

function garbage(form: GarbageForm): DeliveredReply {
  const type = form === 'html' ? 'text/html' : 'application/json';
  const headers = { 'content-type': type, ...(form === 'gzip' && { 'content-encoding': 'gzip' }) };
  return reply(200, GARBAGE[form], headers);
}
