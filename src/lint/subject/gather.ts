import type { Play } from '../../core/model/playbook/playbook.js';
import type { Handler, Include, Included, Step } from '../../core/model/playbook/step.js';
import { stepsOf } from '../../core/model/playbook/steps.js';
import { LoadError } from '../../core/model/source/diagnostic.js';
import { isMapping } from '../../core/model/values/value.js';
import { needsRendering } from '../../language/static.js';
import type { PlacedStep, PlaySubject } from './subject.js';

interface Gathered {
  readonly plays: readonly PlaySubject[];
  /** Whether every include could be followed. */
  readonly complete: boolean;
}

/** Follows the includes of plays as far as possible before a run. */
export async function gather(plays: readonly Play[]): Promise<Gathered> {
  const gathered: PlaySubject[] = [];
  let complete = true;
  for (const play of plays) {
    const walk = new Walk();
    gathered.push(await walk.play(play));
    complete &&= walk.complete;
  }
  return { plays: gathered, complete };
}

/** Through one play. */
class Walk {
  complete = true;
  readonly #steps: PlacedStep[] = [];
  readonly #handlers: PlacedStep<Handler>[] = [];
  /** A file that is included twice is visited once, which also ends a circle of includes. */
  readonly #seen = new Set<string>();

  async play(play: Play): Promise<PlaySubject> {
    await this.#walk(stepsOf(play), []);
    await this.#handlersOf([...new Set(play.handlers)]);
    return { play, steps: this.#steps, handlers: this.#handlers };
  }

  async #walk(steps: readonly Step[], around: readonly Step[], handler = false): Promise<void> {
    for (const [index, step] of steps.entries()) {
      this.#steps.push({ step, before: steps[index - 1], around, handler });
      await this.#inside(step, [...around, step], handler);
    }
  }

  async #inside(step: Step, around: readonly Step[], handler: boolean): Promise<void> {
    switch (step.type) {
      case 'block':
        for (const steps of [step.steps, step.rescue, step.always]) await this.#walk(steps, around, handler);
        break;
      case 'role':
        await this.#walk(step.steps, around, handler);
        break;
      case 'include':
        await this.#include(step, around, handler);
        break;
      case 'task':
      case 'meta':
        break;
      default:
        step satisfies never;
    }
  }

  async #handlersOf(handlers: readonly Handler[]): Promise<void> {
    for (const step of handlers) {
      this.#handlers.push({ step, before: undefined, around: [], handler: true });
      if (step.type === 'include') await this.#include(step, [step], true);
    }
  }

  async #include(step: Include, around: readonly Step[], handler: boolean): Promise<void> {
    const included = await this.#read(step);
    if (included === undefined || this.#seen.has(keyOf(included))) return;
    this.#seen.add(keyOf(included));
    await this.#walk(included.steps, around, handler);
    await this.#handlersOf(included.handlers);
  }

  async #read({ args, read }: Include): Promise<Included | undefined> {
    if (isMapping(args) && !needsRendering(args)) {
      try {
        return await read(args);
      } catch (error) {
        // The loader has reported it.
        if (!(error instanceof LoadError)) throw error;
      }
    }
    this.complete = false;
    return undefined;
  }
}

/** Equal for the same steps, regardless of where they are included. */
function keyOf({ title, steps }: Included): string {
  const [first] = steps;
  return `${title} ${first?.source.file ?? ''}`;
}
