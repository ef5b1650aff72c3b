import { expect } from 'chai';
import assert from '../../modules/assert.js';
import { act } from '../rig/action_context.js';

const variables = { good: true, bad: false };

describe('assert', () => {
  it('is ok if every condition is true', async () => {
    expect(await act(assert, { that: ['good', true] }, { variables })).to.deep.equal({
      status: 'ok',
      message: 'All assertions passed',
      spoken: false,
      values: { msg: 'All assertions passed' },
    });
  });

  it('fails at the first false condition, and names it', async () => {
    expect(await act(assert, { that: ['good', 'bad'] }, { variables })).to.deep.equal({
      status: 'failed',
      message: 'Assertion failed: bad',
      values: { assertion: 'bad', evaluated_to: false, msg: 'Assertion failed' },
    });
  });

  it('evaluates each condition of a list that a template gives, up to the first false one', async () => {
    const first = {
      '{{ all }}': ['n == 1', true, 'n == 2', 'missing'],
      '{{ ( all )[0] }}': true,
      '{{ ( all )[1] }}': true,
    };
    expect(
      await act(assert, { that: '{{ all }}' }, { variables: { ...first, '{{ ( all )[2] }}': false } }),
    ).to.deep.equal({
      status: 'failed',
      message: 'Assertion failed: n == 2',
      values: { assertion: 'n == 2', evaluated_to: false, msg: 'Assertion failed' },
    });
    const two = await act(assert, { that: '{{ a }} + {{ b }}' }, { variables: { '{{ a }} + {{ b }}': ['n == 2'] } });
    expect(two).to.have.property('message', 'Assertion failed: {{ a }} + {{ b }}');
    const none = await act(assert, { that: '{{ none }}' }, { variables: { '{{ none }}': [] } });
    expect(none).to.have.property('status', 'ok');
  });

  it('shows the configured messages', async () => {
    const lines = ['set it', 'please'];
    expect(await act(assert, { that: 'bad', fail_msg: lines }, { variables })).to.deep.include({
      message: 'set it\nplease\nAssertion failed: bad',
      values: { assertion: 'bad', evaluated_to: false, msg: lines },
    });
    expect(await act(assert, { that: 'bad', msg: 'as msg' }, { variables })).to.have.property(
      'message',
      'as msg\nAssertion failed: bad',
    );
    expect(await act(assert, { that: 'good', success_msg: 'fine' }, { variables })).to.include({
      message: 'fine',
      spoken: true,
    });
    expect(await act(assert, { that: 'good', success_msg: 'fine', quiet: true }, { variables })).to.include({
      spoken: false,
    });
  });
});
