import { expect } from 'chai';
import { ControllerLocks } from '../../../../src/run/control/controller_locks.js';
import { LoopYielder } from '../../../../src/run/control/loop_yielder.js';
import { savedFiles } from '../../../../src/run/control/saved_files.js';
import { StopSignals } from '../../../../src/run/control/stop_signals.js';
import { Throttles } from '../../../../src/run/control/throttles.js';
import { fromText, toText } from '../../../../src/run/remote/messages.js';
import { Link } from '../../../../src/run/remote/worker/link.js';
import { remoteControl } from '../../../../src/run/remote/worker/remote_control.js';

describe('--step in a worker', () => {
  it('learns that the run stops before it learns that the question was interrupted', async () => {
    const interrupt = new AbortController();
    const stopSignals = new StopSignals({ interrupt: interrupt.signal, refused: new AbortController().signal });
    let hear: (text: string) => void = () => undefined;
    const link = new Link(
      {
        text: '',
        post: (text) => {
          for (const message of fromText.worker(text))
            if (message.type === 'call')
              hear(toText({ type: 'answer', id: message.id, value: 'stopped', news: { number: 0 } }));
        },
        postDurably: () => Promise.resolve(),
        stillHeld: () => Promise.resolve(),
        onMessage: (listen) => {
          hear = listen;
        },
        revoked: new AbortController().signal,
      },
      () => [],
    );
    link.listen({ news: () => Promise.resolve(), message: () => undefined });
    const own = {
      stopSignals,
      loopYielder: new LoopYielder(),
      locks: new ControllerLocks(),
      savedFiles: savedFiles(),
      throttles: new Throttles(),
      confirmation: undefined,
    };
    const { confirmation } = remoteControl(link, own, { usesOtherControllers: false, confirms: true, stopSignals });
    let wasStopping: boolean | undefined;
    const answer = confirmation?.confirm('site.yml:3:7', [0], 'First').then((wanted) => {
      wasStopping = stopSignals.isStopping;
      return wanted;
    });
    await new Promise(setImmediate);
    expect(wasStopping).to.equal(undefined);
    interrupt.abort();
    expect(await answer).to.equal(false);
    expect(wasStopping).to.equal(true);
  });
});
