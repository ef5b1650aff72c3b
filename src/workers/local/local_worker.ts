import { errorMessage } from '../../model/error_message.js';
import type { Assignment } from '../../model/run/worker_transport.js';
import type { FromProcess, ToProcess } from './messages.js';

/** The channel to the process that started this one. */
export interface ParentProcess {
  send(message: FromProcess): void;
  on(event: 'message', listen: (message: ToProcess) => void): unknown;
  on(event: 'disconnect', listen: () => void): unknown;
}

/** What a worker does for a run. */
export interface WorkOnRun {
  walk(assignment: Assignment): Promise<void>;
  onBroadcast(text: string): void;
  close(): Promise<void>;
}

interface Walking {
  readonly listeners: ((text: string) => void)[];
  /** What was posted durably, by its number. */
  readonly kept: Map<number, { readonly resolve: () => void; readonly reject: (error: Error) => void }>;
}

/** Carries out what the coordinator hands over; resolves when the run is over. */
export function serveLocal(parent: ParentProcess, begin: (description: string) => Promise<WorkOnRun>): Promise<void> {
  const walks = new Map<string, Walking>();
  let work: Promise<WorkOnRun> | undefined;
  return new Promise((resolve) => {
    parent.on('message', (message) => {
      switch (message.type) {
        case 'run': {
          work = begin(message.description);
          void work.then(
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
          for (const listen of walks.get(message.walk)?.listeners ?? []) listen(message.text);
          return;
        case 'kept': {
          const { walk, count, problem } = message;
          const waiting = walks.get(walk)?.kept.get(count);
          walks.get(walk)?.kept.delete(count);
          if (problem === undefined) waiting?.resolve();
          else waiting?.reject(new Error(problem));
          return;
        }
        case 'broadcast':
          void work?.then((one) => {
            one.onBroadcast(message.text);
          });
          return;
        case 'end':
          void work?.then((one) => one.close()).finally(resolve);
          return;
        default:
          message satisfies never;
      }
    });

    async function carryOut({ walk, text }: Extract<ToProcess, { type: 'walk' }>): Promise<void> {
      const walking: Walking = { listeners: [], kept: new Map() };
      walks.set(walk, walking);
      let count = 0;
      await (
        await work
      )?.walk({
        text,
        post: (said) => {
          parent.send({ type: 'text', walk, text: said });
        },
        postDurably: (said) =>
          new Promise((kept, reject) => {
            count += 1;
            walking.kept.set(count, { resolve: kept, reject });
            parent.send({ type: 'text', walk, text: said, count });
          }),
        onMessage: (listen) => walking.listeners.push(listen),
        revoked: new AbortController().signal,
      });
      walks.delete(walk);
      parent.send({ type: 'ended', walk });
    }
  });
}
