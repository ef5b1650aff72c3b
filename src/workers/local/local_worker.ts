import { errorMessage } from '../../model/error_message.js';
import type { Assignment } from '../../model/run/worker_transport.js';
import type { FromProcess, ToProcess } from './messages.js';

/** The channel to the process that started this one. */
export interface ParentProcess {
  send(message: FromProcess): void;
  on(event: 'message', listen: (message: ToProcess) => void): unknown;
  on(event: 'disconnect', listen: () => void): unknown;
}

/** The work of a worker for one run. */
export interface WorkOnRun {
  walk(assignment: Omit<Assignment, 'run'>): Promise<void>;
  onBroadcast(text: string): void;
  close(): Promise<void>;
}

/** Carries out walks for the coordinator. Resolves when the run is over. */
export function serveLocal(parent: ParentProcess, begin: (description: string) => Promise<WorkOnRun>): Promise<void> {
  const walks = new Map<string, Inbox>();
  let work: Promise<WorkOnRun> | undefined;
  return new Promise((resolve) => {
    parent.on('message', (message) => {
      switch (message.type) {
        case 'run': {
          work = begin(message.description);
          work.then(
            () => {
              parent.send({ type: 'ready' });
            },
            (error: unknown) => {
              parent.send({ type: 'failed', problem: errorMessage(error) });
            },
          );
          return;
        }
        case 'walk':
          void carryOut(message);
          return;
        case 'text':
          walks.get(message.walk)?.deliver(message.text);
          return;
        case 'broadcast':
          work?.then(
            (one) => {
              one.onBroadcast(message.text);
            },
            () => undefined,
          );
          return;
        case 'end':
          // If the run failed to start, there is nothing to close, and the coordinator has the error.
          Promise.resolve(work?.then((one) => one.close())).then(resolve, () => {
            resolve();
          });
          return;
        default:
          message satisfies never;
      }
    });

    async function carryOut({ walk, text }: Extract<ToProcess, { type: 'walk' }>): Promise<void> {
      const inbox = new Inbox();
      walks.set(walk, inbox);
      const post = (said: string): void => {
        parent.send({ type: 'text', walk, text: said });
      };
      try {
        await (
          await work
        )?.walk({
          text,
          post,
          // A pipe delivers everything while both processes live, so a normal post is durable.
          postDurably: (said) => {
            post(said);
            return Promise.resolve();
          },
          stillHeld: () => Promise.resolve(),
          onMessage: (listen) => {
            inbox.open(listen);
          },
          revoked: new AbortController().signal,
        });
        parent.send({ type: 'ended', walk });
      } catch (error) {
        parent.send({ type: 'broken', walk, problem: errorMessage(error) });
      }
      walks.delete(walk);
    }
  });
}

/** Messages of the coordinator for a walk, kept until the walk listens. */
class Inbox {
  #listen: ((text: string) => void) | undefined;
  readonly #early: string[] = [];

  deliver(text: string): void {
    if (this.#listen === undefined) this.#early.push(text);
    else this.#listen(text);
  }

  open(listen: (text: string) => void): void {
    this.#listen = listen;
    for (const text of this.#early.splice(0)) listen(text);
  }
}
