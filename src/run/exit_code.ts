import type { RunFinished } from '../model/event.js';
import type { Stats } from '../model/result.js';

export type Ending = Pick<RunFinished, 'status' | 'exitCode'>;

/** What a run comes to: 130 interrupted, 2 a controller failed, 4 one was unreachable and none failed, 0 all is well. */
export function endingOf(stats: Readonly<Record<string, Stats>>, interrupted: boolean): Ending {
  if (interrupted) return { status: 'interrupted', exitCode: 130 };
  const recap = Object.values(stats);
  if (recap.some(({ failed }) => failed > 0)) return { status: 'failed', exitCode: 2 };
  if (recap.some(({ unreachable }) => unreachable > 0)) return { status: 'unreachable', exitCode: 4 };
  return { status: 'ok', exitCode: 0 };
}
