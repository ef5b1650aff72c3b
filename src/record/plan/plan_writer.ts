import { rmSync } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { whyFailed, whyUnreadable, whyUnwritable } from '../../core/files/paths.js';
import { acceptDraft, draftName, linkedFile, readBeginning } from '../../core/files/replace_file.js';
import { PLAN_MAGIC, type PlannedStep } from '../../core/model/run/plan.js';
import { appendTo } from '../../core/model/values/groups.js';
import { jsonText } from '../../core/model/values/value.js';
import { encode } from '../../core/model/values/value_codec.js';
import { keyName, type Sealer } from '../journal/format/project_key.js';
import {
  FORMAT,
  headDigest,
  KIND,
  partBytes,
  PlanError,
  planSealer,
  type PlanEnd,
  type PlanHeader,
  type PlanInputs,
  type PlanSummary,
} from './sealed_parts.js';

/**
 * Characters of JSON in one part with steps: large enough to compress well, small enough to be read for one controller.
 */
const PART_LENGTH = 64 * 1024;
/** Steps that are kept in memory before they are written: to write more at once would delay controllers. */
const MOST_BUFFERED = 500;

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
    const head = `${PLAN_MAGIC}\n${jsonText(header)}\n`;
    await requireReplaceable(file);
    let writer: PlanWriter | undefined;
    try {
      const linked = await linkedFile(file);
      // Another run may be writing, or may have been killed.
      const fresh = draftName(linked);
      const handle = await open(fresh, 'wx', 0o600);
      writer = new PlanWriter(linked, fresh, handle, planSealer(key, about.id), head);
      await handle.writeFile(head);
      return writer;
    } catch (error) {
      await writer?.discard();
      throw new PlanError(`cannot write the plan ${file}: ${whyUnwritable(error)}`);
    }
  }

  /** A keyed digest: equal for equal values, and meaningless without the key. */
  get digest(): Sealer['digest'] {
    return (value) => this.sealer.digest(value);
  }

  keep(controller: string, step: PlannedStep): void {
    appendTo(this.#buffered, controller, step);
    this.#steps.add(step.place);
    if (++this.#bufferedSteps >= MOST_BUFFERED) this.#flush();
  }

  /** @throws PlanError if not all of it could be written */
  async finish(inputs: PlanInputs, summary: PlanSummary): Promise<void> {
    try {
      this.#flush();
      this.#part(KIND.inputs, encode(inputs));
      const header = headDigest(this.head);
      this.#part(
        KIND.end,
        jsonText({
          header,
          places: Object.fromEntries(this.#places),
          steps: [...this.#steps],
          ...summary,
        } satisfies PlanEnd),
      );
      await this.#writing;
      await this.handle.sync();
      await this.handle.close();
      await acceptDraft(this.fresh, this.file);
    } catch (error) {
      await this.discard();
      throw new PlanError(`cannot write the plan ${this.file}: ${whyFailed(error)}`);
    }
  }

  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await unlink(this.fresh).catch(() => undefined);
  }

  /** Before the process exits in the middle of its work. */
  discardAtOnce(): void {
    rmSync(this.fresh, { force: true });
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
      appendTo(this.#places, controller, this.#length);
      length += encode(steps).length;
      if (length >= PART_LENGTH) end();
    }
    end();
    this.#buffered.clear();
    this.#bufferedSteps = 0;
  }

  #part(kind: number, text: string): void {
    const bytes = partBytes(this.sealer, this.#parts++, kind, text);
    this.#length += bytes.length;
    // `write` would take only a part where the disk becomes full, and report no error.
    this.#writing = this.#writing.then(() => this.handle.writeFile(bytes));
    // The error is reported when the plan is finished.
    this.#writing.catch(() => undefined);
  }
}

/**
 * A mistake such as `--out site.yml` must not overwrite a playbook.
 *
 * @throws PlanError if there is something that is neither a plan nor empty
 */
async function requireReplaceable(file: string): Promise<void> {
  const there = await readBeginning(file, PLAN_MAGIC.length + 1).catch((error: unknown) => {
    throw new PlanError(`cannot write the plan ${file}: ${whyUnreadable(error)}`);
  });
  if (there !== undefined && there.length > 0 && !there.equals(Buffer.from(`${PLAN_MAGIC}\n`)))
    throw new PlanError(`${file} exists and is not a plan, so it is not overwritten`, 'name another file with --out');
}
