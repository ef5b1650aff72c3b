import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Milliseconds. */
const BEAT = 500;
const WATCH = 2000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const LET_END = Symbol.for('evenkeel.letSignalsEnd');

/**
 * Watches the event loop from a thread. If nothing moves it, an inspector session calls into the busy one: that works in the middle of
 * any code.
 */
const THREAD = `
const { workerData: beats } = require('node:worker_threads');
const { Session } = require('node:inspector');
let seen = -1;
setInterval(() => {
  const now = Atomics.load(beats, 0);
  if (now !== seen) return (seen = now);
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: 'globalThis[Symbol.for("evenkeel.letSignalsEnd")]()' }, () => session.disconnect());
}, ${WATCH});`;

/**
 * Code of the project may compute for ever. Listeners of signals are called between turns of the event loop, so they would wait for ever,
 * too: while it is blocked, signals end the process at once, as they do without listeners.
 */
export function endWhileBlocked(target: NodeJS.Process): void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), BEAT).unref();
  let isLetting = false;
  const letSignalsEnd = (): void => {
    if (isLetting) return;
    isLetting = true;
    const held = SIGNALS.map((signal) => [signal, target.listeners(signal)] as const);
    for (const signal of SIGNALS) target.removeAllListeners(signal);
    setImmediate(() => {
      for (const [signal, listeners] of held) for (const one of listeners) target.on(signal, one);
      isLetting = false;
    });
    try {
      writeSync(2, '\nevenkeel: code of the project computes without a pause; Ctrl-C now ends the process at once\n');
    } catch {
      // A pipe that is closed or full.
    }
  };
  Object.defineProperty(globalThis, LET_END, { value: letSignalsEnd, configurable: true });
  const worker = new Worker(THREAD, { eval: true, workerData: beats, execArgv: [] });
  // Without it, such code is ended with SIGKILL.
  worker.on('error', () => undefined).unref();
}
