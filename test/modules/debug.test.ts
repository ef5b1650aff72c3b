import { expect } from 'chai';
import debug from '../../modules/debug.js';
import { act } from '../rig/action_context.js';

describe('debug', () => {
  it('shows text unchanged at any verbosity', async () => {
    expect(await act(debug, { msg: 'hello' })).to.deep.equal({
      status: 'ok',
      spoken: true,
      message: 'hello',
      values: { msg: 'hello' },
    });
  });

  it('shows any other value as JSON', async () => {
    expect(await act(debug, { msg: ['a', { b: 1 }] })).to.have.property(
      'message',
      JSON.stringify(['a', { b: 1 }], null, 2),
    );
  });

  it('shows a greeting without arguments', async () => {
    expect(await act(debug, null)).to.have.property('message', 'Hello world!');
  });

  it('shows a variable under its name', async () => {
    expect(await act(debug, { var: 'stage' }, { variables: { stage: 'dev' } })).to.deep.equal({
      status: 'ok',
      spoken: true,
      message: 'stage: dev',
      values: { stage: 'dev' },
    });
  });

  it('does not fail for an undefined variable', async () => {
    expect(await act(debug, { var: 'nowhere' })).to.have.property('message', 'nowhere: VARIABLE IS NOT DEFINED!');
  });

  it('is skipped below its verbosity', async () => {
    expect(await act(debug, { msg: 'x', verbosity: 2 }, { verbosity: 1 })).to.deep.equal({
      status: 'skipped',
      message: 'verbosity threshold not met',
      values: {},
    });
    expect(await act(debug, { msg: 'x', verbosity: 2 }, { verbosity: 2 })).to.have.property('status', 'ok');
  });
});
