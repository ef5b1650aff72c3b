import { expect } from 'chai';
import { RETRY } from '../../../src/controller/exchange/policy.js';
import { RequestGates } from '../../../src/controller/pace/request_gate.js';
import { NEVER_REST } from '../../../src/core/model/run/session.js';
import { settingsOf } from '../../rig/controllers.js';

const url = 'https://lb1.example.test';

/** A large run would otherwise keep a gate for each controller until its end. */
describe('gates of requests, after the last connection to a controller was closed', () => {
  const gates = (): RequestGates => {
    const { signal } = new AbortController();
    return new RequestGates(RETRY, { stopping: signal, abort: signal });
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
      asked = all.to(settings()).use(NEVER_REST, () => {
        begin();
        return new Promise((resolve) => (answer = resolve));
      });
    });
    expect(isKept(all)).to.equal(true);
    answer();
    await asked;
  });
});
