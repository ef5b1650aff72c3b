import { expect } from 'chai';
import type { PageColumn } from '../../../src/reporting/page/format/page.js';
import {
  Command,
  Diff,
  More,
  Names,
  OutcomeMark,
  Printed,
  Section,
  StateMark,
  Task,
  Words,
  Yaml,
} from '../../../src/web/parts/small.js';
import { controllerNames } from '../../rig/events.js';
import { fleetEvents, pageOf } from '../../rig/page_run.js';
import { press, rendered } from './rendered.js';

const ABOUT: PageColumn = {
  ...pageOf(fleetEvents(1, 1)).columns[0]!,
  task: 'Create it',
  module: 'cloud_present',
  place: { file: 'site.yml', line: 12, column: 3 },
};

describe('the small parts of the page', () => {
  it('mark a state by colour, glyph and word', () => {
    expect(rendered(StateMark, { state: 'failed' }).inner).to.equal(
      '<span class="state"><span class="mark fill fill-failed" aria-hidden="true">×</span> failed</span>',
    );
    expect(rendered(OutcomeMark, { outcome: 'not started' }).inner).to.equal(
      '<span class="mark fill fill-not-started" aria-hidden="true">○</span>',
    );
  });

  it('break text only between words of up to 24 characters', () => {
    const [fits, long] = ['a'.repeat(24), 'b'.repeat(25)];
    expect(rendered(Words, { text: `run ${fits} ${long}` }).inner).to.equal(
      `<span class="nowrap">run</span> <span class="nowrap">${fits}</span> ${long}`,
    );
  });

  it('have a button for more if there is more', () => {
    let pressed = 0;
    const props = { noun: 'task', onMore: () => (pressed += 1) };
    expect(rendered(More, { ...props, left: 0 }).inner).to.equal('');
    const root = rendered(More, { ...props, left: 1234 });
    expect(root.inner).to.equal('<button type="button">1,234 more tasks</button>');
    press(root, '1,234 more tasks');
    expect(pressed).to.equal(1);
  });

  it('show 10 names, then 200, then 2,000 more each time', () => {
    const page = pageOf(fleetEvents(2300, 1));
    const opened: number[] = [];
    const root = rendered(Names, { page, rows: [...page.controllers.keys()], onOpen: (row) => opened.push(row) });
    const shown = () => root.all('button').map(({ text }) => text);
    expect(shown()).to.deep.equal([...page.controllers.slice(0, 10), 'and 2,290 more']);
    press(root, page.controllers[3] ?? '');
    expect(opened).to.deep.equal([3]);
    press(root, 'and 2,290 more');
    expect([shown().length, shown().at(-1)]).to.deep.equal([201, 'and 2,100 more']);
    press(root, 'and 2,100 more');
    expect([shown().length, shown().at(-1)]).to.deep.equal([2201, 'and 100 more']);
    press(root, 'and 100 more');
    expect(shown()).to.deep.equal([...page.controllers]);
  });

  it('show as many names as they are told, and no button for the rest of none', () => {
    const page = pageOf(fleetEvents(4, 1));
    const names = (rows: readonly number[]) =>
      rendered(Names, { page, rows, shown: 3, onOpen: () => undefined })
        .all('button')
        .map(({ text }) => text);
    expect(names([3, 1, 0])).to.deep.equal([3, 1, 0].map((row) => controllerNames(4)[row]));
    expect(names([3, 1, 0, 2]).at(-1)).to.equal('and 1 more');
    const { inner } = rendered(Names, { page, rows: [0], onOpen: () => undefined });
    expect(inner).to.equal(
      `<span class="names"><button type="button" class="name">${page.controllers[0] ?? ''}</button></span>`,
    );
  });

  it('show printed lines by their sign behind four spaces', () => {
    const lines = ['lb1', '    + mtu: 9000', '    - mtu: 1500', '    ~ mtu: 1500 → 9000', '   + three', '     + five'];
    expect(rendered(Printed, { label: 'Plan', lines }).inner).to.equal(
      '<pre class="diff printed" tabIndex="0" role="group" aria-label="Plan">'.replace('tabIndex', 'tabindex') +
        '<span class="">lb1</span><span class="added">    + mtu: 9000</span>' +
        '<span class="removed">    - mtu: 1500</span><span class="altered">    ~ mtu: 1500 → 9000</span>' +
        '<span class="">   + three</span><span class="">     + five</span></pre>',
    );
  });

  it('show a diff, with the values that differ between controllers', () => {
    const values = [
      ['1500', 2000],
      ['9000', 1],
    ] as const;
    const lines = [
      { text: '  name: edge', isUsual: true },
      { text: '+ mtu: …', isUsual: false, values, different: 3 },
      { text: '- mtu: …', isUsual: false, values, different: 2 },
      { text: '~ note', isUsual: false },
    ];
    expect(rendered(Diff, { lines }).inner).to.equal(
      '<pre class="diff" tabindex="0" role="group" aria-label="Difference"><span class=" usual">  name: edge</span>' +
        '<span class="added">+ mtu: …<span class="values"> 3 values: 1500 (2,000), 9000 (1), …</span></span>' +
        '<span class="removed">- mtu: …<span class="values"> 2 values: 1500 (2,000), 9000 (1)</span></span>' +
        '<span class="altered">~ note</span></pre>',
    );
  });

  it('say what a step is, and where', () => {
    const task = (type: PageColumn['type']) => rendered(Task, { about: { ...ABOUT, type } }).text;
    expect(task('task')).to.equal('Create it cloud_present · site.yml:12');
    expect(task('handler')).to.equal('Create it handler · cloud_present · site.yml:12');
    expect(task('gate')).to.equal('Create it check of the gate · cloud_present · site.yml:12');
  });

  it('show the lines of a task, and mark the one where it begins', () => {
    expect(rendered(Yaml, { text: undefined, line: 1 }).inner).to.equal('');
    expect(rendered(Yaml, { text: { first: 11, lines: ['- name: a', '  debug:'] }, line: 12 }).inner).to.equal(
      '<pre class="yaml" tabindex="0" role="group" aria-label="The task in its file">' +
        '<span class=""><span class="number">11</span> - name: a</span>' +
        '<span class="here"><span class="number">12</span>   debug:</span></pre>',
    );
  });

  it('have sections that can be jumped to', () => {
    const section = { id: 'failures', title: 'Failures', children: 'all' };
    expect(rendered(Section, section).inner).to.equal(
      '<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title" tabindex="-1">Failures </h2>all</section>',
    );
    expect(rendered(Section, { ...section, note: '2 causes' }).inner).to.include(
      'Failures <span class="note">2 causes</span></h2>',
    );
  });

  it('have commands with a button that copies them', () => {
    const root = rendered(Command, { text: 'evenkeel resume 1' });
    expect(root.inner).to.equal(
      '<span class="command"><code>evenkeel resume 1</code><button type="button">Copy</button>' +
        '<span class="unseen" role="status"></span></span>',
    );
    expect(root.text).to.equal('evenkeel resume 1Copy');
  });

  it('say that a command was copied, for two seconds, and select it where it cannot be', async () => {
    const [clipboard, selected]: [string[], unknown[]] = [[], []];
    const later: [set: (value: boolean) => void, milliseconds: number, value: boolean][] = [];
    const before = ['navigator', 'setTimeout', 'getSelection'].map(
      (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
    );
    const put = (name: string, value: unknown): void => {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    };
    let isAllowed = true;
    const writeText = async (text: string): Promise<void> => {
      await Promise.resolve();
      if (!isAllowed) throw new Error('not allowed');
      clipboard.push(text);
    };
    put('navigator', { clipboard: { writeText } });
    put('setTimeout', (...given: (typeof later)[number]) => later.push(given));
    put('getSelection', () => ({ selectAllChildren: (element: unknown) => selected.push(element) }));
    const turn = async (): Promise<void> => {
      for (let n = 0; n < 4; n++) await new Promise(setImmediate);
    };
    try {
      const root = rendered(Command, { text: 'evenkeel resume 1' });
      const words = () => [root.all('button')[0]?.text, root.all('span')[1]?.text];
      press(root, 'Copy');
      await turn();
      expect([clipboard, words(), selected]).to.deep.equal([['evenkeel resume 1'], ['Copied', 'Copied'], []]);
      expect(later.map(([, milliseconds]) => milliseconds)).to.deep.equal([2000]);
      for (const [set, , value] of later.splice(0)) set(value);
      expect(words()).to.deep.equal(['Copy', '']);
      isAllowed = false;
      press(root, 'Copy');
      await turn();
      expect([clipboard.length, words(), selected]).to.deep.equal([1, ['Copy', ''], [root.all('code')[0]]]);
    } finally {
      for (const [name, descriptor] of before)
        if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, descriptor);
    }
  });
});
