import { expect } from 'chai';
import type { Event, PlayStarted } from '../../../src/core/model/run/event.js';
import { liveLines } from '../../../src/reporting/reporters/live_view.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const START = Date.parse('2025-03-01T12:00:00.000Z');

describe('a controller that is throttled', () => {
  const run = (throttled: (make: EventMaker) => readonly Event[]): readonly Event[] => {
    const make = new EventMaker();
    return [
      make.runStarted(),
      make.playStarted(['lb1']),
      ...throttled(make),
      make.taskFinished('lb1', 'ok'),
      make.playFinished(),
      make.pass(12).runFinished(),
    ];
  };

  it('is reported once, and counted at the end', async () => {
    const { stdout } = await reported(
      run((make) => [make.throttled('lb1', 429, 2), make.pass(2).throttled('lb1', 503, 4.5)]),
    );
    expect(stdout).to.equal(`evenkeel 0.1.0 · playbooks/rollout.yml

play Roll out · 1 controller · 2 tasks
throttled    lb1  answered 429: pausing requests to it for 2.0 s, then sending fewer

recap · throttled: 1 controller, 6.5 s in all
lb1  ok=1   changed=0   unreachable=0   failed=0   skipped=0   rescued=0   ignored=0
1 controller · 1 ok · 14 s
`);
  });

  it('is counted until the end of the run, even if it asks for a longer pause', async () => {
    const { stdout } = await reported(run((make) => [make.throttled('lb1', 429, 3600)]));
    expect(stdout).to.include('recap · throttled: 1 controller, 12 s in all\n');
  });

  it('waits once for pauses that overlap, and not beyond the end of any run', async () => {
    const pauses = run((make) => [0, 1, 1].map((seconds) => make.pass(seconds).throttled('lb1', 429, 20)));
    expect((await reported(pauses)).stdout).to.include('recap · throttled: 1 controller, 14 s in all\n');
    const twice = await reported([...pauses, ...pauses.filter(({ type }) => type === 'run-finished')]);
    expect(twice.stdout).to.include('recap · throttled: 1 controller, 14 s in all\n');
  });

  it('is reported every time with -v', async () => {
    const events = run((make) => [make.throttled('lb1', 429, 2), make.throttled('lb1', 503, 4.5)]);
    const { stdout } = await reported(events, { verbosity: 1 });
    expect(stdout.match(/^throttled .*$/gm)).to.deep.equal([
      'throttled    lb1  answered 429: pausing requests to it for 2.0 s, then sending fewer',
      'throttled    lb1  answered 503: pausing requests to it for 4.5 s, then sending fewer',
    ]);
  });

  it('is reported only if it is one of the first three', async () => {
    const { stdout } = await reported(run((make) => controllerNames(1000).map((name) => make.throttled(name, 503, 1))));
    expect(stdout.match(/^throttled /gm)).to.have.length(3);
    expect(stdout).to.include('recap · throttled: 1,000 controllers, 16 min 40 s in all\n');
  });
});

describe('the live view', () => {
  for (const [names, row] of [
    [['lb1', 'lb2'], '● lb1  1/2 Create the cloud  2.0 s'],
    [controllerNames(50), 'slowest  2.0 s  lb01  1/2 Create the cloud'],
  ] as const) {
    const [first = ''] = names;
    const shownAfter = (
      waits: (make: EventMaker) => readonly Event[],
      play: Partial<PlayStarted> = {},
    ): ((seconds: number) => readonly string[]) => {
      const make = new EventMaker();
      const progress = new PlayProgress(make.playStarted(names, play) as PlayStarted);
      for (const event of [make.batchStarted(names), make.taskStarted(first), ...waits(make)]) progress.handle(event);
      return (seconds) =>
        liveLines(progress, { columns: 100, rows: 30, now: START + seconds * 1000, palette: createPalette(false) });
    };
    const many = `${names.length} controllers`;

    it(`says that a controller is throttled, for as long as nothing is sent to it (${many})`, () => {
      const shown = shownAfter((make) => [make.throttled(first, 429, 3)]);
      expect(shown(2)).to.include(`${row}  throttled`);
      expect(shown(2.999)).to.include(`${row.replace('2.0', '3.0')}  throttled`);
      expect(shown(3)).to.include(row.replace('2.0', '3.0'));
    });

    it(`says what a retry waits for, how long at most, and why (${many})`, () => {
      const shown = shownAfter((make) => [
        make.throttled(first, 503, 3),
        make.requestRetried(first, 4, 'ECONNREFUSED'),
      ]);
      expect(shown(2)).to.include(`${row}  waiting for ${first}, 10 s left: ECONNREFUSED`);
      expect(shown(3.5)).to.include(`${row.replace('2.0', '3.5')}  waiting for ${first}, 9 s left: ECONNREFUSED`);
      expect(shown(4)).to.include(row.replace('2.0', '4.0'));
    });

    it(`says that a whole route is waited for (${many})`, () => {
      const shown = shownAfter((make) => [make.requestRetried(first, 4, 'no', { awaited: 'route madrid' })]);
      expect(shown(1)).to.include(`${row.replace('2.0', '1.0')}  waiting for route madrid, 11 s left: no`);
    });

    it(`says which play of how many it is (${many})`, () => {
      const shown = shownAfter(() => [], { number: 2, plays: 3 });
      expect(shown(2)[0]).to.equal('Roll out · play 2 of 3 · 2.0 s');
      expect(shownAfter(() => [])(2)[0]).to.equal('Roll out · 2.0 s');
    });

    it(`says which attempt of until comes next (${many})`, () => {
      expect(shownAfter((make) => [make.retried(first, 3, 30)])(2)).to.include(`${row}  until 4/30`);
    });
  }
});
