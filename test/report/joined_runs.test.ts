import { expect } from 'chai';
import type { Event, RunFinished } from '../../src/core/model/run/event.js';
import { JoinedRuns } from '../../src/report/joined_runs.js';
import { EventMaker } from '../rig/events.js';

const START = Date.parse('2025-03-01T12:00:00.000Z');

/** A run of two controllers, some seconds after the first. */
function part(
  id: string,
  names: readonly string[],
  after: number,
  given: object = {},
  end: Partial<RunFinished> = {},
): readonly Event[] {
  const make = new EventMaker(START + after * 1000);
  const events = [
    make.runStarted({ shard: `${id}/2`, ...given }),
    make.playStarted(names, { groups: { emea: [0] } }),
    make.batchStarted(names),
    ...names.map((name) => make.pass(1).taskFinished(name, name === 'lb2' ? 'failed' : 'ok')),
    ...names.map((name) => make.controllerFinished(name)),
    make.batchFinished(1, { failed: names.includes('lb2') ? ['lb2'] : [] }),
    make.playFinished(),
    make.runFinished(end),
  ];
  return events.map((event) => ({ ...event, run: `run-${id}` }));
}

function joined(...parts: readonly (readonly Event[])[]) {
  const events: Event[] = [];
  const runs = new JoinedRuns((event) => events.push(event));
  for (const [at, one] of parts.entries()) {
    runs.begin(`file${at + 1}`);
    for (const event of one) runs.handle(event);
  }
  const of = <T extends Event['type']>(type: T) =>
    events.filter((event): event is Extract<Event, { type: T }> => event.type === type);
  return { runs, events, of };
}

const FIRST = part('1', ['lb1', 'lb2'], 0, {}, { status: 'failed', exitCode: 2, reason: 'one failed' });
const SECOND = part('2', ['lb3', 'lb4'], 10);

describe('several runs of the same playbooks', () => {
  it('become one run, whose plays and batches end with the last of them', () => {
    const { events, of } = joined(FIRST, SECOND);
    expect(new Set(events.map(({ run }) => run))).to.deep.equal(new Set(['run-1']));
    expect(of('play-started').map(({ groups }) => groups)).to.deep.equal([
      { emea: [0], 'shard 1/2': [0, 1] },
      { emea: [0], 'shard 2/2': [0, 1] },
    ]);
    const ends = ['2025-03-01T12:00:02.000Z', '2025-03-01T12:00:12.000Z'];
    expect(of('play-finished').map(({ time }) => time)).to.deep.equal(ends);
    expect(of('batch-finished').map(({ time, failed }) => [time, failed])).to.deep.equal(
      ends.map((time) => [time, ['lb2']]),
    );
    const turned = joined(SECOND, FIRST);
    expect(turned.of('play-finished').map(({ time }) => time)).to.deep.equal([ends[1], ends[1]]);
    expect(turned.of('batch-finished').map(({ failed }) => failed)).to.deep.equal([[], ['lb2']]);
  });

  it('end as the worst of them, after all', () => {
    const { runs, of } = joined(SECOND, FIRST);
    runs.warn('one warning');
    const end = runs.finish();
    expect(of('warning')).to.deep.equal([
      { type: 'warning', time: '2025-03-01T12:00:12.000Z', run: 'run-2', message: 'one warning' },
    ]);
    expect(of('run-finished').at(-1)).to.equal(end);
    expect(end).to.deep.include({
      run: 'run-2',
      status: 'failed',
      exitCode: 2,
      reason: 'file2: one failed',
      seconds: 2,
      unstarted: [],
    });
    expect(Object.keys(end.stats)).to.deep.equal(['lb3', 'lb4', 'lb1', 'lb2']);
    expect(end).to.not.have.property('cutOff');
    const codes = (...exitCodes: readonly number[]) =>
      joined(...exitCodes.map((exitCode, at) => part(String(at), [`lb${at}`], at, {}, { exitCode }))).runs.finish()
        .exitCode;
    expect([codes(0, 4), codes(4, 5), codes(5, 2), codes(2, 6), codes(6, 130, 0), codes(0, 0)]).to.deep.equal([
      4, 5, 2, 6, 130, 0,
    ]);
  });

  it('are interrupted where the process of one ended before it', () => {
    const open = SECOND.filter(({ type }) => type !== 'run-finished' && type !== 'controller-finished').filter(
      (event) => event.type !== 'task-finished' || event.controller !== 'lb4',
    );
    const end = joined(FIRST, open).runs.finish();
    expect(end).to.deep.include({
      status: 'interrupted',
      exitCode: 130,
      unstarted: ['lb4'],
      cutOff: ['lb3'],
      seconds: 12,
    });
    // Another run has started the controller since.
    const again = joined(open, part('3', ['lb4'], 20)).runs.finish();
    expect(again).to.deep.include({ unstarted: [], cutOff: ['lb3'] });
  });

  it('say of a controller what its newest run says', () => {
    const stopped = part('1', ['lb1', 'lb5'], 0, {}, { cutOff: ['lb1', 'lb5'], unstarted: ['lb3', 'lb6'] });
    const again = part('3', ['lb1'], 20, {}, { unstarted: ['lb6'] });
    expect(joined(stopped, again).runs.finish()).to.deep.include({ cutOff: ['lb5'], unstarted: ['lb3', 'lb6'] });
    expect(joined(stopped, part('2', ['lb3', 'lb5'], 20, {}, { cutOff: ['lb5'] })).runs.finish()).to.deep.include({
      cutOff: ['lb1', 'lb5'],
      unstarted: ['lb6'],
    });
  });

  it('may have been resumed, and may have rollbacks of batches', () => {
    const begun = FIRST.slice(0, 3);
    const { runs, of } = joined([...FIRST, ...begun]);
    expect([runs.all.length, runs.all[0]?.finished, of('run-started').length]).to.deep.equal([1, undefined, 2]);
    const make = new EventMaker(START);
    const undo = { ...make.playStarted(['lb1'], { play: 'Undo', rollback: true }), run: 'run-1' };
    expect(() => joined([...FIRST.slice(0, 1), undo, ...FIRST.slice(1)], SECOND)).to.not.throw();
  });

  it('are refused if they are not runs of the same kind', () => {
    const refused = (...parts: readonly (readonly Event[])[]): string => {
      try {
        joined(...parts);
        return '';
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    expect(refused(FIRST, FIRST)).to.equal('file2 and file1 are the same run, run-1');
    expect(refused(FIRST, SECOND.slice(1))).to.equal('file2 does not begin with the start of a run');
    for (const given of [{ playbooks: ['other.yml'] }, { environment: 'prod' }, { check: true }, { simulated: true }])
      expect(refused(FIRST, part('2', ['lb3'], 1, given))).to.equal(
        'file2 is not a run like file1: the playbooks, the environment or the mode differ',
      );
    const other = SECOND.map((event) => (event.type === 'play-started' ? { ...event, play: 'Other' } : event));
    expect(refused(FIRST, other)).to.equal('play 1 of file2 is "Other", not "Roll out"');
    expect(() => new JoinedRuns(() => undefined).finish()).to.throw('there is no run');
  });
});
