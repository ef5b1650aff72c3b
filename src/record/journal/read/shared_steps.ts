import type { StepRef } from '../../../core/model/run/journal.js';

/** The steps that one controller does for its batch, and that another one began before the interrupt. */
export class SharedSteps {
  /** The one that began it, by the controller that is the first now, and by the step. */
  readonly #doers = new Map<string, string>();

  share(ref: StepRef, members: readonly string[], hasBegun: (ref: StepRef) => boolean): void {
    const doer = members.find((controller) => hasBegun({ ...ref, controller }));
    if (doer !== undefined) this.#doers.set(sharedKey(ref), doer);
  }

  /** The step of the controller whose records count. */
  begun(ref: StepRef): StepRef {
    return this.#doers.size === 0 ? ref : { ...ref, controller: this.#doers.get(sharedKey(ref)) ?? ref.controller };
  }
}

function sharedKey({ controller, key = '' }: StepRef): string {
  return `${controller} ${stepOfKey(key)}`;
}

/** A step, or an item of its loop (`…#…`), by what it is. */
export function stepOfKey(key: string): string {
  return key.split('#', 1)[0] ?? key;
}
