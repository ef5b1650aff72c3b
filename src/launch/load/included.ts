import { tasksIn } from '../../core/model/playbook/playbook.js';
import type { Handler, Include, Included, Step, Task } from '../../core/model/playbook/step.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import { type ReadAhead, readAhead } from './read_ahead.js';

/** Tasks, also those of included files. `isUnknown`: the file of the include is chosen during the run. */
export async function* callsAhead(
  steps: readonly (Step | Handler)[],
  reader = new AheadReader(),
  around: readonly string[] = [],
): AsyncGenerator<{ readonly call: Task | Include; readonly isUnknown: boolean }, void, undefined> {
  for (const call of tasksIn(steps)) {
    const ahead = call.type === 'include' ? await reader.read(call, around) : undefined;
    yield { call, isUnknown: ahead?.type === 'unknown' };
    if (ahead?.type !== 'read') continue;
    yield* callsAhead([...ahead.included.steps, ...ahead.included.handlers], reader, ahead.inside);
  }
}

/** More take too long: each file that includes another one twice doubles the number. */
const MOST_READ = 10_000;

/**
 * Reads each include, because what it names depends on what is around it. Of a file inside of itself, reads what is included at one place
 * once.
 */
export class AheadReader {
  readonly #known = new Set<Included>();
  readonly #repeated = new Set<string>();

  constructor(private readonly most = MOST_READ) {}

  /** @param around what it is in: `inside` of the include around it */
  async read(include: Include, around: readonly string[]): Promise<Followed> {
    const place = `${placeText(include.source)} ${around.at(-1) ?? ''}`;
    if (this.#repeated.has(place)) return { type: 'known' };
    if (this.#known.size >= this.most) return { type: 'unknown' };
    const ahead = await readAhead(include);
    if (ahead.type !== 'read') return ahead;
    const { included } = ahead;
    const inside = [...around, included.key];
    if (new Set(inside).size < inside.length) this.#repeated.add(place);
    else if (this.#known.has(included)) return { type: 'known' };
    else this.#known.add(included);
    return { ...ahead, inside };
  }
}

type Followed =
  | (Extract<ReadAhead, { type: 'read' }> & { readonly inside: readonly string[] })
  | Exclude<ReadAhead, { type: 'read' }>
  /** It was read before. */
  | { readonly type: 'known' };
