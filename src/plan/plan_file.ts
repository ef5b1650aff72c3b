import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, fstatSync } from 'node:fs';
import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { isFileError, whyFailed, whyUnreadable } from '../files/file_error.js';
import { keyName } from '../journal/disk/key_file.js';
import { Sealer } from '../journal/disk/sealer.js';
import { decode, encode } from '../journal/disk/value_codec.js';
import type { PlannedStep } from '../model/run/plan.js';
import { PlanError } from './plan_error.js';

// A plan file: a line that says what it is, a line of JSON (`PlanHeader`), then sealed parts, each after its length (4 bytes).
// What is sealed begins with the number of the part and one byte for its kind; the rest is compressed JSON. The last part has
// the digest of the header, and says where the steps of each controller are.

const MAGIC = 'evenkeel plan';
const FORMAT = 2;
const LENGTH_BYTES = 4;
const PREFIX_BYTES = 5;
const KIND = { steps: 1, snapshot: 2, end: 3 } as const;
/** Characters of JSON in one part with steps: large enough to compress well, small enough to be read for one controller. */
const PART_LENGTH = 64 * 1024;
/** Steps that are kept in memory before they are written: to write more at once would delay controllers. */
const MOST_BUFFERED = 500;
/**
 * Parts that are kept in memory while a plan is applied: about 100 KB each. Under the strategy `linear`, each controller has a part for each of
 * its tasks, which it shares with its neighbours.
 */
const MOST_READ = 64;
const MAX_HEADER = 4096;

export interface PlanHeader {
  readonly format: number;
  readonly id: string;
  /** ISO 8601. */
  readonly created: string;
  /** The version of evenkeel. */
  readonly version: string;
  /** Names the project's key. */
  readonly key: string;
}

/** How a plan came about, at its end. */
export interface PlanSummary {
  /** Controllers that the plan is about, in the order of the inventory. */
  readonly controllers: readonly string[];
  /** Controllers that could not be planned, and why. */
  readonly unplanned: Readonly<Record<string, string>>;
  /** Those of the playbooks: helpers are looked for beside them, before the rest of the plan can be read. */
  readonly folders: readonly string[];
}

interface End extends PlanSummary {
  readonly header: string;
  /** Of each controller, the places of its parts in the file. */
  readonly places: Readonly<Record<string, readonly number[]>>;
  /** The places of all steps in their plays (`PlannedStep.place`). */
  readonly steps: readonly string[];
}

/** Writes a plan. Only the finished one appears under its name. */
export class PlanWriter {
  readonly #buffered = new Map<string, PlannedStep[]>();
  #bufferedSteps = 0;
  readonly #places = new Map<string, number[]>();
  readonly #steps = new Set<string>();
  #parts = 0;
  #length: number;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly file: string,
    private readonly fresh: string,
    private readonly handle: FileHandle,
    private readonly sealer: Sealer,
    private readonly head: string,
  ) {
    this.#length = Buffer.byteLength(head);
  }

  /** @throws PlanError if the file cannot be written */
  static async create(
    file: string,
    key: Buffer,
    about: Pick<PlanHeader, 'id' | 'created' | 'version'>,
  ): Promise<PlanWriter> {
    const header: PlanHeader = { format: FORMAT, ...about, key: keyName(key) };
    const head = `${MAGIC}\n${JSON.stringify(header)}\n`;
    await requireReplaceable(file);
    const fresh = freshName(file, about.id);
    let handle: FileHandle | undefined;
    try {
      handle = await open(fresh, 'wx', 0o600);
      await handle.write(head);
      return new PlanWriter(file, fresh, handle, sealerOf(key, about.id), head);
    } catch (error) {
      await handle?.close();
      throw new PlanError(`cannot write the plan ${file}: ${whyFailed(error)}`);
    }
  }

  /** As `Journal.digest`. */
  get digest(): Sealer['digest'] {
    return (value) => this.sealer.digest(value);
  }

  keep(controller: string, step: PlannedStep): void {
    const steps = this.#buffered.get(controller);
    if (steps === undefined) this.#buffered.set(controller, [step]);
    else steps.push(step);
    this.#steps.add(step.place);
    if (++this.#bufferedSteps >= MOST_BUFFERED) this.#flush();
  }

  /** @throws PlanError if not all of it could be written */
  async finish(snapshot: unknown, summary: PlanSummary): Promise<void> {
    try {
      this.#flush();
      this.#part(KIND.snapshot, JSON.stringify(snapshot));
      const header = digestOf(this.head);
      this.#part(
        KIND.end,
        JSON.stringify({
          header,
          places: Object.fromEntries(this.#places),
          steps: [...this.#steps],
          ...summary,
        } satisfies End),
      );
      await this.#writing;
      await this.handle.sync();
      await this.handle.close();
      await rename(this.fresh, this.file);
    } catch (error) {
      await this.discard();
      throw new PlanError(`cannot write the plan ${this.file}: ${whyFailed(error)}`);
    }
  }

  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await unlink(this.fresh).catch(() => undefined);
  }

  #flush(): void {
    let part: Record<string, readonly PlannedStep[]> = {};
    let length = 0;
    const end = (): void => {
      if (length > 0) this.#part(KIND.steps, encode(part));
      [part, length] = [{}, 0];
    };
    for (const [controller, steps] of this.#buffered) {
      part[controller] = steps;
      const places = this.#places.get(controller) ?? [];
      if (places.at(-1) !== this.#length) places.push(this.#length);
      this.#places.set(controller, places);
      length += encode(steps).length;
      if (length >= PART_LENGTH) end();
    }
    end();
    this.#buffered.clear();
    this.#bufferedSteps = 0;
  }

  #part(kind: number, text: string): void {
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(this.#parts++);
    prefix.writeUInt8(kind, 4);
    const sealed = this.sealer.sealBytes(Buffer.concat([prefix, deflateSync(text, { level: 3 })]));
    const size = Buffer.alloc(LENGTH_BYTES);
    size.writeUInt32BE(sealed.length);
    this.#length += LENGTH_BYTES + sealed.length;
    const bytes = Buffer.concat([size, sealed]);
    this.#writing = this.#writing.then(() => this.handle.write(bytes));
    // It is reported when the plan is finished.
    this.#writing.catch(() => undefined);
  }
}

/** Unlike that of any other run, which may write now, or was killed before. */
function freshName(file: string, id: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${id}.new`);
}

/**
 * A slip such as `--out site.yml` must not cost a playbook.
 *
 * @throws PlanError if there is something that is neither a plan nor empty
 */
async function requireReplaceable(file: string): Promise<void> {
  let there: Buffer;
  try {
    there = await readStart(file);
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return;
    throw new PlanError(`cannot write the plan ${file}: ${whyUnreadable(error)}`);
  }
  if (there.length > 0 && !there.equals(Buffer.from(`${MAGIC}\n`)))
    throw new PlanError(`${file} exists and is no plan, so it is not overwritten`, 'name another file with --out');
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC.length + 1), 0, MAGIC.length + 1, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function sealerOf(key: Buffer, id: string): Sealer {
  return new Sealer(key, `plan ${id}`);
}

function digestOf(head: string): string {
  return createHash('sha256').update(head).digest('base64url');
}

/** A plan that was read to its end, and is as it was written. */
export class PlanFile {
  /** By controller: the number of the part in which the step after the last found one is. */
  readonly #next = new Map<string, number>();
  readonly #steps: ReadonlySet<string>;
  /** The part that was used last comes last. */
  readonly #read = new Map<number, Readonly<Record<string, readonly PlannedStep[]>>>();

  private constructor(
    readonly header: PlanHeader,
    private readonly descriptor: number,
    private readonly sealer: Sealer,
    private readonly snapshotPlace: number,
    private readonly end: End,
  ) {
    this.#steps = new Set(end.steps);
  }

  /**
   * Reads and checks all of a plan, a part at a time.
   *
   * @param key of the project
   * @throws PlanError if it is no plan, was changed, or was made with another key or by another version
   */
  static open(file: string, key: Buffer): PlanFile {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(file, 'r');
      return PlanFile.#checked(file, descriptor, key);
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor);
      if (error instanceof PlanError) throw error;
      if (error instanceof Error && 'syscall' in error)
        throw new PlanError(`cannot read the plan ${file}: ${whyFailed(error)}`);
      throw new PlanError(`${file} was changed or damaged since it was made`, 'make a new plan');
    }
  }

  static #checked(file: string, descriptor: number, key: Buffer): PlanFile {
    const { header, head } = headerOf(file, descriptor);
    if (header.key !== keyName(key))
      throw new PlanError(
        `${file} was made with another key: by another project, or before .evenkeel/key was replaced`,
        'make the plan in the project that applies it',
      );
    const sealer = sealerOf(key, header.id);
    const { size } = fstatSync(descriptor);
    let place = Buffer.byteLength(head);
    let snapshotPlace: number | undefined;
    for (let number = 0; ; number++) {
      const part = partAt(descriptor, sealer, place);
      if (part.number !== number) throw new Error('parts are in another order');
      if (part.kind === KIND.snapshot) snapshotPlace = place;
      place = part.next;
      if (part.kind !== KIND.end) continue;
      const end = JSON.parse(part.text()) as End;
      if (place !== size || end.header !== digestOf(head) || snapshotPlace === undefined)
        throw new Error('the end is not that of this plan');
      return new PlanFile(header, descriptor, sealer, snapshotPlace, end);
    }
  }

  get summary(): PlanSummary {
    return this.end;
  }

  get snapshot(): unknown {
    return JSON.parse(partAt(this.descriptor, this.sealer, this.snapshotPlace).text()) as unknown;
  }

  get digest(): Sealer['digest'] {
    return (value) => this.sealer.digest(value);
  }

  stepsOf(controller: string): readonly PlannedStep[] {
    const [first, ...others] = this.#placesOf(controller).map((place) => this.#stepsAt(place)[controller] ?? []);
    return first === undefined || others.length === 0 ? (first ?? []) : [first, ...others].flat();
  }

  /**
   * A step of a controller that is at that place in its play. Its parts are searched from where the next step is expected, because a run asks for
   * them in order.
   */
  find(controller: string, place: string, isMeant: (step: PlannedStep) => boolean): PlannedStep | undefined {
    if (!this.#steps.has(place)) return undefined;
    const parts = this.#placesOf(controller);
    const from = this.#next.get(controller) ?? 0;
    for (let count = 0; count < parts.length; count++) {
      const at = (from + count) % parts.length;
      const steps = this.#stepsAt(parts[at] ?? 0)[controller] ?? [];
      const index = steps.findIndex((step) => step.place === place && isMeant(step));
      if (index < 0) continue;
      if (parts.length > 1) this.#next.set(controller, index === steps.length - 1 ? (at + 1) % parts.length : at);
      return steps[index];
    }
    return undefined;
  }

  #placesOf(controller: string): readonly number[] {
    const { places } = this.end;
    return Object.hasOwn(places, controller) ? (places[controller] ?? []) : [];
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #stepsAt(place: number): Readonly<Record<string, readonly PlannedStep[]>> {
    const known = this.#read.get(place);
    if (known !== undefined) {
      this.#read.delete(place);
      this.#read.set(place, known);
      return known;
    }
    const [oldest] = this.#read.keys();
    if (this.#read.size >= MOST_READ && oldest !== undefined) this.#read.delete(oldest);
    const steps = decode(partAt(this.descriptor, this.sealer, place).text()) as unknown as Record<
      string,
      PlannedStep[]
    >;
    this.#read.set(place, steps);
    return steps;
  }
}

function headerOf(file: string, descriptor: number): { readonly header: PlanHeader; readonly head: string } {
  const buffer = Buffer.alloc(MAX_HEADER);
  const text = buffer.subarray(0, readSync(descriptor, buffer, 0, MAX_HEADER, 0)).toString('latin1');
  const [magic, line] = text.split('\n', 2);
  if (magic !== MAGIC || line === undefined)
    throw new PlanError(`${file} is no plan`, 'evenkeel plan … --out FILE makes one');
  const header = JSON.parse(line) as PlanHeader;
  if (header.format !== FORMAT)
    throw new PlanError(`${file} was made by another version of evenkeel (${header.version})`, 'make a new plan');
  return { header, head: `${MAGIC}\n${line}\n` };
}

interface Part {
  readonly number: number;
  readonly kind: number;
  readonly next: number;
  readonly text: () => string;
}

function partAt(descriptor: number, sealer: Sealer, place: number): Part {
  const size = exactly(descriptor, LENGTH_BYTES, place).readUInt32BE();
  const from = place + LENGTH_BYTES;
  if (from + size > fstatSync(descriptor).size) throw new Error('the plan is cut off');
  const opened = sealer.openBytes(exactly(descriptor, size, from));
  return {
    number: opened.readUInt32BE(),
    kind: opened.readUInt8(4),
    next: from + size,
    text: () => inflateSync(opened.subarray(PREFIX_BYTES)).toString(),
  };
}

function exactly(descriptor: number, length: number, place: number): Buffer {
  const buffer = Buffer.alloc(length);
  if (readSync(descriptor, buffer, 0, length, place) !== length) throw new Error('the plan is cut off');
  return buffer;
}
