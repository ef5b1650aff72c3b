import { expect } from 'chai';
import fail from '../../modules/fail.js';
import pause from '../../modules/pause.js';
import setFact from '../../modules/set_fact.js';
import { act } from '../rig/action_context.js';

describe('set_fact', () => {
  it('sets a variable for every argument except cacheable', async () => {
    const facts = { a: 1, b: ['x'] };
    expect(await act(setFact, { ...facts, cacheable: true })).to.deep.equal({
      status: 'ok',
      facts,
      cacheable: true,
      values: { ansible_facts: facts },
    });
  });

  it('reads true, false, yes and no as booleans, but not inside lists and mappings', async () => {
    const given = { a: 'no', b: 'True', c: 'YES', d: 'false', on: 'on', spaced: ' no', list: ['no'], map: { a: 'no' } };
    const facts = { ...given, a: false, b: true, c: true, d: false };
    expect(await act(setFact, given)).to.deep.include({ facts, values: { ansible_facts: facts } });
  });
});

describe('fail', () => {
  it('fails with its message', async () => {
    expect(await act(fail, { msg: 'no' })).to.deep.equal({ status: 'failed', message: 'no', values: { msg: 'no' } });
    expect(await act(fail, { msg: ['a', 'b'] })).to.deep.include({ message: 'a\nb', values: { msg: ['a', 'b'] } });
    expect(await act(fail, { msg: { a: 1 } })).to.have.property('message', '{\n  "a": 1\n}');
    expect(await act(fail, {})).to.have.property('message', 'Failed as requested from task');
  });
});

describe('pause', () => {
  it('waits for seconds and minutes together', async () => {
    const slept: number[] = [];
    expect(await act(pause, { seconds: 2, minutes: 1 }, { slept })).to.deep.equal({
      status: 'ok',
      message: 'waited for 62 s',
      values: { delay: 62, user_input: '' },
    });
    expect(slept).to.deep.equal([62]);
  });

  it('does not wait in check mode', async () => {
    const slept: number[] = [];
    expect(await act(pause, { seconds: 2 }, { slept, checkMode: true })).to.have.property(
      'message',
      'would wait for 2 s',
    );
    expect(slept).to.deep.equal([]);
  });
});
