import { tasksIn } from '../../core/model/playbook/playbook.js';
import type { Handler, Include, Included, Step, Task } from '../../core/model/playbook/step.js';
import { LoadError, placeText } from '../../core/model/source/diagnostic.js';
import { isMapping } from '../../core/model/values/value.js';
import { needsRendering } from '../../language/render.js';

/** Tasks, also those of included files. `isUnknown`: the file of the include is chosen during the run. */
export async function* callsAhead(
  steps: readonly (Step | Handler)[],
  seen = new Set<string>(),
): AsyncGenerator<{ readonly call: Task | Include; readonly isUnknown: boolean }, void, undefined> {
  for (const call of tasksIn(steps)) {
    const ahead = call.type === 'include' ? await readAhead(call) : undefined;
    yield { call, isUnknown: ahead?.type === 'unknown' };
    if (ahead?.type !== 'read') continue;
    // A file may include itself. What an include at one place names depends on the role or play that imports it.
    const key = `${placeText(call.source)} ${includedKey(ahead.included)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    yield* callsAhead([...ahead.included.steps, ...ahead.included.handlers], seen);
  }
}

/** Equal for the same steps, regardless of where they are included. */
export function includedKey({ title, steps }: Included): string {
  return `${title} ${steps[0]?.source.file ?? ''}`;
}

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
