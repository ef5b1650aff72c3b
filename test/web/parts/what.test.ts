import { expect } from 'chai';
import { createView } from '../../../src/web/data/view.js';
import { What } from '../../../src/web/parts/summaries.js';
import { EventMaker } from '../../rig/events.js';
import { pageOf } from '../../rig/page_run.js';
import { press, rendered } from './rendered.js';

describe('the changes of the page', () => {
  it('show fifty more tasks, and fifty more changes of a task, with each press', () => {
    const make = new EventMaker();
    const changed = (name: string, line: number, n: number) =>
      make.taskFinished(name, 'changed', {
        task: `Task ${line}`,
        source: { file: 'site.yml', line, column: 3 },
        change: { kind: 'update', object: 'pool "a"', before: { [`f${n}`]: 0 }, after: { [`f${n}`]: 1 } },
      });
    const names = Array.from({ length: 54 }, (_, at) => `lb${at}`);
    const page = pageOf([
      make.runStarted(),
      make.playStarted(names),
      ...names.map((name, at) => changed(name, 1, at)),
      changed('lb0', 2, 0),
      changed('lb1', 2, 0),
      ...Array.from({ length: 57 }, (_, at) => changed('lb0', 3 + at, 0)),
    ]);
    const root = rendered(What, { view: createView(page, '', 'name'), onOpen: () => undefined });
    const shown = () => [root.all('article').length, root.all('article')[0]?.all('p').length];
    expect(shown()).to.deep.equal([8, 3]);
    expect(root.all('article')[1]?.all('p')[0]?.text).to.equal(
      'updated pool "a": f0 the same on 2 controllers: lb0lb1',
    );
    press(root, '51 more tasks');
    press(root, '51 more different changes');
    expect(shown()).to.deep.equal([58, 53]);
    press(root, '1 more task');
    press(root, '1 more different change');
    expect(shown()).to.deep.equal([59, 54]);
  });
});
