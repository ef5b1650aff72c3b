import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { StopSignals } from '../../../src/engine/control/start_conditions.js';
import { TaskConfirmation } from '../../../src/engine/control/task_confirmation.js';
import { runText } from '../../rig/run_text.js';

type Source = 'interrupt' | 'refused' | 'givenUp' | 'broken';

/** What is stopped if these have happened: new work, cleanup, and the waits of both. */
function stopped(happened: readonly Source[], { without = [] }: { without?: readonly Source[] } = {}): string {
  const controllers = new Map(
    (['interrupt', 'refused', 'givenUp', 'broken'] as const).map((name) => [name, new AbortController()]),
  );
  const signal = (name: Source): AbortSignal => controllers.get(name)?.signal ?? AbortSignal.abort();
  const optional = (name: Source): AbortSignal | undefined => (without.includes(name) ? undefined : signal(name));
  const stops = { drain: signal('interrupt'), credentialsRefused: signal('refused'), abort: optional('givenUp') };
  const signals = new StopSignals(stops, optional('broken'));
  for (const name of happened) controllers.get(name)?.abort();
  const facts = {
    stopping: signals.isStopping,
    interrupted: signals.isInterrupted,
    work: signals.blocks(false),
    cleanup: signals.blocks(true),
    waiting: signals.signal(false).aborted,
    'cleanup waits': signals.signal(true).aborted,
  };
  return Object.entries(facts)
    .flatMap(([name, is]) => (is ? [name] : []))
    .join(', ');
}

describe('what stops a run', () => {
  for (const [happened, expected] of [
    [[], ''],
    [['interrupt'], 'stopping, interrupted, work, waiting'],
    [['interrupt', 'givenUp'], 'stopping, interrupted, work, cleanup, waiting, cleanup waits'],
    [['refused'], 'stopping, work'],
    [['refused', 'givenUp'], 'stopping, work, cleanup, cleanup waits'],
    [['broken'], 'stopping, work, cleanup, waiting, cleanup waits'],
  ] as const)
    it(`is ${happened.length === 0 ? 'nothing at first' : happened.join(', then ')}`, () => {
      expect(stopped(happened)).to.equal(expected);
    });

  it('need not include a second interrupt or a journal', () => {
    const without = ['givenUp', 'broken'] as const;
    expect(stopped([], { without })).to.equal('');
    expect(stopped(['interrupt'], { without })).to.equal('stopping, interrupted, work, waiting');
    expect(stopped(['interrupt', 'givenUp'], { without: ['broken'] })).to.equal(
      'stopping, interrupted, work, cleanup, waiting, cleanup waits',
    );
  });

  it('may be listened to by every controller', async () => {
    const [interrupt, refused, givenUp, broken] = Array.from({ length: 4 }, () => new AbortController().signal);
    if (!interrupt || !refused || !givenUp) throw new Error('signals are expected');
    const signals = new StopSignals({ drain: interrupt, credentialsRefused: refused, abort: givenUp }, broken);
    const warned: string[] = [];
    const note = ({ message }: Error): void => void warned.push(message);
    process.on('warning', note);
    for (const one of [interrupt, givenUp, signals.signal(false), signals.signal(true)])
      for (let controller = 0; controller < 11; controller++) one.addEventListener('abort', () => controller);
    await setImmediate();
    process.off('warning', note);
    expect(warned).to.deep.equal([]);
  });
});

describe('--step', () => {
  it('asks once per task, for the first controller to reach it, one question at a time', async () => {
    const asked: string[] = [];
    let underWay = 0;
    const confirmation = new TaskConfirmation(async (title) => {
      expect(++underWay).to.equal(1);
      asked.push(title);
      await Promise.resolve();
      underWay--;
      return title === 'no' ? 'skip' : 'run';
    });
    const [first, second] = ['site.yml:3:7', 'site.yml:4:7'];
    const answers = await Promise.all([
      confirmation.confirm(first, [0], 'yes'),
      confirmation.confirm(first, [0], 'yes'),
      confirmation.confirm(second, [1], 'no'),
      confirmation.confirm(second, [2], 'again'),
      confirmation.confirm(second, [1, 12], 'inside'),
      confirmation.confirm(second, [11, 2], 'inside another'),
    ]);
    expect(answers).to.deep.equal([true, true, false, true, true, true]);
    expect(asked).to.deep.equal(['yes', 'no', 'again', 'inside', 'inside another']);
  });

  it('stops asking after "continue"', async () => {
    const asked: string[] = [];
    const confirmation = new TaskConfirmation((title) => {
      asked.push(title);
      return Promise.resolve('continue');
    });
    expect(await confirmation.confirm('site.yml:3:7', [0], 'a')).to.equal(true);
    expect(await confirmation.confirm('site.yml:3:7', [1], 'b')).to.equal(true);
    expect(asked).to.deep.equal(['a']);
  });

  it('asks again in each batch, also after "continue"', async () => {
    const asked: string[] = [];
    const { lines } = await runText(
      '- hosts: all\n  serial: 1\n  tasks:\n    - { name: a, debug: { msg: a } }\n    - { name: b, debug: { msg: b } }\n',
      {
        inventory: 'all: { hosts: { lb1: , lb2: , lb3: } }',
        confirmTask: (title) => {
          asked.push(title);
          return Promise.resolve(asked.length === 1 ? 'run' : asked.length === 2 ? 'continue' : 'skip');
        },
      },
    );
    expect(asked).to.deep.equal(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(lines).to.deep.equal(['lb1 a: ok', 'lb1 b: ok']);
  });
});
