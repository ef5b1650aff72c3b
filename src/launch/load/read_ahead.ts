import { tasksIn } from '../../core/model/playbook/playbook.js';
import type { Include, Included, Handler, Step, Task } from '../../core/model/playbook/step.js';
import { LoadError, placeText } from '../../core/model/source/diagnostic.js';
import { isMapping } from '../../core/model/values/value.js';
import { needsRendering } from '../../language/render.js';

/** What is known about an include before the run. */
export type ReadAhead =
  | { readonly type: 'read'; readonly included: Included }
  /** A template chooses the file or role. */
  | { readonly type: 'unknown' }
  /** It cannot be read: the run reports the reason, and runs none of its tasks. */
  | { readonly type: 'wrong' };

export async function readAhead({ args, read }: Include): Promise<ReadAhead> {
  if (!isMapping(args) || needsRendering(args)) return { type: 'unknown' };
  try {
    return { type: 'read', included: await read(args) };
  } catch (error) {
    if (error instanceof LoadError) return { type: 'wrong' };
    throw error;
  }
}

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
