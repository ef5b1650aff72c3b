import { ControllerError } from '../../controller/exchange/call.js';
import { mayStillApply } from '../../controller/exchange/policy.js';
import type { Journal, StepRef, WriteFinished, WriteIntended } from '../../core/model/run/journal.js';
import type { Scope } from '../../core/model/run/reference.js';
import type { Change } from '../../core/model/run/result.js';
import { isRead } from '../../core/model/run/session.js';
import { errorMessage } from '../../core/model/source/diagnostic.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { Plan, RawAnswer, Writer } from '../../module/contract.js';
import { TaskProblem } from '../keywords/failed_result.js';
import { requireBody } from '../keywords/plain_data.js';

/** The data that all writes of one attempt of a task share. */
export type WriteContext = Pick<
  WriteIntended,
  'target' | 'reached' | 'tenant' | 'connection' | 'play' | 'task' | 'module' | 'source' | 'hidden'
>;

/** A write that is about to be sent. */
export type Intent = Omit<WriteIntended, 'type' | 'write' | keyof StepRef | keyof WriteContext>;

type LastWrite = Pick<WriteIntended, 'write' | 'path' | 'name' | 'change'>;

/** The object of a write, as the controller showed it; undefined if it was not read. */
type ObjectAt = (written: Pick<Intent, 'path' | 'name'>) => Mapping | undefined;

/** Records the writes of a task before they are sent, and their outcomes. */
export class WriteRecorder {
  #last: LastWrite | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly ref: StepRef,
    private readonly about: WriteContext,
    /** Receives what becomes of each write. An unknown outcome may be known later. */
    private readonly onFinished: (change: Change, outcome: WriteEnd) => void,
  ) {}

  /**
   * Records the intent, then sends it.
   * @param judge absent: every answer means that the write was applied
   * @throws TaskProblem if the intent cannot be recorded; then nothing was sent
   */
  async write<Answer>(
    intent: Intent,
    send: () => Promise<Answer>,
    judge: (answer: Answer) => Pick<WriteFinished, 'outcome' | 'answered' | 'answer'> = () => ({ outcome: 'applied' }),
  ): Promise<Answer> {
    const write = await this.#intend(intent);
    const { path, name, change } = intent;
    const last = { write, path, name, change };
    this.#last = last;
    try {
      const answer = await send();
      this.#finish(last, judge(answer));
      return answer;
    } catch (error) {
      this.#finish(last, endOfError(error, intent.method));
      throw error;
    }
  }

  /** Continues with a write from before the interrupt, which is verified next. */
  continueWrite({ write, path, name, change }: LastWrite): void {
    this.#last = { write, path, name, change };
  }

  /** Records that the last write took effect. */
  confirm(): void {
    if (this.#last !== undefined) this.#finish(this.#last, { outcome: 'applied' });
  }

  /** @param objectAt the object of the last write as the controller shows it now; undefined if it was not read */
  verified(objectAt: ObjectAt): void {
    const { controller } = this.ref;
    const { hidden } = this.about;
    const seen = this.#last && objectAt(this.#last);
    if (this.#last === undefined || seen === undefined) return;
    const { write } = this.#last;
    this.journal.record({ type: 'write-verified', write, controller, seen, ...(hidden && { hidden }) });
  }

  #finish({ write, change }: LastWrite, end: Pick<WriteFinished, 'outcome' | 'answered' | 'answer'>): void {
    this.onFinished(change, end.outcome);
    this.journal.record({ type: 'write-finished', write, controller: this.ref.controller, ...end });
  }

  async #intend(intent: Intent): Promise<number> {
    try {
      // A literal that begins with a spread is a copy for V8, and each field that is added to a copy costs it a microsecond.
      return await this.journal.intend({ type: 'write-intended', ...this.ref, ...this.about, ...intent });
    } catch (error) {
      const hint = 'free disk space, or restore the state folder, then resume the run';
      throw new TaskProblem(errorMessage(error), undefined, hint);
    }
  }
}

/** What a module decided to write, and what it had read. */
interface Deciding {
  /** For messages. */
  readonly object: string;
  readonly plan: Plan;
  readonly observation: { readonly objectAt: ObjectAt };
}

/**
 * The writer that carries out a plan, and records its writes. The before-image is what the controller showed, and the
 * after-image what is sent, because modules prepare their own versions for users.
 */
export function recordingWriter(recorder: WriteRecorder, writer: Writer, deciding: Deciding): Writer {
  const { object, plan, observation } = deciding;
  const about = { object, ...(plan.uncomparable === true && { uncomparable: true }) };
  const { before: planned } = plan.change.kind === 'none' ? { before: null } : plan.change;
  return {
    create: async (path: string, name: string, body: Mapping, scope?: Scope) => {
      requireUnplannedBody(plan, body);
      const change = likePlanned(plan, { kind: 'create', object, before: null, after: body });
      return recorder.write(
        { method: 'POST', path, name, body, change, ...about },
        () => writer.create(path, name, body, scope),
        (end) => ({ outcome: end === 'adopted' ? 'refused' : 'applied' }),
      );
    },
    replace: async (path: string, body: Mapping) => {
      requireUnplannedBody(plan, body);
      const before = observation.objectAt({ path }) ?? planned;
      const change = likePlanned(plan, { kind: 'update', object, before, after: body });
      return recorder.write({ method: 'PUT', path, body, change, ...about }, () => writer.replace(path, body));
    },
    remove: (path: string) => {
      const before = observation.objectAt({ path }) ?? planned ?? {};
      const change = likePlanned(plan, { kind: 'delete', object, before, after: null });
      return recorder.write({ method: 'DELETE', path, body: null, change, ...about }, () => writer.remove(path));
    },
  };
}

/** A body that is not the planned one: that was checked when it was planned. */
function requireUnplannedBody({ change }: Plan, body: Mapping): void {
  if (change.kind === 'none' || change.after !== body) requireBody(body);
}

/** The planned change itself if the write is just that: its text is made once for the journal and the events. */
function likePlanned({ change }: Plan, written: Extract<Change, { kind: 'create' | 'update' | 'delete' }>): Change {
  if (change.kind !== written.kind) return written;
  return change.before === written.before && change.after === written.after ? change : written;
}

type WriteEnd = WriteFinished['outcome'];

export function endOfError(error: unknown, method: string): Pick<WriteFinished, 'outcome' | 'answered'> {
  const outcome = outcomeOfError(error, method);
  if (!(error instanceof ControllerError) || error.method !== method || error.status === undefined) return { outcome };
  // An invalid answer is uncertain by itself; after another one, an earlier attempt may be under way.
  const isOver = error.status < 400 || !error.uncertain;
  return isOver ? endOfAnswer(outcome, error.status) : { outcome };
}

/** Whether a write whose outcome is unknown can still take effect. */
export function endOfAnswer(outcome: WriteEnd, status: number): Pick<WriteFinished, 'outcome' | 'answered'> {
  return outcome === 'unknown' && status !== 503 && !mayStillApply({ status })
    ? { outcome, answered: true }
    : { outcome };
}

/** The outcome of a write that ended with an error: `unknown` unless the error proves that nothing changed. */
export function outcomeOfError(error: unknown, method: string): WriteEnd {
  // Thrown before anything was sent: the time limit was over, or the connection settings are invalid.
  if (error instanceof TaskProblem) return 'refused';
  if (!(error instanceof ControllerError)) return 'unknown';
  const { status, uncertain } = error;
  // The outcome of a create is determined by reading; the error of a read says nothing about the write before it.
  if (uncertain || error.method !== method) return 'unknown';
  if (status === undefined) return 'refused';
  return status < 400 ? 'unknown' : outcomeOfStatus(status);
}

/** Whether the error proves that its write changed nothing. */
export function wasRefused(error: unknown): boolean {
  if (!(error instanceof ControllerError)) return error instanceof TaskProblem;
  return !isRead(error.method) && outcomeOfError(error, error.method) === 'refused';
}

/** The outcome of a raw write. */
export function outcomeOfAnswer({ status, denied, uncertain }: RawAnswer): WriteEnd {
  // An error inside of a successful answer does not say whether the request had an effect, nor does the refusal of a repeated one.
  return denied === true || (uncertain === true && status >= 400) ? 'unknown' : outcomeOfStatus(status);
}

/** The outcome of a write whose answer was read. */
function outcomeOfStatus(status: number): WriteEnd {
  if (status < 400) return 'applied';
  return status < 500 && status !== 408 ? 'refused' : 'unknown';
}
