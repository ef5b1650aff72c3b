import * as Type from 'typebox';
import type { SimulatedRequest } from '../protocol/exchange.js';

const When = Type.Object(
  {
    method: Type.Optional(Type.String({ description: 'GET, POST, PUT, PATCH or DELETE; absent: any.' })),
    path: Type.Optional(Type.String({ description: 'Without the query; an asterisk at the end matches any rest.' })),
    nth: Type.Optional(Type.Integer({ minimum: 1, description: 'Only the nth request that matches.' })),
    first: Type.Optional(Type.Integer({ minimum: 1, description: 'Only the first n requests that match.' })),
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only requests after the first n that match.' })),
  },
  { additionalProperties: false },
);

const when = Type.Optional(When);
const applied = Type.Optional(Type.Boolean({ description: 'Whether the request still takes effect; default false.' }));
const milliseconds = Type.Optional(Type.Number({ minimum: 0 }));

/** A mapping with these names only. */
export const closed = <Fields extends Type.TProperties>(description: string, fields: Fields) =>
  Type.Object(fields, { additionalProperties: false, description });

const faultType = <Name extends string, Fields extends Type.TProperties>(
  type: Name,
  description: string,
  fields: Fields,
) => closed(description, { type: Type.Literal(type), when, ...fields });

const Latency = faultType('latency', 'Answers later.', { milliseconds: Type.Number({ minimum: 0 }) });
const AnswerWith = faultType('answer', 'Answers with this status.', {
  applied,
  status: Type.Integer({ minimum: 200, maximum: 599 }),
  body: Type.Optional(Type.Unknown({ description: 'Text as it is, anything else as JSON.' })),
  headers: Type.Optional(
    Type.Unsafe<Record<string, string>>({ type: 'object', patternProperties: { '^.*$': { type: 'string' } } }),
  ),
});
const Drop = faultType('drop', 'Closes the connection without an answer.', { applied });
const Cut = faultType('cut', 'Takes effect, and closes the connection halfway through the answer.', {});
const Hang = faultType('hang', 'Never answers.', { applied });
const Redirect = faultType('redirect', 'Answers with a redirect.', {
  to: Type.Optional(Type.String()),
  status: Type.Optional(Type.Unsafe<301 | 302 | 303 | 307 | 308>({ enum: [301, 302, 303, 307, 308] })),
});
const Garbage = faultType('garbage', 'Answers 200 with an unexpected body.', {
  applied,
  form: Type.Enum(['html', 'truncated', 'shape', 'list', 'empty', 'bytes', 'gzip', 'deep', 'twice', 'proto', 'nan']),
});
const Huge = faultType('huge', 'Answers 200 with an object list of this size.', {
  megabytes: Type.Number({ exclusiveMinimum: 0, maximum: 4096 }),
});
const Trickle = faultType(
  'trickle',
  'Takes effect, and sends the answer byte by byte, one every so many milliseconds.',
  {
    milliseconds: Type.Number({ minimum: 1 }),
    part: Type.Optional(Type.Enum(['headers', 'body'], { description: 'The part that is slow; default the body.' })),
  },
);
const Endless = faultType('endless', 'Begins an answer that never ends, although data keeps arriving.', {
  applied,
  part: Type.Enum(['headers', 'body', 'informational'], {
    description: 'The part that never ends: headers, a body in chunks, or answers with 103.',
  }),
});
const Length = faultType('length', 'Takes effect, and answers with a wrong content-length.', {
  by: Type.Integer({ description: 'Added to the true length.' }),
});

const Touch = faultType('touch', 'The controller itself changes the object first: it has a new `_last_modified`.', {});
const Expire = faultType('expire', 'All sessions end first, so the request is answered with 401.', {});
const Upgrade = faultType(
  'upgrade',
  'Answers the request, and starts an upgrade: for these times in milliseconds, writes get 403, then everything gets 503, then connections are refused.',
  { disallowed: milliseconds, unavailable: milliseconds, refused: milliseconds },
);

const BROKEN_ANSWERS = [AnswerWith, Drop, Cut, Hang, Redirect, Garbage, Huge, Trickle, Endless, Length] as const;
/** These come before or after a correct answer. */
const CIRCUMSTANCES = [Latency, Touch, Expire, Upgrade] as const;
const FAULTS = [...BROKEN_ANSWERS, ...CIRCUMSTANCES];

export type When = Type.Static<typeof When>;
export type BrokenAnswer = Type.Static<(typeof BROKEN_ANSWERS)[number]>;
export type Circumstance = Type.Static<(typeof CIRCUMSTANCES)[number]>;

/** One way in which a controller answers some requests wrongly, or does not answer. */
export type Fault = BrokenAnswer | Circumstance;

export function isCircumstance(fault: Fault): fault is Circumstance {
  return CIRCUMSTANCES.some(({ properties }) => properties.type.const === fault.type);
}

export const FAULT_SCHEMA = Type.Unsafe<Fault>({
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: FAULTS,
});

export const FAULT_TYPES: readonly string[] = FAULTS.map(({ properties }) => properties.type.const);

/** Picks the faults that hit a request; counts the matching requests of each, from the moment the behaviour was set. */
export class FaultPicker {
  readonly #seen: number[];

  constructor(private readonly faults: readonly Fault[]) {
    this.#seen = faults.map(() => 0);
  }

  pick(request: Pick<SimulatedRequest, 'method' | 'path'>): readonly Fault[] {
    return this.faults.filter((fault, index) => {
      const { when } = fault;
      if (when === undefined) return true;
      if (!matches(when, request)) return false;
      const seen = (this.#seen[index] ?? 0) + 1;
      this.#seen[index] = seen;
      return isTurn(when, seen);
    });
  }
}

function matches(when: When, request: Pick<SimulatedRequest, 'method' | 'path'>): boolean {
  if (when.method !== undefined && when.method.toUpperCase() !== request.method) return false;
  if (when.path === undefined) return true;
  return when.path.endsWith('*') ? request.path.startsWith(when.path.slice(0, -1)) : request.path === when.path;
}

/** `seen` counts from 1. */
function isTurn(when: When, seen: number): boolean {
  if (when.nth !== undefined && seen !== when.nth) return false;
  if (when.first !== undefined && seen > when.first) return false;
  return when.after === undefined || seen > when.after;
}
