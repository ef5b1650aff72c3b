/** Messages between a coordinator and its workers outside of walks. They contain no secrets. */
import { allows } from './registry.js';
import { either, fields, number, oneOf, text, type Check, type FieldsOf } from '../../../model/values/shape.js';

/** An entry in the queue of a site: a walk to be taken. */
const JOB = { run: text, session: text, job: text };
export type Job = FieldsOf<typeof JOB>;
export const isJob = fields(JOB);

const TAKE = {
  type: oneOf('take'),
  job: text,
  /** Identifies this request: a repeated question gets the same answer. */
  token: text,
  instance: text,
  name: text,
  version: text,
  publicKey: text,
  allows,
};
/**
 * `release`: the coordinator believes that the worker has this walk, but it does not. `renew`: the worker's lease
 * expired; may it continue?
 */
const ABOUT = { type: oneOf('release', 'renew'), job: text, instance: text };

export type Take = FieldsOf<typeof TAKE>;
export type Request = Take | FieldsOf<typeof ABOUT>;
export const isRequest = either(fields(TAKE), fields(ABOUT));

const TAKEN = {
  type: oneOf('taken'),
  /** Identifies this start of the coordinator. */
  session: text,
  key: fields({ sender: text, sealed: text }),
  /** The name of the description of the run. */
  description: text,
  /** Sequence number of the message before the worker's first one. */
  after: number,
};
export type Taken = FieldsOf<typeof TAKEN>;

/** `gone`: the walk no longer exists. */
export type Answer =
  Taken | { readonly type: 'gone' | 'renewed' } | { readonly type: 'refused'; readonly reason: string };
export const isAnswer: Check<Answer> = either(
  fields(TAKEN),
  either(fields({ type: oneOf('gone', 'renewed') }), fields({ type: oneOf('refused'), reason: text })),
);

/** Undefined if the data is not JSON of that shape. */
export function parseMessage<T>(data: Uint8Array, check: Check<T>): T | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(data).toString());
    return check(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
