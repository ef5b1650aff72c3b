import type { WriteFinished, WriteIntended } from '../../../model/run/journal.js';
import type { Past, WrittenPath } from '../../../model/run/past.js';
import { isMapping, type Mapping } from '../../../model/values/value.js';

/** Writes of the run to paths that their controllers cannot show. A worker only knows its own writes. */
export class HiddenWrites {
  readonly #sent = new Map<string, WriteIntended>();
  readonly #last = new Map<string, Mapping>();

  constructor(private readonly past: Pick<Past, 'written'> | undefined) {}

  intended(intent: WriteIntended): void {
    if (intent.uncomparable === true) this.#sent.set(idOf(intent), intent);
  }

  finished(finished: WriteFinished): void {
    const id = idOf(finished);
    const intent = this.#sent.get(id);
    this.#sent.delete(id);
    if (intent === undefined || finished.outcome !== 'applied' || !isMapping(intent.body)) return;
    this.#last.set(keyOf({ ...intent, connection: intent.connection?.id }), intent.body);
  }

  /** The last write to the path; undefined if the run has not written there. */
  at(path: WrittenPath): Mapping | undefined {
    return this.#last.get(keyOf(path)) ?? this.past?.written(path);
  }
}

/** Includes the controller, because without a journal each walk numbers its writes separately. */
function idOf({ controller, write }: Pick<WriteIntended, 'controller' | 'write'>): string {
  return `${write} ${controller}`;
}

function keyOf({ target, path, tenant, connection }: WrittenPath): string {
  return JSON.stringify([target, path, tenant ?? null, connection ?? null]);
}
