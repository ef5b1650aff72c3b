import type { JsMsg } from '@nats-io/jetstream';
import type { Buckets } from '../broker/storage.js';
import type { Link } from '../broker/link.js';
import type { Identity } from '../channel/sealing.js';
import type { Taken } from '../protocol/messages.js';
import type { Questions } from './questions.js';
import { WorkerRun, type Work } from './worker_run.js';

interface Surroundings {
  readonly link: Link;
  readonly buckets: Buckets;
  readonly identity: Identity;
  readonly questions: Questions;
  readonly report: (line: string) => void;
}

/** The runs of which the worker has taken walks. */
export class WorkerRuns {
  readonly #runs = new Map<string, WorkerRun>();
  /** Broadcasts of runs that have not begun on this worker. */
  #early: { readonly session: string; readonly message: JsMsg }[] = [];

  constructor(private readonly around: Surroundings) {}

  /** The run of a walk, begun if it is the first walk. A restarted coordinator begins the run again. */
  async begin(run: string, taken: Taken, work: Work): Promise<WorkerRun> {
    const known = this.#runs.get(run);
    if (known?.taken.session === taken.session && !known.isEnding) return known;
    if (known !== undefined) await this.#end(known, 'its coordinator was started again');
    if (this.#runs.has(run)) return this.begin(run, taken, work);
    const { identity, buckets, link, report } = this.around;
    const begun = new WorkerRun(run, taken, identity.openKey(taken.key), buckets, work, link, report);
    this.#runs.set(run, begun);
    for (const { session, message } of this.#early) if (session === taken.session) begun.receive(message);
    this.#early = this.#early.filter(({ session }) => session !== taken.session);
    begun.ready.catch(() => this.#runs.delete(run));
    return begun;
  }

  /** Handles a broadcast of a coordinator. */
  receive(run: string, session: string, message: JsMsg): void {
    const known = this.#runs.get(run);
    if (known?.taken.session !== session) this.#early.push({ session, message });
    else if (known.receive(message)) void this.#end(known, 'the run is over');
  }

  /** Ends runs whose coordinator stays away. */
  async watch(graceMs: number): Promise<void> {
    const { questions } = this.around;
    for (const run of [...this.#runs.values()]) {
      const isPresent = await questions.isThere(run.coordinator).catch(() => undefined);
      if (run.isAbandoned(isPresent, graceMs)) void this.#end(run, 'its coordinator is gone');
    }
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.end('the worker ends')));
  }

  async #end(run: WorkerRun, reason: string): Promise<void> {
    await run.end(reason);
    if (this.#runs.get(run.run) === run) this.#runs.delete(run.run);
  }
}
