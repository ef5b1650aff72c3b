import * as Type from 'typebox';
import { errorAnswer, type SimulatedAnswer } from '../protocol/exchange.js';
import { closed, FAULT_SCHEMA } from './fault.js';

const milliseconds = (description: string) => Type.Optional(Type.Number({ minimum: 0, description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const number = (minimum: number, description: string) => Type.Optional(Type.Integer({ minimum, description }));

/** JSON, so that an inventory variable (`controller_simulation`) can carry it. */
export const BEHAVIOUR_SCHEMA = closed('How a simulated controller misbehaves.', {
  latency: milliseconds('Milliseconds before any answer.'),
  filter: Type.Optional(
    Type.Enum(['exact', 'substring', 'case-insensitive', 'ignored'], {
      description: 'How the query parameter `name` selects; default exact.',
    }),
  ),
  duplicates: Type.Optional(
    Type.Unsafe<'allow' | 400 | 409>({
      enum: ['allow', 400, 409],
      description: 'A second object of the same name: allowed, or refused with this status (default 409).',
    }),
  ),
  unreadable: Type.Optional(
    Type.Unsafe<404 | 405 | 501>({
      enum: [404, 405, 501],
      description:
        'Status of GET on objects without a uuid, such as the system configuration; absent: they can be read.',
    }),
  ),
  paging: Type.Optional(
    Type.Object(
      {
        size: Type.Integer({ minimum: 1, description: 'Results per page.' }),
        next: Type.Optional(
          Type.Enum(['absolute', 'relative', 'foreign', 'loop', 'missing'], {
            description:
              'The form of `next`; default an absolute URL. `missing`: there is no `next`, although there are more pages.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  ),
  count: Type.Optional(Type.Integer({ description: 'Added to the true `count` of every list.' })),
  sensitive: flag('Secrets read back as `<sensitive>`.'),
  lag: number(0, 'How many reads of an object still see the old state after a write.'),
  locking: flag(
    'Whether a write with a stale `_last_modified` is refused with 412; the default depends on the dialect.',
  ),
  rate: Type.Optional(
    closed('More requests than this in so many seconds get 429 with Retry-After.', {
      requests: Type.Integer({ minimum: 1 }),
      seconds: Type.Number({ exclusiveMinimum: 0 }),
    }),
  ),
  first_boot: Type.Optional(
    closed('Only this password signs in, and nothing else can be written until it is changed.', {
      password: Type.String({ minLength: 1, description: 'The published default.' }),
    }),
  ),
  basic: flag('Whether Basic authentication is allowed from the start.'),
  session_timeout: milliseconds('Milliseconds without a request after which a session ends.'),
  lock_after: number(1, 'Wrong passwords in a row that lock an account; default 3.'),
  cloud_ready_after: milliseconds('Milliseconds until a new cloud can be used; default 1000.'),
  servers_down: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Servers that fail the monitors of their pools: `10.0.0.9`, or `10.0.0.9:80`.',
    }),
  ),
  drained_after: milliseconds('Milliseconds until a disabled server has no connections left; default 1000.'),
  upgrade: Type.Optional(
    closed(
      'How an upgrade goes: for these times in milliseconds (default 500 each), writes get 403, then everything gets 503, then connections are refused.',
      {
        disallowed: Type.Optional(Type.Number({ minimum: 0 })),
        unavailable: Type.Optional(Type.Number({ minimum: 0 })),
        refused: Type.Optional(Type.Number({ minimum: 0 })),
        fails: flag('Whether it fails before the controller restarts.'),
      },
    ),
  ),
  faults: Type.Optional(Type.Array(FAULT_SCHEMA)),
});

/**
 * How a simulated controller differs from a well-behaved one. Everything is optional: without any field, it behaves
 * exactly as the API document says.
 */
export type Behaviour = Readonly<Type.Static<typeof BEHAVIOUR_SCHEMA>>;

export interface AccountCredentials {
  readonly username: string;
  readonly password: string;
}

/** Counts requests in windows of fixed length. */
export class RateLimit {
  #windowStart = 0;
  #requests = 0;

  /** 429 if this request is one too many; `now` in milliseconds. */
  refuse(rate: Behaviour['rate'], now: number): SimulatedAnswer | undefined {
    if (rate === undefined) return undefined;
    const length = rate.seconds * 1000;
    if (now - this.#windowStart >= length) {
      this.#windowStart = now;
      this.#requests = 0;
    }
    this.#requests += 1;
    if (this.#requests <= rate.requests) return undefined;
    const seconds = Math.ceil((this.#windowStart + length - now) / 1000);
    return errorAnswer(429, 'Too many requests.', { 'retry-after': String(seconds) });
  }
}
