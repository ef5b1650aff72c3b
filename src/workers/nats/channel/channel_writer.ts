import { asError } from '../../../model/error_message.js';
import { framesOf, publication, type Content, type Frame } from './frames.js';
import { publishAfter, type Channel } from '../broker/publishing.js';
import type { RunKey } from './sealing.js';
import type { Storage } from '../broker/storage.js';

/** Keeps frames while the broker is away. */
export interface Spool {
  /** @param after the sequence number that the first one must come after */
  append(frames: readonly Frame[], after: number): void;
  remove(): void;
}

interface Entry {
  readonly type: Content['type'];
  readonly text: string;
  readonly accepted?: Waiting | undefined;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Sealed {
  readonly frame: Frame;
  readonly accepted: readonly Waiting[];
}

/** Maximum size of the texts in one frame; further texts go into the next one. */
const BATCH_CHARACTERS = 256 * 1024;

/**
 * Writes texts to a subject of a stream, in order and each once. Texts that are written in one turn of the event loop,
 * or while a frame is being sent, share a frame.
 */
export class ChannelWriter {
  readonly #entries: Entry[] = [];
  readonly #sealed: Sealed[] = [];
  #number = 1;
  /** Number of frames of `#sealed` in the spool. */
  #spooled = 0;
  #isSpooling = false;
  #working = false;
  #refused: Error | undefined;

  /**
   * @param last sequence number of the last message of the subject
   * @param onRefused called once if the stream accepts nothing more
   */
  constructor(
    private readonly storage: Storage,
    private readonly channel: Channel & { readonly key: RunKey },
    private last: number,
    private readonly onRefused: (error: Error) => void = () => undefined,
    private readonly spool?: Spool,
  ) {}

  write(text: string, type: Content['type'] = 'texts'): void {
    this.#add({ type, text });
  }

  /**
   * Resolves when the stream has accepted this text and all texts before it.
   * @throws Error if the stream refuses it
   */
  writeDurably(text: string, type: Content['type'] = 'texts'): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#refused === undefined) this.#add({ type, text, accepted: { resolve, reject } });
      else reject(this.#refused);
    });
  }

  /** Moves unaccepted frames to the spool, because this writer will not deliver them. */
  keepUnsent(): void {
    this.#keep();
  }

  /** Ends the writer: all further writes are refused. */
  refuse(error: Error): void {
    if (this.#refused !== undefined) return;
    this.#refused = error;
    const waiting = [
      ...this.#sealed.flatMap(({ accepted }) => accepted),
      ...this.#entries.flatMap(({ accepted }) => accepted ?? []),
    ];
    this.#entries.length = 0;
    this.#sealed.length = 0;
    this.spool?.remove();
    for (const { reject } of waiting) reject(error);
    this.onRefused(error);
  }

  #add(entry: Entry): void {
    if (this.#refused !== undefined) return;
    this.#entries.push(entry);
    if (!this.#working) {
      this.#working = true;
      setImmediate(() => void this.#work());
    } else if (!this.storage.link.isUp)
      setImmediate(() => {
        this.#keep();
      });
  }

  async #work(): Promise<void> {
    try {
      while (this.#entries.length > 0 || this.#sealed.length > 0) {
        if (this.#sealed.length === 0) this.#seal();
        await this.#publishFirst();
      }
      if (this.#isSpooling) this.spool?.remove();
      this.#isSpooling = false;
    } catch (error) {
      this.refuse(asError(error));
    } finally {
      this.#working = false;
    }
  }

  async #publishFirst(): Promise<void> {
    const first = this.#sealed[0];
    if (first === undefined) return;
    if (!this.storage.link.isUp) this.#keep();
    const sequence = await publishAfter(this.storage, this.channel, publication(first.frame), this.last, () => {
      this.#keep();
    });
    if (sequence === undefined) {
      this.refuse(new Error('the walk was given to another worker, or its run is over'));
      return;
    }
    this.last = sequence;
    if (this.#sealed[0] !== first) return;
    this.#sealed.shift();
    if (this.#spooled > 0) this.#spooled -= 1;
    for (const { resolve } of first.accepted) resolve();
  }

  /** Seals as many texts as fit into a frame. */
  #seal(): void {
    const [first] = this.#entries;
    if (first === undefined) return;
    let characters = 0;
    let count = 0;
    for (const { type, text } of this.#entries) {
      characters += text.length;
      if (type !== first.type || (count > 0 && characters > BATCH_CHARACTERS)) break;
      count += 1;
    }
    const batch = this.#entries.splice(0, count);
    const content = { type: first.type, texts: batch.map(({ text }) => text) };
    const frames = framesOf(this.channel.key, this.channel.subject, this.#number, content);
    this.#number += frames.length;
    const accepted = batch.flatMap((entry) => entry.accepted ?? []);
    for (const frame of frames) this.#sealed.push({ frame, accepted: frame === frames.at(-1) ? accepted : [] });
  }

  /** Adds all frames to the spool that the stream has not accepted. */
  #keep(): void {
    if (this.spool === undefined || this.#refused !== undefined) return;
    while (this.#entries.length > 0) this.#seal();
    const fresh = this.#sealed.slice(this.#spooled).map(({ frame }) => frame);
    if (fresh.length > 0) this.spool.append(fresh, this.last);
    this.#isSpooling = true;
    this.#spooled = this.#sealed.length;
  }
}
