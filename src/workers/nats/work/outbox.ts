import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { namesIn } from '../../../files/entries.js';
import { whyFailed } from '../../../files/file_error.js';
import { makeFolder } from '../../../files/folders.js';
import { fields, number, oneOf, text } from '../../../model/values/shape.js';
import type { Spool } from '../channel/channel_writer.js';
import { publication, type Frame } from '../channel/frames.js';
import { lastOf, publishAfter } from '../broker/publishing.js';
import { EVENTS, type Storage } from '../broker/storage.js';

const SUFFIX = '.outbox';
const isHead = fields({ subject: text, after: number });
const isLine = fields({
  type: oneOf('part', 'texts', 'ended', 'failed', 'refused'),
  number,
  id: text,
  data: text,
});

/**
 * Undelivered messages of workers: a file for each walk, which begins with the subject and the sequence number before
 * the first frame. The frames are sealed.
 */
export class Outbox {
  #isKept = false;

  private constructor(
    private readonly folder: string,
    private readonly report: (line: string) => void,
  ) {}

  static async open(stateFolder: string, report: (line: string) => void): Promise<Outbox> {
    const folder = path.join(stateFolder, 'outbox');
    await makeFolder(folder);
    return new Outbox(folder, report);
  }

  /** Keeps all files from now on, because the worker ends before it could deliver them. Returns the folder. */
  keep(): string {
    this.#isKept = true;
    return this.folder;
  }

  /** The spool of one walk. */
  spool(job: string, subject: string): Spool {
    const file = path.join(this.folder, `${job}${SUFFIX}`);
    let begun = false;
    let failed = false;
    return {
      append: (frames, after) => {
        if (failed) return;
        const head = begun ? [] : [{ subject, after }];
        const lines = frames.map(({ data, ...frame }) => ({ ...frame, data: Buffer.from(data).toString('base64') }));
        begun = true;
        try {
          appendFileSync(file, [...head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''), {
            mode: 0o600,
          });
        } catch (error) {
          failed = true;
          this.report(`cannot write ${file}: ${whyFailed(error)}: what is not delivered is lost when this worker ends`);
        }
      },
      remove: () => {
        if (this.#isKept) return;
        begun = false;
        rmSync(file, { force: true });
      },
    };
  }

  /** Delivers the messages that an earlier worker left. */
  async deliver(storage: Storage): Promise<void> {
    for (const name of namesIn(this.folder).filter((one) => one.endsWith(SUFFIX))) {
      const file = path.join(this.folder, name);
      const count = await deliverFile(storage, file);
      this.report(
        count === undefined
          ? `dropped what a worker kept in ${file}: its walk was given to another worker, or its run is over`
          : `delivered ${count} messages that a worker kept in ${file}`,
      );
      rmSync(file, { force: true });
    }
  }
}

/** Returns the number of delivered messages; undefined if the stream accepts none. */
async function deliverFile(storage: Storage, file: string): Promise<number | undefined> {
  const { head, frames } = parse(readFileSync(file, 'utf8'));
  if (head === undefined) return undefined;
  const channel = { stream: EVENTS, subject: head.subject };
  const last = await lastOf(storage.manager, channel);
  const known = frames.findIndex(({ id }) => id === last.id);
  if (known < 0 && last.sequence !== head.after) return undefined;
  let after = last.sequence;
  for (const frame of frames.slice(known + 1)) {
    const sequence = await publishAfter(storage, channel, publication(frame), after);
    if (sequence === undefined) return undefined;
    after = sequence;
  }
  return frames.length - known - 1;
}

/** Parses up to the first incomplete line, which remains if the worker was killed while it wrote. */
function parse(content: string): {
  readonly head: { subject: string; after: number } | undefined;
  readonly frames: readonly Frame[];
} {
  const [first = '', ...lines] = content.split('\n');
  const head = json(first);
  const frames: Frame[] = [];
  for (const line of lines) {
    const parsed = json(line);
    if (!isLine(parsed)) break;
    frames.push({ ...parsed, data: Buffer.from(parsed.data, 'base64') });
  }
  return { head: isHead(head) ? head : undefined, frames };
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
