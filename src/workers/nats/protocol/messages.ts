/** What a coordinator and its workers say to each other outside of walks. Nothing in it is secret. */
import { allows } from './registry.js';
import { either, fields, number, oneOf, text, type Check, type FieldsOf } from '../../../model/values/shape.js';

/** In the queue of a site: a walk is there to be taken. */
const JOB = { run: text, session: text, job: text };
export type Job = FieldsOf<typeof JOB>;
export const isJob = fields(JOB);

const TAKE = {
  type: oneOf('take'),
  job: text,
  /** Of this attempt to take it: the same question twice gets the same answer. */
  token: text,
  instance: text,
  name: text,
  version: text,
  publicKey: text,
  allows,
};
/** `release`: the worker does not know the walk that it is said to do. `renew`: its lease ran out; may it go on? */
const ABOUT = { type: oneOf('release', 'renew'), job: text, instance: text };

export type Take = FieldsOf<typeof TAKE>;
export type Request = Take | FieldsOf<typeof ABOUT>;
export const isRequest = either(fields(TAKE), fields(ABOUT));

const TAKEN = {
  type: oneOf('taken'),
  /** Of this start of the coordinator. */
  session: text,
  key: fields({ sender: text, sealed: text }),
  /** The name of the description of the run. */
  description: text,
  /** Sequence number of the message that the worker's first one comes after. */
  after: number,
};
export type Taken = FieldsOf<typeof TAKEN>;

/** `gone`: there is nothing to do any more. */
export type Answer =
  Taken | { readonly type: 'gone' | 'renewed' } | { readonly type: 'refused'; readonly reason: string };
export const isAnswer: Check<Answer> = either(
  fields(TAKEN),
  either(fields({ type: oneOf('gone', 'renewed') }), fields({ type: oneOf('refused'), reason: text })),
);

/** Undefined if it is not JSON of that shape. */
export function parseMessage<T>(data: Uint8Array, check: Check<T>): T | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(data).toString());
    return check(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
