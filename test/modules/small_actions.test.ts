import { expect } from 'chai';
import fail from '../../modules/fail.js';
import pause from '../../modules/pause.js';
import setFact from '../../modules/set_fact.js';
import type { ActionContext, ActionModule } from '../../src/module/contract.js';
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
    expect(await act(pause, { seconds: 2, minutes: 1 }, { slept })).to.deep.include({
      status: 'ok',
      message: 'waited for 62 s',
    });
    expect(slept).to.deep.equal([62]);
  });

  it('registers what Ansible does', async () => {
    const { values } = (await act(pause, { seconds: 0 }, { slept: [] })) as { values: Record<string, unknown> };
    const { start, stop, ...others } = values;
    expect(others).to.deep.equal({
      ...{ delta: 0, echo: true, rc: 0, stderr: '', stdout: 'Paused for 0.0 seconds', user_input: '' },
    });
    for (const time of [start, stop]) expect(time).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
    expect(await act(pause, { minutes: 0 }, { slept: [] })).to.have.nested.property(
      'values.stdout',
      'Paused for 0.0 minutes',
    );
  });

  it('does not wait in check mode', async () => {
    const slept: number[] = [];
    expect(await act(pause, { seconds: 2 }, { slept, checkMode: true })).to.have.property(
      'message',
      'would wait for 2 s',
    );
    expect(slept).to.deep.equal([]);
  });

  it('is interrupted, with its prompt, and shows the prompt of a wait', async () => {
    const abort = new AbortController();
    const module = pause as ActionModule;
    const context = {
      checkMode: false,
      signal: abort.signal,
      sleep: () => Promise.resolve(),
    } as unknown as ActionContext;
    const waited = () => module.run({ seconds: 1, prompt: 'Look' }, context);
    expect(await waited()).to.deep.include({ status: 'ok', message: 'Look: waited for 1 s' });
    abort.abort();
    expect(await waited()).to.deep.include({ status: 'interrupted', message: 'Look: interrupted while waiting' });
    expect(await module.run({ minutes: 1 }, context)).to.have.property('message', 'interrupted while waiting');
    expect(await module.run({}, { ...context, ask: () => Promise.resolve(undefined) })).to.deep.equal({
      status: 'interrupted',
      message: 'interrupted before it was answered',
    });
  });

  it('asks, hides what is not echoed, and warns if nobody could answer', async () => {
    const asked: unknown[] = [];
    const answered = async (args: Record<string, unknown>, answer: string | undefined, checkMode = false) => {
      const [hidden, warned]: [string[], string[]] = [[], []];
      const context = {
        checkMode,
        signal: new AbortController().signal,
        ask: (question: string, options: unknown) => {
          asked.push([question, options]);
          return Promise.resolve(answer);
        },
        hide: (secret: string) => hidden.push(secret),
        warn: (message: string) => warned.push(message),
      } as unknown as ActionContext;
      const { status, message, values = {} } = await (pause as ActionModule).run(args, context);
      const { user_input, echo } = values;
      return { result: { status, message, values: { user_input, echo } }, hidden, warned };
    };
    const QUESTION = 'Press return to continue, Ctrl-C to stop';
    expect(await answered({}, '')).to.deep.equal({
      result: { status: 'ok', message: 'answered', values: { user_input: '', echo: true } },
      hidden: [],
      warned: [],
    });
    expect(await answered({ prompt: 'Code?', echo: false }, 'abc')).to.deep.equal({
      result: { status: 'ok', message: 'answered', values: { user_input: 'abc', echo: false } },
      hidden: ['abc'],
      warned: [],
    });
    expect(await answered({ prompt: 'Code?', echo: false }, undefined)).to.deep.equal({
      result: { status: 'ok', message: 'no answer', values: { user_input: '', echo: false } },
      hidden: [],
      warned: ['"Code?" was not asked, because stdin is not a terminal, or a program runs this: the run continues'],
    });
    expect((await answered({ echo: false }, 'abc', true)).result).to.deep.equal({
      status: 'ok',
      message: `would ask: ${QUESTION}`,
      values: { user_input: '', echo: false },
    });
    expect(asked).to.deep.equal([
      [QUESTION, { hidden: false }],
      ['Code?', { hidden: true }],
      ['Code?', { hidden: true }],
    ]);
    const { once } = pause as ActionModule;
    const steps = [{}, { prompt: 'x' }, { seconds: 1 }, { minutes: 1 }];
    expect(steps.map((args) => typeof once === 'function' && once(args))).to.deep.equal([
      true,
      true,
      'in step',
      'in step',
    ]);
  });
});
