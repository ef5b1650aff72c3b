import { expect } from 'chai';
import {
  ControllerError,
  notSentAfter,
  StaleObjectError,
  type ErrorDetails,
} from '../../../src/controller/exchange/controller_error.js';
import { StopSignals } from '../../../src/engine/control/stop_signals.js';

const CALL = { method: 'PUT', path: '/api/pool/1' } as const;

describe('an error of a controller', () => {
  it('says what was asked for, unless a route is what is wrong', () => {
    const error = new ControllerError(CALL, 'no');
    expect(error).to.include({ message: 'PUT /api/pool/1: no', outcome: 'failed', method: 'PUT', path: '/api/pool/1' });
    expect(error).to.include({ uncertain: false, temporary: false, passing: false, givenUp: false, late: false });
    expect(new ControllerError(CALL, 'no', { route: 'madrid' }).message).to.equal('no');
  });

  it('has the details that are given', () => {
    const cause = new Error('inner');
    const details: ErrorDetails = {
      outcome: 'unreachable',
      status: 503,
      hint: 'wait',
      uncertain: true,
      temporary: true,
      givenUp: true,
      late: true,
      route: 'madrid',
      failure: 'closed',
      cause,
    };
    expect(new ControllerError(CALL, 'no', details)).to.include({ ...details, passing: true });
    expect(new ControllerError(CALL, 'no', { temporary: true, passing: false }).passing).to.equal(false);
    expect(new ControllerError(CALL, 'no', { passing: true }).temporary).to.equal(false);
  });

  it('of a request before keeps the next one from being sent', () => {
    const details = { outcome: 'unreachable', hint: 'wait', temporary: true, passing: true, givenUp: true } as const;
    const cause = new ControllerError({ method: 'GET', path: '/api/x' }, 'no', {
      ...details,
      route: 'madrid',
      status: 503,
    });
    expect(notSentAfter({ method: 'GET', path: '/api/y' }, cause)).to.deep.equal({
      ...details,
      route: 'madrid',
      cause,
    });
    expect(notSentAfter(CALL, cause)).to.deep.equal({ ...details, route: 'madrid', temporary: false, cause });
  });

  it('is stale if someone else has changed the object', () => {
    expect(new StaleObjectError({ ...CALL, repeatable: false }, true)).to.include({
      status: 412,
      uncertain: true,
      name: 'StaleObjectError',
    });
  });
});

describe('the signals that stop a run', () => {
  const sources = () => ({
    interrupt: new AbortController(),
    refused: new AbortController(),
    givenUp: new AbortController(),
    broken: new AbortController(),
  });
  /** What is so after one of them: stopping, interrupted, what blocks a task and cleanup, and what aborts their waits. */
  const after = (which: keyof ReturnType<typeof sources> | undefined, withJournal = true) => {
    const { interrupt, refused, givenUp, broken } = sources();
    const stops = { signal: interrupt.signal, credentialsRefused: refused.signal, abort: givenUp.signal };
    const signals = new StopSignals(stops, withJournal ? broken.signal : undefined);
    if (which !== undefined) ({ interrupt, refused, givenUp, broken })[which].abort();
    const { isStopping, isInterrupted } = signals;
    const waits = [signals.signal(false).aborted, signals.signal(true).aborted];
    return [isStopping, isInterrupted, signals.blocks(false), signals.blocks(true), ...waits].map(Number).join('');
  };

  it('let cleanup run after the first interrupt, and nothing after refused credentials or a lost journal', () => {
    expect(after(undefined)).to.equal('000000');
    expect(after('interrupt')).to.equal('111010');
    expect(after('refused')).to.equal('101100');
    expect(after('givenUp')).to.equal('000101');
    expect(after('broken')).to.equal('101111');
    expect(after('interrupt', false)).to.equal('111010');
    expect(after('givenUp', false)).to.equal('000101');
    expect(after('broken', false)).to.equal('000000');
  });
});
