import type { JournalRecord } from '../../../model/run/journal.js';
import type { Past } from '../../../model/run/past.js';
import type { Assignment } from '../../../model/run/worker_transport.js';
import type { Value } from '../../../model/values/value.js';
import type { StepEnd } from '../../batch/batch_state.js';
import type { ControllerState } from '../../controllers/controller_state.js';
import type { RunState } from '../../context/run_context.js';
import { newRunState } from '../../play/new_run.js';
import { FollowedPlan } from '../../resource/followed_plan.js';
import type { PlayContext } from '../../walk/play_context.js';
import type { Barrier } from '../../batch/strategy.js';
import { walkThrough } from '../../walk/walk_through.js';
import { HostedGuide, hostedMaker, type PlanOfRun } from './hosted_plan.js';
import { type HostedInput, HostedPlays, type MakePlay } from './hosted_plays.js';
import { ChangesByOthers } from './changes_by_others.js';
import { HostKnowledge } from './host_knowledge.js';
import { Link } from './link.js';
import { fromText, type WorkerNotice } from '../messages.js';
import type { News, WalkOrder } from '../walk_order.js';
import { isSame } from '../known.js';
import { remoteBarrier } from './remote_barrier.js';
import { RemoteBatch } from './remote_batch.js';
import { RunningWalks } from './running_walks.js';
import { runOfWalk } from './walk_run.js';

/** A run as a worker has loaded it, without the parts that only the coordinator has. */
export type HostedRun = Omit<HostedInput, 'stops'> & {
  /** Gives the same digests as the coordinator's journal. */
  readonly digest: (value: Value) => string;
  /** The earlier work that these records describe. */
  readonly pastOf: (records: readonly JournalRecord[]) => Past;
  readonly make: MakePlay;
  /** The plan that the run makes or applies. Absent: none. */
  readonly plan?: PlanOfRun | undefined;
  /** Number of leading secrets that are not sent to the coordinator: the vault passwords. */
  readonly keptSecrets?: number;
  /** Aborted when several controllers in a row refused the same credentials. */
  readonly credentialsRefused: AbortSignal;
  /** Aborted when the coordinator stops the run. */
  readonly stops: { readonly drain: AbortController; readonly abort: AbortController };
  readonly close: () => Promise<void>;
};

/** The coordinator's run, repeated in a worker for the walks that it takes. */
export class WalkHost {
  readonly #input: HostedInput;
  readonly #state: RunState;
  readonly #plays: HostedPlays;
  readonly walks = new RunningWalks();
  /** Earlier work, by controller. */
  readonly #pasts = new Map<string, Past>();
  /** Resolves when the last walk of a controller in this process is over. */
  readonly #ends = new Map<string, Promise<void>>();
  readonly #refused = new AbortController();
  readonly #broken = new AbortController();
  readonly #known: HostKnowledge;
  readonly #guide: HostedGuide | undefined;

  constructor(private readonly hosted: HostedRun) {
    const { credentialsRefused, plan } = hosted;
    if (plan?.type === 'follow')
      this.#guide = new HostedGuide(plan.digest, async (controller) => {
        return (await this.walks.linkTo(controller).call({ type: 'begin plan' })) ?? undefined;
      });
    this.#input = {
      ...hosted,
      stops: {
        signal: hosted.stops.drain.signal,
        abort: hosted.stops.abort.signal,
        credentialsRefused: AbortSignal.any([credentialsRefused, this.#refused.signal]),
      },
    };
    const followed =
      this.#guide &&
      new FollowedPlan(
        this.#guide,
        hosted.sources.catalogue,
        {
          before: (target, _, controller) => this.walks.linkTo(controller).call({ type: 'writes before', target }),
          since: (controller, ...asked) => this.#pasts.get(controller)?.writtenTo(...asked) ?? [],
        },
        hosted.identity.id,
      );
    followed?.progress.onProgress((controller, progress) => {
      this.walks.find(controller)?.tell({ type: 'plan progress', progress });
    });
    const digest = plan?.digest ?? ((value: Value) => hosted.digest(value));
    this.#state = newRunState(this.#input, { digest, broken: this.#broken.signal, followed });
    const { fleet, start } = this.#state;
    this.walks.watch(fleet);
    this.#plays = new HostedPlays(this.#input, start, hosted.make);
    this.#known = new HostKnowledge(fleet, hosted.sources.secrets, hosted.keptSecrets);
    credentialsRefused.addEventListener('abort', () => {
      for (const link of this.walks.links) link.tell({ type: 'credentials refused' });
    });
  }

  /** Carries out a walk, and reports to the coordinator. Rejects if it cannot be carried out. */
  async walk(assignment: Omit<Assignment, 'run'>): Promise<void> {
    const order = fromText.order(assignment.text);
    const { controller } = order;
    const before = this.#ends.get(controller);
    // At once: newer news may arrive while the walk waits.
    const news = this.#known.apply(order.news, (name) => this.walks.isWalking(name));
    news.catch(() => undefined);
    const end = (async () => {
      // An earlier walk of this controller that moved to another worker may still have a write in flight. This walk
      // must see its result.
      await before?.catch(() => undefined);
      await this.#carryOut(order, assignment, news);
    })();
    this.#ends.set(controller, end);
    try {
      await end;
    } finally {
      if (this.#ends.get(controller) === end) this.#ends.delete(controller);
    }
  }

  async #carryOut(order: WalkOrder, assignment: Omit<Assignment, 'run'>, news: Promise<void>): Promise<void> {
    const { controller } = order;
    const link = new Link(assignment, () => this.#newSecrets());
    const changesByOthers = new ChangesByOthers(order.before);
    const batch = new RemoteBatch(link, order.batch, changesByOthers);
    link.listen({
      news: (news) => this.#applyNews(news),
      message: (message) => {
        if (message.type === 'batch end') batch.update(message.end);
        else changesByOthers.receive(message);
      },
    });
    assignment.revoked.addEventListener('abort', () => {
      this.#known.secrets.reportAgain();
    });
    this.walks.begin(controller, { link, changesByOthers });
    try {
      await this.#known.begin(order, news);
      this.#beginPlanned(order);
      const context = await this.#contextOf(order, { link, batch, revoked: assignment.revoked });
      const state = context.run.fleet.find(controller);
      if (state !== undefined) changesByOthers.begin(state);
      const before = state?.known;
      const end =
        state === undefined
          ? 'completed'
          : await this.#walk(context, state, remoteBarrier(link, order.batch.lockstep, assignment.place));
      changesByOthers.end();
      const known = state === undefined || isSame(before, state.known) ? undefined : this.#known.of(state);
      link.tell({
        type: 'ended',
        end: { end, started: state?.started ?? false, known, seenChanges: changesByOthers.seenCount },
      });
      link.flush();
    } finally {
      link.close();
      this.walks.end(controller);
      await this.#forget(order);
    }
  }

  async #applyNews(news: News): Promise<void> {
    for (const progress of news.planProgress ?? []) this.#state.followed?.progress.learn(progress);
    await this.#known.apply(news, (name) => this.walks.isWalking(name));
  }

  #beginPlanned({ controller, planned, news }: WalkOrder): void {
    const { followed } = this.#state;
    for (const progress of news.planProgress ?? []) followed?.progress.learn(progress);
    if (planned === undefined) return;
    this.#guide?.know(controller, planned.steps);
    followed?.progress.learnState(controller, planned.state);
  }

  async #forget({ controller, options: { neededLater, shares } }: WalkOrder): Promise<void> {
    this.#pasts.delete(controller);
    this.#guide?.forget(controller);
    const { sessions, fleet } = this.#state;
    if (!neededLater || sessions.size > this.#input.settings.forks) await sessions.close(controller);
    if (!shares) fleet.forget(controller);
  }

  onBroadcast(text: string): void {
    const { why } = fromText.broadcast(text);
    const { drain, abort } = this.hosted.stops;
    const stops = {
      interrupted: drain,
      'given up': abort,
      'credentials refused': this.#refused,
      'journal broken': this.#broken,
    };
    stops[why].abort();
  }

  async close(): Promise<void> {
    await this.#state.sessions.closeAll();
    await this.hosted.close();
  }

  async #walk(context: PlayContext, state: ControllerState, barrier: Barrier): Promise<StepEnd> {
    if (!barrier.lockstep) await barrier.fork.begin();
    return walkThrough(context, state, barrier);
  }

  async #contextOf(
    order: WalkOrder,
    { link, batch, revoked }: { readonly link: Link; readonly batch: RemoteBatch; readonly revoked: AbortSignal },
  ): Promise<PlayContext> {
    const { controller, before, options } = order;
    const { usesOtherControllers } = await this.#plays.batch(order, link);
    if (before.past.length > 0) this.#pasts.set(controller, this.hosted.pastOf(before.past));
    const past = this.#pasts.get(controller);
    const { plan } = this.hosted;
    const own = this.#guide ?? (plan && hostedMaker(link, plan.digest));
    const run = runOfWalk(
      { state: this.#state, input: this.#input, digest: this.hosted.digest, broken: this.#broken.signal },
      { link, past, usesOtherControllers, options, known: this.#known, plan: own, revoked },
    );
    return this.#plays.contextOf({ order, link, batch, run });
  }

  #newSecrets(): readonly WorkerNotice[] {
    const texts = this.#known.secrets.take();
    return texts.length === 0 ? [] : [{ type: 'secrets', texts }];
  }
}
