import { expect } from 'chai';
import { ControllerError, type ErrorDetails } from '../../../src/controller/exchange/call.js';
import { LoadError } from '../../../src/core/model/source/diagnostic.js';
import { StopSignals } from '../../../src/engine/control/start_conditions.js';
import {
  failed,
  failedBecause,
  interrupted,
  interruptedBecause,
  isStale,
  registered,
  TaskProblem,
} from '../../../src/engine/keywords/failed_result.js';
import { Interrupted, TemplateError } from '../../../src/language/runtime/errors.js';
import { HERE } from '../../language/scopes.js';

const refused = (details: ErrorDetails = {}, method: 'GET' | 'PUT' = 'GET'): ControllerError =>
  new ControllerError({ method, path: '/api/cloud/1' }, 'no', details);

describe('the result of a task that cannot go on', () => {
  it('has the message, the hint and the place of what is wrong with its playbook', () => {
    for (const error of [
      new TaskProblem('wrong', HERE, 'mend it'),
      new TemplateError('wrong', { source: HERE, hint: 'mend it' }),
      new LoadError('wrong', HERE, 'mend it'),
    ])
      expect(failedBecause(error, 'm')).to.deep.equal({
        status: 'failed',
        values: {},
        failure: { message: 'wrong', hint: 'mend it', source: HERE },
      });
  });

  it('says what a controller refused, whether that may pass, and which route is down', () => {
    const message = 'GET /api/cloud/1: no';
    for (const [error, status, failure] of [
      [refused({ hint: 'look' }), 'failed', { message, hint: 'look' }],
      [refused({ passing: true }), 'failed', { message, hint: undefined }],
      [refused({ outcome: 'unreachable' }), 'unreachable', { message, hint: undefined }],
      [refused({ outcome: 'unreachable', passing: true }), 'unreachable', { message, hint: undefined, passing: true }],
      [
        refused({ outcome: 'unreachable', route: 'site' }),
        'unreachable',
        { message: 'no', hint: undefined, route: 'site' },
      ],
    ] as const)
      expect(failedBecause(error, 'm')).to.deep.equal({ status, values: {}, failure });
  });

  // The sources load connections when they need them, and tests know their errors by the class.
  it('knows the errors of what is loaded later', async () => {
    const later = await import('../../../src/controller/exchange/call.js');
    expect(later.ControllerError).to.equal(ControllerError);
  });

  it('names the module that crashed, with the place in its code if there is one', () => {
    const message = 'the module m crashed: oops';
    for (const [frame, place] of [
      ['Object.run (/p/modules/m.ts:7:12)', '/p/modules/m.ts:7:12'],
      ['file:///p/my%20modules/m.js:7:12', '/p/my%20modules/m.js:7:12'],
      ['async run (file:///p/m.js:7:12)', '/p/m.js:7:12'],
    ] as const) {
      const crash = Object.assign(new TypeError('oops'), {
        stack: `TypeError: oops\n    at ${frame}\n    at /x.js:1:1`,
      });
      const failure = { message, hint: `it crashed at ${place}; -vv shows the whole stack` };
      expect(failedBecause(crash, 'm')).to.deep.equal({
        status: 'failed',
        values: { exception: crash.stack },
        failure,
      });
    }
    const failure = { message, hint: undefined };
    expect(failedBecause('oops', 'm')).to.deep.equal({ status: 'failed', values: {}, failure });
  });

  it('is stale only if its object has changed since the plan was made', () => {
    expect(failed('no', { stale: true, change: { kind: 'none' } })).to.deep.equal({
      status: 'failed',
      values: {},
      failure: { message: 'no', stale: true },
      change: { kind: 'none' },
    });
    expect([failed('no', { stale: true }), failed('no')].map(isStale)).to.deep.equal([true, false]);
    expect(isStale({ status: 'ok', values: {} })).to.equal(false);
    expect(failed('no')).to.have.all.keys('status', 'values', 'failure');
  });

  it('is no failure if the run stopped before there was an answer to a read', () => {
    const [going, stopping] = [new AbortController().signal, AbortSignal.abort()].map(
      (signal) => new StopSignals({ drain: signal, credentialsRefused: new AbortController().signal }),
    );
    if (going === undefined || stopping === undefined) throw new Error('both are expected');
    const result = {
      values: {},
      status: 'interrupted',
      message: 'interrupted before there was an answer: GET /api/cloud/1: no',
    };
    for (const [error, signals, expected] of [
      [refused({ temporary: true }), stopping, result],
      [refused({ givenUp: true }), stopping, result],
      [refused(), stopping, undefined],
      [refused({ temporary: true }), going, undefined],
      [refused({ temporary: true }, 'PUT'), stopping, undefined],
      [new Error('oops'), stopping, undefined],
      [
        new Interrupted('a command'),
        going,
        { values: {}, status: 'interrupted', message: new Interrupted('a command').message },
      ],
    ] as const)
      expect(interruptedBecause(error, signals)).to.deep.equal(expected);
  });

  it('is registered in the shape of Ansible', () => {
    const values = { a: 1 };
    const failure = { message: 'no' };
    expect(
      [
        registered({ status: 'ok', values }),
        registered({ status: 'changed', values, message: 'done', change: { kind: 'none' } }),
        registered({ status: 'skipped', values, message: 'not now' }),
        registered({ status: 'interrupted', values, message: 'stopped' }),
        registered(interrupted('stopped', { values: { failed: false, msg: 'so far' } })),
        registered({ status: 'failed', values: { failed: false, changed: true }, failure }),
        registered({ status: 'failed', values, failure }),
        registered({ status: 'unreachable', values: { msg: 'of the module' }, failure }),
      ].map((one) => ({ ...one })),
    ).to.deep.equal([
      { changed: false, failed: false, a: 1 },
      { changed: true, failed: false, msg: 'done', a: 1 },
      { changed: false, failed: false, skipped: true, skip_reason: 'not now', a: 1 },
      { changed: false, msg: 'stopped', a: 1, failed: true },
      { changed: false, msg: 'so far', failed: true },
      { changed: true, msg: 'no', failed: true },
      { changed: false, msg: 'no', a: 1, failed: true },
      { changed: false, msg: 'of the module', unreachable: true },
    ]);
  });
});
