import type { Include, Included } from '../../core/model/playbook/step.js';
import { LoadError } from '../../core/model/source/diagnostic.js';
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
