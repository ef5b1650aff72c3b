import { expect } from 'chai';
import { time } from '../../../src/web/data/words.js';
import { Drawer } from '../../../src/web/parts/drawer.js';
import { EventMaker } from '../../rig/events.js';
import { pageOf } from '../../rig/page_run.js';
import { Browser } from './browser.js';
import { Piece, rendered } from './rendered.js';

const at = (line: number) => ({ source: { file: 'site.yml', line, column: 3 } });
const change = (name: string, mtu: number) =>
  ({ kind: 'update', object: `cloud "${name}"`, before: { mtu: 1, own: name }, after: { mtu, own: name } }) as const;

describe('the drawer of a controller that changed', () => {
  const make = new EventMaker();
  const page = pageOf([
    make.runStarted(),
    make.playStarted(['lb1', 'lb2']),
    ...['lb1', 'lb2'].map((name) =>
      make.taskFinished(name, 'changed', { task: 'One', ...at(1), change: change(name, 2) }),
    ),
    make.taskFinished('lb2', 'changed', { task: 'Two', ...at(2), item: 'a of lb2', change: change('x', 3) }),
    make.taskFinished('lb2', 'failed', { task: 'Two', ...at(2), item: 'b', message: 'no lb2' }),
    make.taskFinished('lb2', 'failed', {
      task: 'Two',
      ...at(2),
      item: 'c',
      message: 'not converged',
      change: change('x', 3),
    }),
    make.taskFinished('lb2', 'failed', {
      task: 'Two',
      ...at(2),
      message: 'an item failed',
      delegatedTo: 'lb9',
      tenant: 'blue',
      cause: { file: 'vars.yml', line: 7, column: 1 },
    }),
    make.pass(90).taskFinished('lb1', 'ok', { task: 'Three', ...at(3), check: true, round: 2 }),
  ]);
  const drawer = (row: number, column: number) => {
    const nothing = () => undefined;
    return rendered(Drawer, { page, isServed: false, isModal: false, row, column, onClose: nothing, onOpen: nothing });
  };
  const shown = (row: number, column: number, kind: string): readonly string[] =>
    drawer(row, column)
      .all(kind)
      .map(({ text }) => text);
  const facts = (row: number, column: number): readonly string[] => {
    const values = shown(row, column, 'dd');
    return shown(row, column, 'dt').map((name, index) => `${name}: ${values[index] ?? ''}`);
  };

  it('has the words and the difference, with its own name, and no line twice', () => {
    for (const [row, name] of ['lb1', 'lb2'].entries()) {
      expect(shown(row, 0, 'p').slice(1)).to.deep.equal([
        'Δ changed the same on 1 other controller',
        `updated cloud "${name}": mtu`,
      ]);
      const [diff] = drawer(row, 0).all('pre');
      expect(diff?.all('span').map((line) => [line.text, line.attribute('class')])).to.deep.equal([
        ['- mtu: 1', 'removed'],
        ['+ mtu: 2', 'added'],
      ]);
    }
  });

  it('counts the others with the same result at this step alone', () => {
    const later = new EventMaker();
    const same = (name: string, line: number, message: string) =>
      later.taskFinished(name, 'ok', { task: `T${line}`, ...at(line), message });
    const events = [same('lb1', 1, 'a'), same('lb2', 1, 'b'), same('lb3', 1, 'a'), same('lb1', 2, 'a')];
    const more = pageOf([later.runStarted(), later.playStarted(['lb1', 'lb2', 'lb3']), ...events]);
    const alike = (row: number, column: number) => {
      const props = { page: more, isServed: false, isModal: false, row, column };
      return rendered(Drawer, { ...props, onClose: () => undefined, onOpen: () => undefined }).all('p')[1]?.text;
    };
    expect([alike(0, 0), alike(1, 0), alike(2, 0), alike(0, 1)]).to.deep.equal([
      '√ ok the same on 1 other controller',
      '√ ok on this controller only',
      '√ ok the same on 1 other controller',
      '√ ok on this controller only',
    ]);
  });

  it('has each item of a loop, and what else is known of the result', () => {
    expect(shown(1, 1, 'li').slice(0, 3)).to.deep.equal([
      'Δ changed a of lb2 updated cloud "x": mtu- mtu: 1+ mtu: 3',
      '× failed b no lb2',
      '× failed c updated cloud "x": mtu; not converged- mtu: 1+ mtu: 3',
    ]);
    expect(shown(1, 1, 'pre')).to.deep.equal(['an item failed', '- mtu: 1+ mtu: 3', '- mtu: 1+ mtu: 3']);
    // The time of its end is shown in the zone of the reader.
    expect(facts(1, 1).filter((text) => !text.startsWith('Ended: 2025-03-01 '))).to.deep.equal([
      'Took: 0.2 s',
      'Delegated to: lb9',
      'Tenant: blue',
      'Module: cloud_present',
      'Play: Roll out',
      'Position: site.yml:2',
      'Because of: vars.yml:7',
    ]);
    expect(facts(0, 2).slice(1)).to.deep.equal([
      `Ended: ${time('2025-03-01T12:01:30.000Z')}`,
      'Round of the gate: 2',
      'Module: cloud_present',
      'Play: Roll out',
      'Position: site.yml:3',
    ]);
  });
});

describe('the drawer of a loop with many items', () => {
  it('says how many are left out', () => {
    const make = new EventMaker();
    const items = Array.from({ length: 203 }, (_, item) => make.taskFinished('lb1', 'ok', { item: `${item}` }));
    const page = pageOf([make.runStarted(), make.playStarted(['lb1']), ...items, make.taskFinished('lb1', 'ok')]);
    const nothing = () => undefined;
    const props = { page, isServed: false, isModal: false, row: 0, column: 0, onClose: nothing, onOpen: nothing };
    const shown = rendered(Drawer, props).all('li');
    expect(shown.slice(199, 201).map(({ text }) => text)).to.deep.equal(['√ ok 199 ', 'and 3 more items']);
  });
});

describe('the drawer that covers the page', () => {
  let browser: Browser;
  beforeEach(() => {
    browser = new Browser();
  });
  afterEach(() => browser.close());

  it('keeps Tab between its first and its last element', () => {
    const page = pageOf([new EventMaker().runStarted(), new EventMaker().playStarted(['lb1'])]);
    const keys = (isModal: boolean, active: number, key: string, shiftKey: boolean): readonly unknown[] => {
      const props = { page, isServed: false, isModal, row: 0, column: undefined };
      const root = rendered(Drawer, { ...props, onClose: () => undefined, onOpen: () => undefined });
      const inside = ['a', 'button', 'button'].map((name) => new Piece(name));
      const [dialog] = root.all('section');
      Object.assign(dialog ?? {}, { querySelectorAll: () => inside });
      Object.assign(document, { activeElement: inside[active] ?? new Piece('body') });
      let prevented = 0;
      dialog?.dispatch('keydown', { key, shiftKey, preventDefault: () => (prevented += 1) });
      return [inside.findIndex(({ calls }) => calls.includes('focus')), prevented];
    };
    const [body, untouched] = [9, [-1, 0]];
    for (const [active, shiftKey, expected] of [
      [0, false, untouched],
      [1, false, untouched],
      [2, false, [0, 1]],
      [0, true, [2, 1]],
      [1, true, untouched],
      [2, true, untouched],
      [body, true, [2, 1]],
      [body, false, untouched],
    ] as const)
      expect(keys(true, active, 'Tab', shiftKey), `${active} ${shiftKey}`).to.deep.equal(expected);
    expect([keys(false, 2, 'Tab', false), keys(true, 2, 'Enter', false)]).to.deep.equal([untouched, untouched]);
  });
});
