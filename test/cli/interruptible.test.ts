import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { interruptible, type Interrupts } from '../../src/cli/signals.js';
import { EXIT } from '../../src/core/model/exit_code.js';

class Ended extends Error {
  constructor(readonly code: number) {
    super(`ended with ${code}`);
  }
}

interface Watched {
  readonly interrupts: Interrupts;
  /** Sends a signal; returns the exit code if it ended the process. */
  readonly send: (signal: NodeJS.Signals) => number | undefined;
  /** The signals that have a listener. */
  readonly handled: () => readonly string[];
  readonly state: () => readonly [drain: boolean, abort: boolean];
}

/** A process that only has signals. */
function watched({ pid = 2, hasTerminal = false } = {}): Watched {
  const target = Object.assign(new EventEmitter(), { pid });
  let isSending = false;
  const end = (code: number): void => {
    // An aborted process would end some seconds later, which is after the test.
    if (isSending) throw new Ended(code);
  };
  const interrupts = interruptible(target as unknown as NodeJS.Process, end as (code: number) => never, hasTerminal);
  return {
    interrupts,
    send: (signal) => {
      isSending = true;
      try {
        target.emit(signal);
        return undefined;
      } catch (error) {
        if (error instanceof Ended) return error.code;
        throw error;
      } finally {
        isSending = false;
      }
    },
    handled: () => ['SIGINT', 'SIGTERM', 'SIGHUP'].filter((name) => target.listenerCount(name) > 0),
    state: () => [interrupts.drain.aborted, interrupts.abort.aborted],
  };
}

const [BOTH, HANG_UP] = [['SIGINT', 'SIGTERM', 'SIGHUP'], ['SIGHUP']];

describe('the signals of a process', () => {
  it('are left to the system until a command takes over, except where it would ignore them', () => {
    expect(watched().handled()).to.deep.equal(HANG_UP);
    expect(watched({ hasTerminal: true }).handled()).to.deep.equal(['SIGTERM', 'SIGHUP']);
    expect(watched({ hasTerminal: true }).send('SIGTERM')).to.equal(EXIT.terminated);
    const first = watched({ pid: 1 });
    expect(first.handled()).to.deep.equal(BOTH);
    expect([first.send('SIGINT'), first.send('SIGTERM')]).to.deep.equal([EXIT.interrupted, EXIT.terminated]);
  });

  it('drain, then abort, then end at once', () => {
    for (const pid of [1, 2]) {
      const { interrupts, send, state } = watched({ pid });
      interrupts.takeOver();
      interrupts.takeOver();
      expect([send('SIGINT'), ...state()]).to.deep.equal([undefined, true, false]);
      expect([send('SIGINT'), ...state()]).to.deep.equal([undefined, true, true]);
      expect(send('SIGINT')).to.equal(EXIT.interrupted);
      expect(interrupts.exitCode(EXIT.interrupted, false)).to.equal(EXIT.interrupted);
    }
  });

  it('count as one if SIGTERM comes twice at once, to the process and to its group', () => {
    const { interrupts, send, state } = watched({ hasTerminal: true });
    interrupts.takeOver();
    expect([send('SIGTERM'), send('SIGTERM'), ...state()]).to.deep.equal([undefined, undefined, true, false]);
    expect([send('SIGINT'), ...state()]).to.deep.equal([undefined, true, true]);
    expect(send('SIGINT')).to.equal(EXIT.terminated);
  });

  it('decide about the exit code', () => {
    const codes = (interrupts: Interrupts, isLost = false): readonly number[] =>
      [EXIT.ok, EXIT.failed, EXIT.interrupted].map((code) => interrupts.exitCode(code, isLost));
    const none = watched();
    expect(codes(none.interrupts)).to.deep.equal([EXIT.ok, EXIT.failed, EXIT.interrupted]);
    expect(codes(none.interrupts, true)).to.deep.equal([EXIT.ok, EXIT.failed, EXIT.terminated]);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
      const { interrupts, send } = watched();
      interrupts.takeOver();
      send(signal);
      expect(codes(interrupts), signal).to.deep.equal([EXIT.ok, EXIT.failed, EXIT.terminated]);
    }
  });

  it('of a lost terminal drain, again and again, and abort nothing', async () => {
    const { interrupts, send, state } = watched();
    interrupts.takeOver();
    const before = interrupts.hungUp();
    expect([send('SIGHUP'), send('SIGHUP'), ...state()]).to.deep.equal([undefined, undefined, true, false]);
    await Promise.all([before, interrupts.hungUp()]);
    expect([send('SIGTERM'), ...state()]).to.deep.equal([undefined, true, true]);
    expect(send('SIGINT')).to.equal(EXIT.terminated);
  });

  it('belong to a question while it is asked', () => {
    const { interrupts, handled, send, state } = watched({ hasTerminal: true });
    const letGo = interrupts.duringQuestion();
    expect(handled()).to.deep.equal(BOTH);
    letGo();
    expect(handled()).to.deep.equal(['SIGTERM', 'SIGHUP']);
    expect([send('SIGTERM'), ...state()]).to.deep.equal([EXIT.terminated, false, false]);
    const again = interrupts.duringQuestion();
    expect([send('SIGINT'), ...state()]).to.deep.equal([undefined, true, false]);
    again();
    expect([send('SIGINT'), ...state()]).to.deep.equal([undefined, true, true]);
  });

  it('stay with a command that took over when its question ends', () => {
    const { interrupts, send, state } = watched();
    interrupts.takeOver();
    interrupts.duringQuestion()();
    expect([send('SIGINT'), ...state()]).to.deep.equal([undefined, true, false]);
  });

  it('are left to a program that has the terminal, but for SIGTERM', () => {
    for (const isTakenOver of [false, true]) {
      const { interrupts, handled, send, state } = watched({ pid: 1 });
      if (isTakenOver) interrupts.takeOver();
      const takeBack = interrupts.lendTerminal();
      expect(handled()).to.deep.equal(BOTH);
      expect([send('SIGINT'), ...state()]).to.deep.equal([undefined, false, false]);
      takeBack();
      expect([send('SIGINT'), ...state()]).to.deep.equal([undefined, true, false]);
      interrupts.lendTerminal();
      expect([send('SIGINT'), ...state()]).to.deep.equal([undefined, true, false]);
      expect([send('SIGTERM'), ...state()]).to.deep.equal([undefined, true, true]);
    }
  });

  it('have no listener in the end', () => {
    for (const given of [{ pid: 1 }, { hasTerminal: true }, {}]) {
      for (const before of ['takeOver', 'duringQuestion', 'exitCode'] as const) {
        const { interrupts, handled } = watched(given);
        if (before !== 'exitCode') interrupts[before]();
        interrupts.dispose();
        expect(handled(), before).to.deep.equal([]);
      }
    }
  });
});
