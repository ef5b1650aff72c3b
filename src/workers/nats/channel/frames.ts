import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import type { Publication } from '../broker/publishing.js';
import type { RunKey } from './sealing.js';

/**
 * The type of a frame. The content of a `part` continues in the next frame. The coordinator writes `opened` before the
 * messages of a worker, and `closed` after them.
 */
type FrameType =
  'opened' | 'closed' | 'part' | 'texts' | 'broadcast' | 'ended' | 'failed' | 'refused' | 'revoked' | 'probe' | 'over';

/** One sealed message in a stream. */
export interface Frame {
  readonly type: FrameType;
  readonly number: number;
  /** Identifies the message, so that the stream drops duplicates. */
  readonly id: string;
  readonly data: Uint8Array;
}

/** The decrypted content of a frame, joined from its parts. */
export interface Content {
  readonly type: Exclude<FrameType, 'part'>;
  readonly texts: readonly string[];
}

/** The fields of a stream's message that frames need. */
export interface Received {
  readonly subject: string;
  readonly headers?: MsgHdrs | undefined;
  readonly data: Uint8Array;
}

/** The default limit of the server for a message is 1 MiB. */
const LARGEST = 512 * 1024;
const HEADER = 'Evenkeel-Frame';
const TYPES: readonly string[] = [
  'opened',
  'closed',
  'part',
  'texts',
  'broadcast',
  'ended',
  'failed',
  'refused',
  'revoked',
  'probe',
  'over',
] satisfies readonly FrameType[];

/**
 * The frames of a content; several if it is large.
 * @param number of the first frame
 */
export function framesOf(key: RunKey, subject: string, number: number, { type, texts }: Content): readonly Frame[] {
  const content = Buffer.from(JSON.stringify(texts));
  const frames: Frame[] = [];
  for (let start = 0; start === 0 || start < content.length; start += LARGEST) {
    const isLast = start + LARGEST >= content.length;
    frames.push(
      frameOf(key, subject, number + frames.length, isLast ? type : 'part', content.subarray(start, start + LARGEST)),
    );
  }
  return frames;
}

function frameOf(key: RunKey, subject: string, number: number, type: FrameType, content: Uint8Array): Frame {
  return {
    type,
    number,
    id: randomUUID(),
    data: key.seal(place(subject, number, type), content),
  };
}

export function publication({ type, number, id, data }: Frame): Publication {
  const made = headers();
  made.set(HEADER, `${number} ${type}`);
  return { id, data, headers: made };
}

/** Decrypts the frames of one subject, in order. */
export class FrameReader {
  #next: number | undefined;
  #parts: Buffer[] = [];

  /** @param first number of the first frame; undefined accepts any number */
  constructor(
    private readonly key: RunKey,
    first?: number,
  ) {
    this.#next = first;
  }

  /** Returns undefined for a part. @throws Error if the frame is not the next one, or was not sealed for this subject */
  read({ subject, headers: given, data }: Received): Content | undefined {
    const [digits = '', type = ''] = given?.get(HEADER).split(' ') ?? [];
    const number = Number(digits);
    if (!isFrameType(type)) throw new Error(`not a frame of Evenkeel: ${subject}`);
    // Written by another coordinator of the run, with another key and without the number of the frame. A forged frame
    // only ends the walk.
    if (type === 'closed') return { type, texts: [] };
    const content = this.key.open(place(subject, number, type), data);
    this.#next ??= number;
    if (number !== this.#next) throw new Error(`message ${this.#next} of ${subject} is missing`);
    this.#next += 1;
    this.#parts.push(content);
    if (type === 'part') return undefined;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    return { type, texts: textsOf(whole) };
  }
}

/** The place for which a frame is sealed, so that the broker can neither move nor swap frames. */
function place(subject: string, number: number, type: FrameType): string {
  return `${subject} ${number} ${type}`;
}

function isFrameType(text: string): text is FrameType {
  return TYPES.includes(text);
}

function textsOf(content: Buffer): readonly string[] {
  const parsed: unknown = JSON.parse(content.toString());
  return Array.isArray(parsed) ? parsed.map(String) : [];
}
