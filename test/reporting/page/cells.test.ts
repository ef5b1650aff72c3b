import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { decodeSeconds } from '../../../src/reporting/page/format/page.js';
import { EventMaker } from '../../rig/events.js';
import { pageOf } from '../../rig/page_run.js';

const NAMES = ['lb1', 'lb2', 'lb3'];

/** @param steps `lb1 a.yml:4` for a result, a name for the play that begins */
function order(...steps: readonly string[]): readonly string[] {
  const make = new EventMaker();
  const events = steps.map((step) => {
    const [, controller, file = '', line] = /^(lb\d) (.+):(\d+)$/.exec(step) ?? [];
    if (controller === undefined) return make.playStarted(NAMES, { play: step });
    return make.taskFinished(controller, 'ok', { source: { file, line: Number(line), column: 3 } });
  });
  const { columns } = pageOf([make.runStarted(), make.playStarted(NAMES), ...events]);
  return columns.map(({ play, place }) => `${play} ${place.file}:${place.line}`);
}

describe('the columns of a page', () => {
  it('are after the last step of the controller, in the file after its earlier lines', () => {
    // An included file is where it was included, wherever its lines are.
    expect(order('lb1 s.yml:4', 'lb1 a.yml:20', 'lb1 s.yml:8', 'lb2 s.yml:4', 'lb2 a.yml:6')).to.deep.equal([
      '0 s.yml:4',
      '0 a.yml:6',
      '0 a.yml:20',
      '0 s.yml:8',
    ]);
    expect(
      order('lb1 s.yml:4', 'lb1 a.yml:2', 'lb1 s.yml:8', 'lb2 s.yml:4', 'lb2 b.yml:9', 'lb2 b.yml:9'),
    ).to.deep.equal(['0 s.yml:4', '0 b.yml:9', '0 b.yml:9', '0 a.yml:2', '0 s.yml:8']);
    expect(order('lb1 s.yml:4', 'lb1 s.yml:9', 'lb2 s.yml:4', 'lb2 s.yml:9', 'lb2 s.yml:6')).to.deep.equal([
      '0 s.yml:4',
      '0 s.yml:9',
      '0 s.yml:6',
    ]);
    // Two tasks of one line, as in a list in brackets, keep the order in which they ran.
    expect(order('lb1 s.yml:4', 'lb1 s.yml:9', 'lb1 s.yml:9', 'lb2 s.yml:9', 'lb2 s.yml:9')).to.deep.equal([
      '0 s.yml:4',
      '0 s.yml:9',
      '0 s.yml:9',
    ]);
  });

  it('of a play are after those of the play before, even for a controller that was not at its end', () => {
    expect(order('lb1 s.yml:4', 'lb2 s.yml:4', 'lb2 s.yml:8', 'Two', 'lb1 s.yml:20', 'lb2 s.yml:18')).to.deep.equal([
      '0 s.yml:4',
      '0 s.yml:8',
      '1 s.yml:18',
      '1 s.yml:20',
    ]);
    expect(order('Two', 'lb1 s.yml:4', 'lb1 t.yml:2', 'Three', 'lb3 s.yml:4', 'lb1 s.yml:4')).to.deep.equal([
      '1 s.yml:4',
      '1 t.yml:2',
      '2 s.yml:4',
    ]);
  });

  it('keep what they have while controllers come', () => {
    const make = new EventMaker();
    const source = { file: 's.yml', line: 4, column: 3 };
    const names = ['lb1', 'lb2', 'lb3', 'lb4'];
    const result = (name: string, at: number): Event => {
      const status = at % 2 === 0 ? 'failed' : 'ignored';
      const about = { source, seconds: at + 1, message: name.repeat(at + 1), module: 'ping', task: 'Is up' };
      return make.pass(2).taskFinished(name, 'failed', { ...about, ignored: status === 'ignored' });
    };
    const page = pageOf([make.runStarted(), make.playStarted([]), ...names.map(result)]);
    expect(page.columns).to.deep.equal([{ play: 0, task: 'Is up', module: 'ping', type: 'task', place: source }]);
    expect([...page.state]).to.deep.equal([4, 7, 4, 7]);
    expect([...page.detail]).to.deep.equal([1, 2, 3, 4]);
    expect([...page.ended]).to.deep.equal([2000, 4000, 6000, 8000]);
    expect([...page.took].map((code) => Math.round(decodeSeconds(code) * 10))).to.deep.equal([10, 20, 30, 40]);
  });

  it('of a task, a handler and the check of a gate at one place are three', () => {
    const make = new EventMaker();
    const source = { file: 's.yml', line: 4, column: 3 };
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2']),
      make.taskFinished('lb1', 'ok', { source }),
      make.taskFinished('lb1', 'ok', { source, round: 1 }),
      make.taskFinished('lb2', 'ok', { source, handler: true, module: 'debug' }),
      make.taskFinished('lb1', 'failed', { source, round: 2 }),
      make.taskFinished('lb2', 'ok', { source }),
    ]);
    const about = { play: 0, task: 'Create the cloud', place: source };
    expect(page.columns).to.deep.equal([
      { ...about, module: 'cloud_present', type: 'task' },
      { ...about, module: 'cloud_present', type: 'gate' },
      { ...about, module: 'debug', type: 'handler' },
    ]);
    expect([...page.state]).to.deep.equal([1, 1, 4, 0, 0, 1]);
  });
});
