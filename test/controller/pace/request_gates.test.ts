import { expect } from 'chai';
import { RETRY } from '../../../src/controller/exchange/policy.js';
import { RequestGates } from '../../../src/controller/pace/request_gate.js';
import { WAIT_WITHOUT_FORKS, type WaitWithoutFork } from '../../../src/core/model/run/session.js';
import { settingsOf } from '../../rig/controllers.js';

const url = 'https://lb1.example.test';

/** A large run would otherwise keep a gate for each controller until its end. */
describe('gates of requests, after the last connection to a controller was closed', () => {
  const gates = (): RequestGates => {
    const { signal } = new AbortController();
    return new RequestGates(RETRY, { drain: signal, abort: signal });
  };
  const settings = (overrides = {}) => settingsOf(url, '', overrides);
  const isKept = (all: RequestGates, overrides = {}): boolean => {
    const gate = all.to(settings(overrides));
    all.release(url);
    return all.to(settings(overrides)) === gate;
  };

  it('are dropped', () => {
    expect(isKept(gates())).to.equal(false);
  });

  it('are kept if the controller asked for a pause', () => {
    const all = gates();
    const answer = { status: 429, text: '', retryAfter: '1', contentType: undefined, location: undefined };
    expect(all.to(settings()).noteAnswer(answer, performance.now())).to.be.above(0);
    expect(isKept(all)).to.equal(true);
  });

  it('are kept if a rate limits them', () => {
    expect(isKept(gates(), { requestsPerSecond: 5 })).to.equal(true);
  });

  it('are kept if names for the controller have different limits', () => {
    const all = gates();
    all.to(settings({ maxRequests: 1 }));
    expect(isKept(all, { maxRequests: 2 })).to.equal(true);
  });

  it('are kept while a request is on its way', async () => {
    const all = gates();
    let answer: () => void = () => undefined;
    let asked: Promise<void> = Promise.resolve();
    await new Promise<void>((begin) => {
      asked = all.to(settings()).use(WAIT_WITHOUT_FORKS, () => {
        begin();
        return new Promise((resolve) => (answer = resolve));
      });
    });
    expect(isKept(all)).to.equal(true);
    answer();
    await asked;
  });
});

describe('an answer of a controller that wants fewer requests', () => {
  const opened = (drain = new AbortController()) => {
    const signals = { drain: drain.signal, abort: new AbortController().signal };
    return new RequestGates(RETRY, signals).to(settingsOf(url, ''));
  };
  const answered = (status: number, retryAfter?: string) => {
    return { status, text: '', retryAfter, contentType: undefined, location: undefined };
  };

  it('is one that says so, or is temporary and asks for time', () => {
    for (const [status, retryAfter, expected] of [
      [200, undefined, undefined],
      [200, '9', undefined],
      [500, '9', undefined],
      [502, undefined, undefined],
      [502, '9', 9],
      [504, '9', 9],
      [408, '9', 9],
      [429, '9', 9],
      [503, '9', 9],
    ] as const)
      expect(opened().noteAnswer(answered(status, retryAfter), performance.now()), `${status}`).to.equal(expected);
    for (const status of [429, 503])
      expect(opened().noteAnswer(answered(status), performance.now()), `${status}`).to.be.within(0.25, 0.5);
  });

  it('is not waited for longer than the deadline, and a request is not sent then', async () => {
    const gate = opened();
    expect(gate.pauseEndsInTime).to.equal(true);
    gate.noteAnswer(answered(429, '59'), performance.now());
    expect(gate.pauseEndsInTime).to.equal(true);
    gate.noteAnswer(answered(429, '3600'), performance.now() + 1);
    expect([gate.pauseEndsInTime, gate.hasNoState]).to.deep.equal([false, false]);
    const [result] = await Promise.allSettled([gate.use(WAIT_WITHOUT_FORKS, () => Promise.resolve('sent'))]);
    expect(result).to.have.property('status', 'rejected');
    expect(result).to.have.property('reason').that.includes({
      type: 'throttled',
      message: 'not sent: the controller answered 429 before and asks to wait another 3600 s',
      hint: 'run again when that time is over',
    });
  });
});

describe('the turns at one controller', () => {
  it('are followed by a pause that began while the request waited for its turn', async () => {
    const drain = new AbortController();
    const signals = { drain: drain.signal, abort: AbortSignal.abort() };
    const gate = new RequestGates(RETRY, signals).to(settingsOf(url, '', { requestsPerSecond: 5 }));
    const busy = { status: 429, text: '', retryAfter: '9', contentType: undefined, location: undefined };
    const seen: string[] = [];
    await gate.use(WAIT_WITHOUT_FORKS, () => Promise.resolve(seen.push('first')));
    const wait: WaitWithoutFork = (awaited) => {
      if (seen.push('waits') === 2) gate.noteAnswer(busy, performance.now());
      else drain.abort();
      return awaited();
    };
    await gate.use(wait, () => Promise.resolve(seen.push('second')));
    expect(seen).to.deep.equal(['first', 'waits', 'waits', 'second']);
    expect(gate.askedMs).to.be.within(1, 9000);
  });

  /** Each request begins in its turn, and ends when the test says so. */
  const requests = (maxRequests: number) => {
    const { signal } = new AbortController();
    const gate = new RequestGates(RETRY, { drain: signal, abort: signal }).to(settingsOf(url, '', { maxRequests }));
    const events: string[] = [];
    const answers = new Map<string, (error?: Error) => void>();
    const ask = (name: string): void => {
      const work = async () => {
        events.push(`${name} begins`);
        const error = await new Promise<Error | undefined>((resolve) => answers.set(name, resolve));
        if (error !== undefined) throw error;
      };
      gate.use(WAIT_WITHOUT_FORKS, work).then(
        () => events.push(`${name} ends`),
        () => events.push(`${name} fails`),
      );
    };
    /** What happened since the last look. */
    const look = async (): Promise<string[]> => {
      await new Promise((resolve) => setImmediate(resolve));
      return events.splice(0);
    };
    return { gate, ask, look, answer: (name: string, error?: Error) => answers.get(name)?.(error) };
  };

  it('come in order, as many at a time as the limit says, and none is lost to a failure', async () => {
    const { gate, ask, look, answer } = requests(2);
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name);
    expect(await look()).to.deep.equal(['a begins', 'b begins']);
    answer('b');
    expect((await look()).toSorted()).to.deep.equal(['b ends', 'c begins']);
    answer('a', new Error('refused'));
    expect((await look()).toSorted()).to.deep.equal(['a fails', 'd begins']);
    answer('c');
    expect((await look()).toSorted()).to.deep.equal(['c ends', 'e begins']);
    answer('d');
    expect(await look()).to.deep.equal(['d ends']);
    ask('f');
    expect(await look()).to.deep.equal(['f begins']);
    expect(gate.hasNoState).to.equal(false);
    answer('e');
    answer('f');
    expect(await look()).to.deep.equal(['e ends', 'f ends']);
    expect(gate.hasNoState).to.equal(true);
  });

  it('are fewer once another name of the controller has a stricter limit, and never more again', async () => {
    const { gate, ask, look, answer } = requests(2);
    for (const name of ['a', 'b', 'c']) ask(name);
    gate.restrict(settingsOf(url, '', { maxRequests: 1 }));
    gate.restrict(settingsOf(url, '', { maxRequests: 3 }));
    expect(await look()).to.deep.equal(['a begins', 'b begins']);
    answer('a');
    expect(await look()).to.deep.equal(['a ends']);
    answer('b');
    expect((await look()).toSorted()).to.deep.equal(['b ends', 'c begins']);
    ask('d');
    expect(await look()).to.deep.equal([]);
    answer('c');
    expect((await look()).toSorted()).to.deep.equal(['c ends', 'd begins']);
    answer('d');
    expect(await look()).to.deep.equal(['d ends']);
  });
});
