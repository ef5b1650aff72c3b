import { expect } from 'chai';
import { callBreakably, SideThread, WaitInterrupted } from '../../../src/core/programs/side_thread.js';

/** A thread that answers a job by this code. */
function thread(answer: string, startUp?: number): SideThread {
  const code = `
    import { threadId, workerData } from 'node:worker_threads';
    const { port, flags, more } = workerData;
    ${startUp === undefined ? 'Atomics.store(flags, 2, 1);' : ''}
    port.on('message', (job) => {
      ${answer}
      Atomics.store(flags, 0, 1);
      Atomics.notify(flags, 0);
    });`;
  return new SideThread(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { more: 'data' }, startUp);
}

/** What is thrown, and how often Ctrl-C was noticed. */
function interrupted(work: () => unknown): readonly [thrown: unknown, times: number] {
  const others = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  let times = 0;
  const count = (): void => void (times += 1);
  process.on('SIGINT', count);
  try {
    return [work(), times];
  } catch (error) {
    return [error, times];
  } finally {
    process.removeListener('SIGINT', count);
    for (const one of others) process.on('SIGINT', one);
  }
}

describe('a thread that templates wait for', () => {
  it('does one job after another, also after one that took long', () => {
    const slow = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.wait);';
    const own = thread(`${slow} port.postMessage([job.n * 2, more, threadId]);`);
    const [first, second] = [own.answer({ n: 1, wait: 30 }), own.answer({ n: 2, wait: 0 })];
    const id = Array.isArray(first) ? Number(first[2]) : 0;
    expect([first, second, id > 0]).to.deep.equal([[2, 'data', id], [4, 'data', id], true]);
  });

  it('is given up if it does not start in time, and another one may start', () => {
    const own = thread('return;', 20);
    for (const n of [1, 2])
      expect(() => own.answer({ n })).to.throw(Error, /^the system starts no thread for it within 0.02 s$/);
  });

  it('is ended by Ctrl-C, which counts as usual, and the next job gets another thread', () => {
    const own = thread(`
      if (job.n === 1) { process.kill(process.pid, 'SIGINT'); for (;;); }
      port.postMessage(threadId);`);
    const first = own.answer({ n: 0 });
    const [thrown, times] = interrupted(() => own.answer({ n: 1 }));
    expect(thrown).to.be.instanceOf(WaitInterrupted).with.property('message', 'it was interrupted');
    expect(times).to.equal(1);
    expect(own.answer({ n: 2 }))
      .to.be.a('number')
      .that.is.not.equal(first);
  });
});

describe('code that might not return', () => {
  it('gives its result or its error', () => {
    const wrong = new RangeError('wrong');
    expect([callBreakably(() => 5), callBreakably(() => callBreakably(() => 'inner'))]).to.deep.equal([5, 'inner']);
    const fail = (): never => {
      throw wrong;
    };
    expect(() => callBreakably(fail)).to.throw(wrong);
  });

  it('is ended by Ctrl-C, which counts as usual', () => {
    const [thrown, times] = interrupted(() =>
      callBreakably(() => {
        process.kill(process.pid, 'SIGINT');
        for (;;);
      }),
    );
    expect(thrown).to.be.instanceOf(WaitInterrupted).with.property('message', 'it was interrupted');
    expect(times).to.equal(1);
  });

  it('runs without the listeners of the signals that end the process at once, which are back afterwards', () => {
    const [one, two] = [() => undefined, () => undefined];
    process.on('SIGTERM', one).on('SIGTERM', two).on('SIGHUP', two);
    const listening = () => [process.listeners('SIGTERM'), process.listeners('SIGHUP')];
    const before = listening();
    try {
      expect(callBreakably(listening)).to.deep.equal([[], []]);
      expect(listening()).to.deep.equal(before);
      const fail = (): never => {
        throw new Error('x');
      };
      expect(() => callBreakably(fail)).to.throw('x');
      expect(listening()).to.deep.equal(before);
    } finally {
      process.removeListener('SIGTERM', one).removeListener('SIGTERM', two).removeListener('SIGHUP', two);
    }
  });
});
