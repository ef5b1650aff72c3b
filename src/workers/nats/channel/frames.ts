import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import type { Publication } from '../broker/publishing.js';
import type { RunKey } from './sealing.js';

/** What a frame says. `part`: its content goes on in the next frame. The coordinator writes `opened` and `closed` around what a worker says. */
type FrameType =
  'opened' | 'closed' | 'part' | 'texts' | 'broadcast' | 'ended' | 'failed' | 'refused' | 'revoked' | 'probe' | 'over';

/** One sealed message in a stream. */
export interface Frame {
  readonly type: FrameType;
  readonly number: number;
  /** Tells a message that was sent twice from another. */
  readonly id: string;
  readonly data: Uint8Array;
}

/** A frame with its content, put together and opened. */
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

/** What the server accepts as one message is 1 MiB by default. */
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

/** Several frames if it is large. @param number of the first frame */
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

/** Opens the frames of one subject, in order. */
export class FrameReader {
  #next: number | undefined;
  #parts: Buffer[] = [];

  /** @param first number of the first frame; undefined: whatever comes first */
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
    // Another coordinator of the run writes it, with another key, and without knowing how many frames there are. Forged, it only ends the walk.
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

/** What a frame is sealed for: the broker cannot move it, or swap two. */
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
