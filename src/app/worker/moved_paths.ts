import { existsSync } from 'node:fs';
import type { Assignment } from '../../model/run/worker_transport.js';
import { changeTexts } from '../../model/values/value_codec.js';
import type { Relocation } from '../../workers/bundle/relocation.js';
import type { RollbackPart } from '../rollback/rollback_playbook.js';

/**
 * Absolute paths of the project, wherever they are, also after the `@` of an option. What did not travel may be on the worker's machine,
 * such as the certificate of an authority.
 *
 * @param value as JSON brings it
 */
export function movedPaths<T>(value: T, { there }: Pick<Relocation, 'there'>): T {
  const movedFile = (file: string): string => {
    const to = there(file);
    return to !== file && existsSync(to) ? to : file;
  };
  return changeTexts(value, (text) => {
    if (text.startsWith('@/')) return `@${movedFile(text.slice(1))}`;
    return text.startsWith('/') ? movedFile(text) : text;
  }) as T;
}

/** The walk names the files of the worker, and its coordinator names its own. */
export function relocated(assignment: Assignment, moved: Relocation): Assignment {
  const { run, text, revoked, place } = assignment;
  const { backInJson } = moved;
  return {
    ...{ run, revoked, place },
    text: moved.isNamedIn(text) ? JSON.stringify(movedOrder(JSON.parse(text) as SentOrder, moved)) : text,
    post: (said) => {
      assignment.post(backInJson(said));
    },
    postDurably: (said) => assignment.postDurably(backInJson(said)),
    stillHeld: () => assignment.stillHeld(),
    onMessage: (listen) => {
      assignment.onMessage((sent) => {
        listen(moved.isNamedIn(sent) ? JSON.stringify(movedPaths(JSON.parse(sent) as unknown, moved)) : sent);
      });
    },
  };
}

/** The same version of Evenkeel sends it. */
interface SentOrder {
  readonly made?: { readonly of: RollbackPart };
}

/** Objects are restored exactly as they were: of a rollback, only what leads to a controller can name files. */
function movedOrder({ made, ...order }: SentOrder, moved: Relocation): SentOrder {
  if (made === undefined) return movedPaths(order, moved);
  const undos = made.of.undos.map((undo) =>
    undo.connection === undefined ? undo : { ...undo, connection: movedPaths(undo.connection, moved) },
  );
  return { ...movedPaths(order, moved), made: { ...made, of: { ...made.of, undos } } };
}
