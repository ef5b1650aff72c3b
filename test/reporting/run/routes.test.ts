import { expect } from 'chai';
import type { PlayStarted } from '../../../src/core/model/run/event.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { liveLines } from '../../../src/reporting/reporters/live_view.js';
import { loadReport } from '../../../src/reporting/reports/registry.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { displayWidth } from '../../../src/reporting/text/width.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const START = Date.parse('2025-03-01T12:00:00.000Z');
const FAILED = { message: 'the controller answered 400: no' };

/** Every third controller is behind paris, the last one is behind none, the others are behind madrid. */
function routesOf(names: readonly string[]): { readonly madrid: number[]; readonly paris: number[] } {
  const places = [...names.keys()].slice(0, -1);
  return { madrid: places.filter((place) => place % 3 !== 2), paris: places.filter((place) => place % 3 === 2) };
}

function started(make: EventMaker, names: readonly string[]): PlayStarted {
  return make.playStarted(names, { routes: routesOf(names) }) as PlayStarted;
}

function shown(progress: PlayProgress, columns: number): readonly string[] {
  const lines = liveLines(progress, { columns, rows: 30, now: START + 10_000, palette: createPalette(false) });
  for (const line of lines) expect(displayWidth(line), line).to.be.at.most(columns);
  return lines;
}

describe('a run through several routes', () => {
  it('shows in the live view how far each route is, and where there is trouble', () => {
    const make = new EventMaker();
    const names = controllerNames(31);
    const progress = new PlayProgress(started(make, names));
    const [one = '', two = '', three = '', four = ''] = names;
    const last = names.at(-1) ?? '';
    const events = [
      make.batchStarted(names),
      make.taskStarted(one),
      make.taskStarted(two),
      make.taskStarted(three),
      make.taskStarted(four),
      make.taskStarted(last),
      make.taskFinished(two, 'failed', FAILED),
      make.controllerFinished(two),
      make.taskFinished(three, 'unreachable', { message: 'no connection' }),
      make.controllerFinished(three),
      make.controllerFinished(last),
    ];
    for (const event of events) progress.handle(event);
    expect(shown(progress, 115).slice(3)).to.deep.equal([
      'madrid  1 of 20 · 1 failed · 2 active',
      'paris   1 of 10 · 1 unreachable',
      'direct  1 of 1',
      'slowest  10 s  lb01 via madrid  1/2 Create the cloud',
      'slowest  10 s  lb04 via madrid  1/2 Create the cloud',
      '✖ lb02 via madrid  Create the cloud: the controller answered 400: no',
      '✖ lb03 via paris  Create the cloud: no connection',
    ]);
    shown(progress, 55);
  });

  it('shows in the live view the route of each of a few controllers', () => {
    const make = new EventMaker();
    const names = ['lb1', 'lb2', 'lb3', 'lb4'];
    const progress = new PlayProgress(started(make, names));
    const events = [
      make.batchStarted(names),
      make.taskStarted('lb1'),
      make.taskFinished('lb2', 'failed', FAILED),
      make.controllerFinished('lb2'),
    ];
    for (const event of events) progress.handle(event);
    expect(shown(progress, 115).slice(1)).to.deep.equal([
      '● lb1  madrid  1/2 Create the cloud  10 s',
      '✖ lb2  madrid  Create the cloud: the controller answered 400: no',
      '· lb3  paris   waiting',
      '· lb4          waiting',
    ]);
    expect(shown(progress, 55)[1]).to.equal('● lb1  madrid  1/2 Create the cloud  10 s');
  });

  it('lists at most eight routes, finished ones last', () => {
    const make = new EventMaker();
    const names = controllerNames(40);
    const routes = Object.fromEntries(
      Array.from({ length: 20 }, (_, route) => [`route${route + 1}`, [2 * route, 2 * route + 1]]),
    );
    const progress = new PlayProgress(make.playStarted(names, { routes }) as PlayStarted);
    progress.handle(make.batchStarted(names));
    for (const name of names.slice(0, 4)) progress.handle(make.controllerFinished(name));
    const lines = shown(progress, 115).slice(3);
    expect(lines[0]).to.equal('route3  0 of 2');
    expect(lines.slice(6)).to.deep.equal(['route9  0 of 2', 'and 13 more routes, 2 through']);
  });

  it('does not mention routes if all controllers have the same', () => {
    const make = new EventMaker();
    const names = controllerNames(20);
    const progress = new PlayProgress(
      make.playStarted(names, { routes: { madrid: [...names.keys()] } }) as PlayStarted,
    );
    progress.handle(make.batchStarted(names));
    expect(shown(progress, 115)).to.have.length(3);
  });

  it('names the routes of failures, in their paragraph, totals of routes in the recap, and progress lines', async () => {
    const make = new EventMaker();
    const names = controllerNames(31);
    const events = [
      make.runStarted(),
      started(make, names),
      make.batchStarted(names),
      ...names.slice(0, 9).map((name) => make.taskFinished(name, 'failed', FAILED)),
      make.taskFinished('lb10', 'failed', { message: 'the cloud is in use' }),
      ...names.slice(10).map((name) => make.taskFinished(name, 'ok')),
      ...names.map((name) => make.pass(2).controllerFinished(name)),
      make.batchFinished(),
      make.playFinished(),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    ];
    const { stdout, stderr } = await reported(events);
    expect(stdout).to.include('failed       lb10  Create the cloud: the cloud is in use\n');
    expect(stdout).to.match(
      /= 9 controllers: lb01, .*\n {2}= 2 routes: madrid \(6 controllers\), paris \(3 controllers\)\n/,
    );
    expect(stdout).to.match(/= controller: lb10\n {2}= route: madrid\n/);
    expect(stdout).to.include(`
madrid  20 controllers · 13 ok · 7 failed
paris   10 controllers · 7 ok · 3 failed
direct  1 controller · 1 ok
31 controllers · `);
    expect(stderr).to.match(/1 of 31 controllers.* · madrid 1 of 20, 1 failed; paris 0 of 10; direct 0 of 1\n/);
  });

  it('names the routes of failures in reports and annotations', async () => {
    const make = new EventMaker();
    const events = [
      make.runStarted(),
      make.playStarted(['lb1', 'lb2'], { routes: { madrid: [0], paris: [1] } }),
      make.taskFinished('lb1', 'failed', FAILED),
      make.taskFinished('lb2', 'failed', FAILED),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    ];
    const written = async (kind: 'junit' | 'markdown'): Promise<string> => {
      const { make: open } = await loadReport(kind);
      const report = open({ secrets: new Secrets(), cwd: '/nowhere' });
      return events.flatMap((event) => [...report.take(event)]).join('');
    };
    expect(await written('markdown')).to.include('- 2 routes: madrid (1 controller), paris (1 controller)\n');
    expect(await written('junit'))
      .to.match(/<failure .*no\nroute: madrid<\/failure>/)
      .and.to.include('\nroute: paris</failure>');
    const { stdout } = await reported(events, { github: { workspace: '/nowhere' } });
    expect(stdout).to.match(/::error .*no \(lb1, lb2 via 2 routes\)\n/);
  });

  it('shows nothing about routes if there are none', async () => {
    const make = new EventMaker();
    const failed = make.taskFinished('lb1', 'failed', FAILED);
    const { stdout } = await reported([make.runStarted(), make.playStarted(['lb1']), failed, make.runFinished()]);
    expect(stdout).to.not.include('route');
    expect(stdout).to.not.include(' in ');
  });
});
