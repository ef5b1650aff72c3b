import { expect } from 'chai';
import { BatchJournal } from '../../../src/engine/journal/batch_journal.js';
import { pastOf, Recorder } from '../../rig/recorder.js';

const BATCH = { play: 0, batch: 1, area: '0:' };

describe('the journal of a batch', () => {
  it('has the last step of each controller that was at work when the batch ended', async () => {
    const recorder = new Recorder();
    const journal = new BatchJournal(BATCH, recorder, undefined);
    for (const [at, name] of ['lb1', 'lb2', 'lb3', 'lb4'].entries()) journal.begin(name, [at]);
    journal.begin('lb1', [5]);
    journal.finishStep('lb3');
    journal.end('halted', { reason: 'two failed', position: [3] });
    journal.finishStep('lb2');
    journal.begin('lb4', [2]);
    journal.end('play');
    // Of another batch.
    new BatchJournal({ ...BATCH, batch: 2 }, recorder, undefined).end('batch');
    expect(recorder.of('batch-ended').map(({ underWay }) => underWay)).to.deep.equal([
      [
        { controller: 'lb1', place: '0:5' },
        { controller: 'lb2', place: '0:1' },
        { controller: 'lb4', place: '0:3' },
      ],
      [
        { controller: 'lb1', place: '0:5' },
        { controller: 'lb4', place: '0:2' },
      ],
      [],
    ]);

    const resumed = new BatchJournal(BATCH, undefined, await pastOf(recorder.entries));
    expect(resumed.past).to.deep.equal([
      { how: 'halted', reason: 'two failed', position: [3] },
      { how: 'play', reason: undefined, position: undefined },
    ]);
    expect(resumed.wasHalted).to.equal(true);
    const second = new BatchJournal({ ...BATCH, batch: 2 }, undefined, await pastOf(recorder.entries));
    expect([second.past, second.wasHalted]).to.deep.equal([
      [{ how: 'batch', reason: undefined, position: undefined }],
      false,
    ]);
    const positions = [[0], [1], [2], [3], [5], [5, 0], [6]];
    const reached = (name: string) =>
      positions.filter((position) => resumed.mayFinish(name, position)).map((position) => position.join('.'));
    expect(reached('lb1')).to.deep.equal(['0', '1', '2', '3', '5']);
    expect(reached('lb2')).to.deep.equal(['0', '1']);
    expect(reached('lb3')).to.deep.equal([]);
    expect(reached('lb4')).to.deep.equal(['0', '1', '2', '3']);
  });
});
