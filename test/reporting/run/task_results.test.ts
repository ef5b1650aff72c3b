import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { TaskResults } from '../../../src/reporting/run/equal_results.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const UUIDS = ['9c82d1d2-fd3c-43d6-8b5d-c16457763fb2', 'f3dde20b-05db-4c5e-a12e-d26d57c7ac1d'];

function events(make: EventMaker, names: readonly string[], tasks: readonly Event[]): readonly Event[] {
  return [
    make.runStarted(),
    make.playStarted(names),
    make.batchStarted(names),
    ...tasks,
    make.batchFinished(),
    make.runFinished(),
  ];
}

describe('the results of evenkeel task', () => {
  it('are shown once if they differ only in names, addresses, uuids and times', async () => {
    const make = new EventMaker();
    const names = controllerNames(3);
    const task = { task: 'api_request', module: 'api_request' };
    const tasks = names.map((name, index) =>
      make.taskFinished(name, 'ok', {
        ...task,
        message: 'GET / answered 200',
        values:
          index === 2
            ? { status: 503 }
            : { msg: 'GET / answered 200', name, uuid: UUIDS[index] ?? '', _last_modified: String(index) },
      }),
    );
    const { stdout } = await reported(events(make, names, tasks), { results: true });
    expect(stdout).to.include(`
result of api_request the same on 2 controllers: lb01, lb02
    name: <controller>
    uuid: <uuid>
    _last_modified: <time>
result of api_request on lb03
    status: 503

recap
`);
    expect((await reported(events(make, names, tasks))).stdout).not.to.include('status');
    const loud = await reported(events(make, names, tasks), { results: true, verbosity: 2 });
    expect(loud.stdout).to.include('status: 503').and.not.to.include('result of');
  });

  it('name the controller that has a result alone', async () => {
    const make = new EventMaker();
    const task = make.taskFinished('lb01', 'ok', { values: { name: 'lb01', url: 'https://lb01' } });
    const { stdout } = await reported(events(make, ['lb01', 'lb02'], [task]), { results: true });
    expect(stdout).to.include('result of Create the cloud on lb01\n    name: lb01\n    url: https://lb01\n');
  });

  it('have the most frequent first, with five of its names', () => {
    const make = new EventMaker();
    const results = new TaskResults();
    const numbers = [1, 2, 3, 3, 2, 3, 3, 3, 3];
    for (const [at, number] of numbers.entries()) {
      const event = make.taskFinished(`lb${9 - at}`, 'ok', { values: { number } });
      if (event.type === 'task-finished') results.add(event);
    }
    expect(results.take(createPalette(false), (text) => text)).to.deep.equal([
      'result of Create the cloud the same on 6 controllers: lb1, lb2, lb3, lb4, lb6 and 1 more',
      '    number: 3',
      'result of Create the cloud the same on 2 controllers: lb5, lb8',
      '    number: 2',
      'result of Create the cloud on lb9',
      '    number: 1',
    ]);
  });

  it('are counted anew for each batch', () => {
    const make = new EventMaker();
    const [results, palette] = [new TaskResults(), createPalette(false)];
    const take = (controllers: readonly string[]): readonly string[] => {
      for (const [number, name] of controllers.entries()) {
        const event = make.taskFinished(name, 'ok', { values: { number } });
        if (event.type === 'task-finished') results.add(event);
      }
      return results.take(palette, (text) => text);
    };
    expect(take(controllerNames(52)).at(-1)).to.equal('other results on 2 controllers; -vv shows each');
    expect(take(['lb01'])).to.deep.equal(['result of Create the cloud on lb01', '    number: 0']);
    expect(take(controllerNames(51)).at(-1)).to.equal('other results on 1 controller; -vv shows each');
  });

  it('leave out what the line of a change says, messages of debug, and the end of long results', async () => {
    const make = new EventMaker();
    const names = controllerNames(60);
    const tasks = names.map((name, index) => make.taskFinished(name, 'ok', { values: { number: index } }));
    const other = [
      make.taskFinished('lb01', 'ok', { values: { name: 'x', change: { kind: 'none' } } }),
      make.taskFinished('lb01', 'ok', { values: { msg: 'hello' }, message: 'hello', spoken: true }),
      make.taskFinished('lb01', 'failed', { values: { status: 400 }, message: 'broken' }),
    ];
    const { stdout } = await reported(events(make, names, [...other, ...tasks]), { results: true });
    expect(stdout).to.include('result of Create the cloud on lb01\n    number: 0\n');
    expect(stdout).to.include('\nother results on 10 controllers; -vv shows each\n');
    expect(stdout).not.to.include('status: 400').and.not.to.include('kind: none');
  });
});
