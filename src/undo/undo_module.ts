import * as Type from 'typebox';
import type { Static } from 'typebox';
import type { Scope } from '../core/model/run/reference.js';
import { scopeOfObject } from '../module/comparison/scope.js';
import { defineResource, type Module, type Reader } from '../module/contract.js';
import { planUndo, type Observed } from './plan_undo.js';
import { NewUuids } from './renewal.js';
import type { Undo } from './undo.js';

/** The name of the module in the generated playbook. No other playbook can use it. */
export const UNDO_MODULE = 'rollback';

const args = Type.Object({ undo: Type.String() });

type Args = Static<typeof args>;

interface Seen {
  /** Returns the undo with references to the current objects. */
  readonly undo: Undo;
  readonly observed: Observed;
}

/**
 * Restores one object to its state before a run. Like any resource, the engine reads, compares, writes and verifies it.
 * The data does not pass through arguments, because before-images may contain text that looks like a template.
 * @param undos by the text that a task uses for them
 */
export function undoModule(undos: ReadonlyMap<string, Undo>, allowLockout: boolean): Module {
  const parseUndo = ({ undo }: Args): Undo => {
    const found = undos.get(undo);
    if (found === undefined) throw new Error(`there is nothing to restore under "${undo}"`);
    return found;
  };
  const newUuids = new NewUuids();
  return defineResource({
    name: UNDO_MODULE,
    summary: 'restores what a run changed',
    args,
    examples: [],
    object: (given: Args) => parseUndo(given).object,
    read: async (given: Args, reader: Reader): Promise<Seen> => {
      const undo = await newUuids.current(parseUndo(given), reader);
      const observed = await observe(undo, reader);
      if (observed?.status === 'found') newUuids.note(undo, observed.object);
      return { undo, observed };
    },
    plan: (_given: Args, { undo, observed }: Seen) => planUndo(undo, observed, allowLockout),
    apply: async (_given: Args, { change }, { undo: { path, member } }: Seen, writer) => {
      if (change.kind === 'create' && member !== undefined) {
        const scope = scopeOfObject(member.collection, change.after);
        await writer.create(member.collection, member.name, change.after, scope);
      }
      if (change.kind === 'update') await writer.replace(path, change.after);
    },
  });
}

/** The cloud in which the run left the object. */
function undoScope({ left, before }: Undo, collection: string): Scope | undefined {
  const [last] = left;
  return scopeOfObject(collection, last?.object ?? before);
}

/** An object that must not be written need not be read. */
async function observe(undo: Undo, reader: Reader): Promise<Observed> {
  const { refusal, member, path } = undo;
  if (refusal !== undefined) return undefined;
  if (member === undefined) return reader.single(path);
  const object = await reader.find(member.collection, member.name, undoScope(undo, member.collection));
  return object === undefined ? undefined : { status: 'found', object };
}
