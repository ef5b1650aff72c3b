import type { Journal, WriteFinished, WriteIntended } from '../../../model/run/journal.js';
import type { Past, WrittenPath } from '../../../model/run/past.js';
import { isMapping, type Mapping } from '../../../model/values/value.js';
import type { PlayContext } from '../../walk/play_context.js';

/** Writes of the run to paths that their controllers cannot show. A process only knows its own writes. */
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

  /** The context of a walk in this process, whose writes are noted like those of workers, and which learns of theirs. */
  contextHere(context: PlayContext): PlayContext {
    const { input } = context.run;
    const { record } = input;
    if (record.journal === undefined) return context;
    const journal = this.#notingWritesOf(record.journal);
    const lastWritten = (at: WrittenPath): Promise<Mapping | undefined> => Promise.resolve(this.at(at));
    return { ...context, run: { ...context.run, input: { ...input, record: { ...record, journal, lastWritten } } } };
  }

  /** The last write to the path; undefined if the run has not written there. */
  at(path: WrittenPath): Mapping | undefined {
    return this.#last.get(keyOf(path)) ?? this.past?.written(path);
  }

  #notingWritesOf(journal: Journal): Journal {
    return {
      intend: async (intent) => {
        const write = await journal.intend(intent);
        this.intended({ ...intent, write });
        return write;
      },
      record: (record) => {
        if (record.type === 'write-finished') this.finished(record);
        journal.record(record);
      },
      broken: journal.broken,
      digest: (value) => journal.digest(value),
      store: journal.store,
      untilOnDisk: journal.untilOnDisk,
    };
  }
}

/** Includes the controller, because without a journal each walk numbers its writes separately. */
function idOf({ controller, write }: Pick<WriteIntended, 'controller' | 'write'>): string {
  return `${write} ${controller}`;
}

function keyOf({ target, path, tenant, connection }: WrittenPath): string {
  return JSON.stringify([target, path, tenant ?? null, connection ?? null]);
}
