import type { Playbook } from '../../../model/playbook/playbook.js';
import type { Catalogue } from '../../../module/catalogue.js';
import type { RunContext } from '../../context/run_context.js';
import type { Target } from '../../input/target.js';
import { contextOfChecks } from '../../play/gate_round.js';
import { playSettings } from '../../play/play_settings.js';
import { contextOf, type PreparedPlay, preparePlay, type SharedByBatches } from '../../play/play_run.js';
import type { RunInput } from '../../input/run_input.js';
import { Start } from '../../keywords/selected_steps.js';
import type { Dispatcher, PlayContext } from '../../walk/play_context.js';
import { walkThrough } from '../../walk/walk_through.js';
import type { BatchFacts, WalkOrder } from '../walk_order.js';
import type { Link } from './link.js';
import type { RemoteBatch } from './remote_batch.js';

/**
 * Builds a play for one controller from the data of the coordinator. Returns it with the code that it calls.
 * @throws Error if this worker may not run it
 */
export type MakePlay = (
  controller: string,
  of: unknown,
) => Promise<{ readonly playbook: Playbook; readonly catalogue: Catalogue }>;

/** The run as a worker has loaded it: its coordinator has the records and the user. */
export type HostedInput = Omit<RunInput, 'record' | 'user'>;

/** A walk, and its view of the run. */
interface WalkToPrepare {
  readonly order: WalkOrder;
  readonly link: Link;
  readonly batch: RemoteBatch;
  readonly run: RunContext;
}

const IN_PROCESS: Dispatcher = { walk: walkThrough, close: () => Promise.resolve() };

/** The plays of a run, as a worker prepares them for its walks. */
export class HostedPlays {
  readonly #plays = new Map<number, Promise<PreparedPlay>>();
  readonly #batches = new LastAsked<string, BatchFacts>();
  readonly #targets = new LastAsked<number, readonly string[]>();

  constructor(
    readonly input: HostedInput,
    readonly start: Start,
    private readonly make: MakePlay,
  ) {}

  batch({ batch }: WalkOrder, link: Link): Promise<BatchFacts> {
    return this.#batches.ask(batch.id, () => link.call({ type: 'batch' }));
  }

  async contextOf({ order, link, batch, run }: WalkToPrepare): Promise<PlayContext> {
    const { controllers } = await this.batch(order, link);
    if (order.made !== undefined)
      return contextOf(await this.#made(order, order.made, run, controllers), controllers, batch);
    const shared = await this.#play(order.play);
    const targets = await this.#targets.ask(order.play, () => link.call({ type: 'targets' }));
    const context = contextOf({ ...shared, run, play: { ...shared.play, targets } }, controllers, batch);
    return order.part === 'play' ? context : contextOfChecks(context, shared.play.definition.gate?.checks ?? []);
  }

  /**
   * Options such as tags and --start-at-task do not apply to its tasks, and plans do not contain it. It has one batch.
   */
  async #made(
    { play: number, controller }: WalkOrder,
    { of, area }: NonNullable<WalkOrder['made']>,
    run: RunContext,
    controllers: readonly string[],
  ): Promise<SharedByBatches> {
    const { playbook, catalogue } = await this.make(controller, of);
    const [play] = playbook.plays;
    if (play === undefined) throw new Error('there is no play');
    const { sources, selection, record } = run.input;
    const input = {
      ...run.input,
      sources: { ...sources, catalogue },
      selection: { ...selection, tags: [], skipTags: [] },
      record: { ...record, plan: undefined },
    };
    const name = play.name ?? playbook.file;
    const rest = { pattern: name, serial: undefined, gate: undefined };
    const target = { number, playbook, play, name, controllers, area, ...rest };
    const own = { ...run, input, followed: undefined, start: new Start(undefined) };
    return { run: own, ...(await preparePlay(own, target, { forceHandlers: false }, IN_PROCESS)) };
  }

  /** Prepares plays in order, because --start-at-task applies to the first of them. */
  async #play(number: number): Promise<PreparedPlay> {
    const targets = this.input.selection.targets.filter((one) => one.number <= number);
    let last: PreparedPlay | undefined;
    for (const target of targets) last = await this.#prepared(target);
    if (last === undefined) throw new Error(`this worker has no play ${number + 1}`);
    return last;
  }

  #prepared(target: Target): Promise<PreparedPlay> {
    const known =
      this.#plays.get(target.number) ?? preparePlay(this, target, playSettings(this.input, target), IN_PROCESS);
    this.#plays.set(target.number, known);
    return known;
  }
}

/**
 * Caches an answer that walks of the same batch or play share. Keeps only the last one, because batches and plays run
 * one after the other.
 */
class LastAsked<Key, Answer> {
  #last: { readonly key: Key; readonly answer: Promise<Answer> } | undefined;

  /** Asks again if the first request failed, for example because its walk was lost. */
  async ask(key: Key, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.#last?.key === key ? await this.#last.answer.catch(() => undefined) : undefined;
    if (known !== undefined) return known;
    const answer = ask();
    this.#last = { key, answer };
    return answer;
  }
}
