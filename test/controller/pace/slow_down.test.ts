import { expect } from 'chai';
import { SlowDown } from '../../../src/controller/pace/slow_down.js';

const SETTINGS = { maxRequests: 1, perSecond: Infinity };

describe('slowing down', () => {
  let slow: SlowDown;
  beforeEach(() => {
    slow = new SlowDown();
    // Each answer takes 100 ms, so ten a second are usual.
    slow.passed(100, 0);
  });

  const refuse = (now: number, sentAt = now, settings = SETTINGS): boolean =>
    slow.refused({ now, sentAt, pauseMs: 500, askedMs: 0, settings });

  it('does not slow down other controllers', () => {
    expect([slow.perSecond, slow.pauseMs(0)]).to.deep.equal([Infinity, 0]);
  });

  it('knows the usual rate by the average time of recent answers, else by that of the refusal', () => {
    slow.passed(1200, 1000);
    refuse(2000);
    expect(slow.perSecond).to.be.closeTo(1000 / 120 / 2, 1e-9);
    slow = new SlowDown();
    refuse(1050, 1000, { maxRequests: 2, perSecond: Infinity });
    expect([slow.perSecond, slow.pauseMs(9000), slow.askedMs(9000)]).to.deep.equal([20, 0, 0]);
    slow = new SlowDown();
    slow.passed(10, 10);
    refuse(1000);
    expect(slow.perSecond).to.equal(500);
  });

  it('sends nothing for a while, then half as often', () => {
    expect(refuse(1000)).to.equal(true);
    expect([slow.pauseMs(1000), slow.pauseMs(1200), slow.pauseMs(1600)]).to.deep.equal([500, 300, 0]);
    expect(slow.perSecond).to.equal(5);
  });

  it('counts simultaneous rejections as one, and extends the pause', () => {
    refuse(1000);
    expect(slow.refused({ now: 1010, sentAt: 990, pauseMs: 900, askedMs: 0, settings: SETTINGS })).to.equal(false);
    expect([slow.perSecond, slow.refusals, slow.pauseMs(1010)]).to.deep.equal([5, 1, 900]);
  });

  it('never shortens a pause', () => {
    refuse(1000);
    slow.refused({ now: 1100, sentAt: 1100, pauseMs: 1, askedMs: 0, settings: SETTINGS });
    expect(slow.pauseMs(1100)).to.equal(400);
  });

  it('ends a pause early, unless the controller asked for it', () => {
    refuse(1000);
    slow.resumeAt(1300);
    expect(slow.pauseMs(1100)).to.equal(200);
    slow.refused({ now: 1400, sentAt: 1400, pauseMs: 900, askedMs: 400, settings: SETTINGS });
    slow.resumeAt(1500);
    expect([slow.pauseMs(1400), slow.askedMs(1400)]).to.deep.equal([400, 400]);
  });

  it('halves repeatedly, down to one request in two seconds', () => {
    for (let now = 1000; now < 20_000; now += 1000) refuse(now);
    expect(slow.perSecond).to.equal(0.5);
  });

  it('recovers with each answer, to no limit', () => {
    refuse(1000);
    for (let count = 0; count < 5; count += 1) slow.passed(2100, 2000);
    expect([slow.perSecond, slow.refusals]).to.deep.equal([7.5, 0]);
    for (let count = 0; count < 5; count += 1) slow.passed(2100, 2000);
    expect(slow.perSecond).to.equal(Infinity);
  });

  it('does not recover with answers to earlier requests', () => {
    refuse(1000);
    slow.passed(1100, 950);
    expect([slow.perSecond, slow.refusals]).to.deep.equal([5, 1]);
  });

  it('starts at the rate of the settings, if that is lower', () => {
    refuse(1000, 1000, { maxRequests: 4, perSecond: 0.2 });
    expect(slow.perSecond).to.equal(0.2);
  });
});
