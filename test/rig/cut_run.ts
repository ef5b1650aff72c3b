import type { Past } from '../../src/core/model/run/past.js';
import type { Secrets } from '../../src/core/secrets/secrets.js';
import type { JsonObject } from '../../src/simulator/protocol/exchange.js';
import { pastOf, Recorder, type Entry } from './recorder.js';
import { runText, type Ran, type TextOptions } from './run_text.js';
import type { Fleet } from './simulated.js';

/** The journal and the state of the controllers when a run was cut off. */
export interface Moment {
  readonly entries: readonly Entry[];
  /** Restores the state of the controllers. */
  readonly restore: () => void;
  /** The secrets of the run; default: none. */
  readonly secrets?: Secrets;
}

export interface KeptRun {
  readonly ran: Ran;
  readonly journal: Recorder;
  /** One after each entry. */
  readonly moments: readonly Moment[];
}

const NOBODY: Pick<Fleet, 'names' | 'controller'> = {
  names: [],
  controller: () => {
    throw new Error('there are no controllers');
  },
};

/** Runs a playbook to its end, and keeps every moment at which it might have been cut off. */
export async function keptRun(
  playbook: string,
  options: TextOptions = {},
  { names, controller }: Pick<Fleet, 'names' | 'controller'> = NOBODY,
  { entries: before, secrets }: Pick<Moment, 'entries' | 'secrets'> = { entries: [] },
): Promise<KeptRun> {
  const restores: (() => void)[] = [];
  const stateOf = (name: string): (() => void) => {
    const one = controller(name);
    const lists = COLLECTIONS.map((path): [string, readonly JsonObject[]] => [
      path,
      structuredClone(one.objects(path)),
    ]);
    const system: JsonObject = structuredClone(one.object(SYSTEM));
    return () => {
      for (const [path, objects] of lists) one.setObjects(path, structuredClone(objects));
      one.setObject(SYSTEM, structuredClone(system));
    };
  };
  const journal = new Recorder(before, () => {
    const states = names.map(stateOf);
    restores.push(() => {
      for (const restore of states) restore();
    });
  });
  const past: Past | undefined = before.length === 0 ? undefined : await pastOf(before, secrets);
  const { watch: given } = options;
  const ran = await runText(playbook, {
    ...options,
    journal,
    past,
    watch: (event) => {
      journal.watch(event);
      given?.(event);
    },
  });
  const moments = restores.map((restore, index) => ({
    entries: journal.entries.slice(0, before.length + index + 1),
    restore,
    secrets: ran.secrets,
  }));
  return { ran, journal, moments };
}

/** Resumes an interrupted run. */
export function goOn(
  playbook: string,
  moment: Moment,
  options: TextOptions = {},
  fleet?: Pick<Fleet, 'names' | 'controller'>,
): Promise<KeptRun> {
  moment.restore();
  return keptRun(playbook, options, fleet, moment);
}

/** The moment at which a run ended. */
export function asItWas({ journal: { entries }, ran: { secrets } }: KeptRun): Moment {
  return { entries, secrets, restore: () => undefined };
}

/** The moments at which a write has taken effect, but the run has no answer yet. */
export function unknownWrites(moments: readonly Moment[]): readonly Moment[] {
  return moments.flatMap((moment, index) => {
    const next = moments[index + 1];
    return next?.entries.at(-1)?.type === 'write-finished' ? [{ ...moment, restore: next.restore }] : [];
  });
}

/** The moment right after the first entry of which that is true. */
export function momentAfter({ moments }: KeptRun, isIt: (entry: Entry) => boolean): Moment {
  const moment = moments.find(({ entries }) => entries.slice(-1).some(isIt));
  if (moment === undefined) throw new Error('there is no such entry');
  return moment;
}

/** `step-settled` of that task on that controller; of a loop, of the item with that number. */
export function settledStep(controller: string, title: string, item?: number): (entry: Entry) => boolean {
  return (entry) =>
    entry.type === 'step-settled' && entry.controller === controller && entry.title === title && entry.item === item;
}

const COLLECTIONS = ['/api/cloud/', '/api/pool/'];
const SYSTEM = '/api/systemconfiguration';
