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
  walk(assignment: Omit<Assignment, 'run'>): Promise<void>;
  onBroadcast(text: string): void;
  close(): Promise<void>;
}

/** Carries out what the coordinator hands over; resolves when the run is over. */
export function serveLocal(parent: ParentProcess, begin: (description: string) => Promise<WorkOnRun>): Promise<void> {
  /** What listens to the coordinator, by walk. */
  const walks = new Map<string, ((text: string) => void)[]>();
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
          for (const listen of walks.get(message.walk) ?? []) listen(message.text);
          return;
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
      const listeners: ((text: string) => void)[] = [];
      walks.set(walk, listeners);
      const post = (said: string): void => {
        parent.send({ type: 'text', walk, text: said });
      };
      try {
        await (
          await work
        )?.walk({
          text,
          post,
          // A pipe loses nothing before one of its ends does.
          postDurably: (said) => {
            post(said);
            return Promise.resolve();
          },
          stillHeld: () => Promise.resolve(),
          onMessage: (listen) => listeners.push(listen),
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
