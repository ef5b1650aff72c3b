import { EXIT } from '../core/model/exit_code.js';

export interface Interrupts {
  readonly drain: AbortSignal;
  readonly abort: AbortSignal;
  /** From now on, SIGINT and SIGTERM abort these two. Before, they end the process at once, even while it computes. */
  readonly takeOver: () => void;
  /** The same until the returned function is called, which changes nothing after an interrupt. */
  readonly duringQuestion: () => () => void;
  /** Ctrl-C does nothing until the returned function is called: another program has the terminal. */
  readonly lendTerminal: () => () => void;
  /** 143 instead of 130 if SIGTERM ended the command, or a closed terminal, whose SIGHUP may come later. */
  exitCode(code: number, isTerminalLost: boolean): number;
  /** Resolves with the SIGHUP of a lost terminal, which would end the process with another exit code if it came later. */
  hungUp(): Promise<void>;
  dispose(): void;
}

/** Milliseconds that a command has to end after the second signal. */
const LAST = 4000;
/** Milliseconds. The system sends SIGHUP with the loss of the terminal, but not to a job in the background. */
const HANG_UP = 200;
/** Milliseconds. `timeout` and others send a signal to the process, and then to its group. */
const SAME_SIGNAL = 200;

/**
 * Ctrl-C once: nothing new starts. Twice: requests are aborted, and the process ends in a few seconds. Three times: it
 * ends at once. SIGTERM counts as Ctrl-C, SIGHUP as the first.
 */
export function interruptible(target: NodeJS.Process, end: (code: number) => never, hasTerminal = false): Interrupts {
  const drain = new AbortController();
  const abort = new AbortController();
  let terminated = false;
  let isHungUp = false;
  let isLent = false;
  let lastTermination = -Infinity;

  const endNow = (): never => end(terminated ? EXIT.terminated : EXIT.interrupted);
  const onInterrupt = (): void => {
    if (!drain.signal.aborted) drain.abort();
    else if (!abort.signal.aborted) {
      abort.abort();
      setTimeout(endNow, LAST).unref();
    } else endNow();
  };
  const onCtrlC = (): void => {
    if (!isLent) onInterrupt();
  };
  const onTerminate = (): void => {
    terminated = true;
    const now = performance.now();
    const isSame = now - lastTermination < SAME_SIGNAL;
    lastTermination = now;
    if (!isSame) onInterrupt();
  };
  const onHangUp = (): void => {
    isHungUp = true;
    terminated = true;
    drain.abort();
  };
  const endInterrupted = (): never => end(EXIT.interrupted);
  const endTerminated = (): never => end(EXIT.terminated);
  const letGo = (): void => {
    target.off('SIGINT', endInterrupted).off('SIGTERM', endTerminated);
  };
  const hold = (): void => {
    // The first process of a container: the system ignores signals that it does not handle.
    if (target.pid === 1) target.on('SIGINT', endInterrupted);
    // Without a listener, Node resets the terminals at once, and aborts if one is gone.
    if (target.pid === 1 || hasTerminal) target.on('SIGTERM', endTerminated);
  };

  const takeOver = (): void => {
    target.on('SIGINT', onCtrlC).on('SIGTERM', onTerminate);
  };
  const isTakenOver = (): boolean => target.listeners('SIGTERM').includes(onTerminate);

  const takeOverOnce = (): void => {
    if (!isTakenOver()) takeOver();
    letGo();
  };

  target.on('SIGHUP', onHangUp);
  hold();
  return {
    drain: drain.signal,
    abort: abort.signal,
    takeOver: takeOverOnce,
    lendTerminal: () => {
      takeOverOnce();
      isLent = true;
      return () => {
        isLent = false;
      };
    },
    duringQuestion: () => {
      if (isTakenOver()) return () => undefined;
      takeOver();
      letGo();
      return () => {
        if (drain.signal.aborted) return;
        target.off('SIGINT', onCtrlC).off('SIGTERM', onTerminate);
        hold();
      };
    },
    exitCode: (code, isTerminalLost) =>
      (terminated || isTerminalLost) && code === EXIT.interrupted ? EXIT.terminated : code,
    hungUp: () =>
      new Promise((resolve) => {
        const last = setTimeout(resolve, isHungUp ? 0 : HANG_UP);
        target.once('SIGHUP', () => {
          clearTimeout(last);
          resolve();
        });
      }),
    dispose: () => {
      letGo();
      target.off('SIGINT', onCtrlC).off('SIGTERM', onTerminate).off('SIGHUP', onHangUp);
    },
  };
}
