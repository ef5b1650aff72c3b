import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { StopSignals } from '../../../src/engine/control/stop_signals.js';

type Source = 'interrupt' | 'refused' | 'givenUp' | 'broken';

/** What is stopped if these have happened: new work, cleanup, and the waits of both. */
function stopped(happened: readonly Source[], { without = [] }: { without?: readonly Source[] } = {}): string {
  const controllers = new Map(
    (['interrupt', 'refused', 'givenUp', 'broken'] as const).map((name) => [name, new AbortController()]),
  );
  const signal = (name: Source): AbortSignal => controllers.get(name)?.signal ?? AbortSignal.abort();
  const optional = (name: Source): AbortSignal | undefined => (without.includes(name) ? undefined : signal(name));
  const stops = { signal: signal('interrupt'), credentialsRefused: signal('refused'), abort: optional('givenUp') };
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
    [['refused'], 'stopping, work, cleanup'],
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
    const signals = new StopSignals({ signal: interrupt, credentialsRefused: refused, abort: givenUp }, broken);
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
