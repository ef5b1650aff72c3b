import { EXIT } from '../model/exit_code.js';

export interface Interrupts {
  readonly drain: AbortSignal;
  readonly abort: AbortSignal;
  /** 143 instead of 130 when the run was ended by SIGTERM. */
  exitCode(code: number): number;
  dispose(): void;
}

/**
 * Ctrl-C once: nothing new starts. Twice: requests are given up. Three times: the process ends at once.
 * SIGTERM and SIGHUP count as the first.
 */
export function interruptible(target: NodeJS.Process, end: () => never): Interrupts {
  const drain = new AbortController();
  const abort = new AbortController();
  let terminated = false;

  const onInterrupt = (): void => {
    if (!drain.signal.aborted) drain.abort();
    else if (!abort.signal.aborted) abort.abort();
    else end();
  };
  const onTerminate = (): void => {
    terminated = true;
    drain.abort();
  };

  target.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate).on('SIGHUP', onTerminate);
  return {
    drain: drain.signal,
    abort: abort.signal,
    exitCode: (code) => (terminated && code === EXIT.interrupted ? EXIT.terminated : code),
    dispose: () => {
      target.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate).off('SIGHUP', onTerminate);
    },
  };
}
