import { expect } from 'chai';
import type { RenderedController } from '../../src/engine/render/render.js';
import type { DifferenceGroup, FieldDifference, FleetDifference } from '../../src/render/difference.js';
import { differenceLines, renderedJson, renderedYaml } from '../../src/render/text.js';
import { createPalette } from '../../src/reporting/text/palette.js';

const rendered = (number: number, controller: string, given: Partial<RenderedController> = {}): RenderedController => {
  return {
    number,
    play: `Play ${number}`,
    playbook: 'a.yml',
    controller,
    tasks: [{ debug: { msg: controller } }],
    ...given,
  };
};

const FLEET = [
  rendered(0, 'lb1'),
  rendered(0, 'lb2', { handlers: [{ name: 'h' }], gate: [{ name: 'g' }] }),
  rendered(1, 'lb1', { tasks: [] }),
];

async function written(how: typeof renderedYaml, fleet: readonly RenderedController[]): Promise<string> {
  let text = '';
  for await (const part of how(given(fleet))) text += part;
  return text;
}

async function* given(fleet: readonly RenderedController[]): AsyncIterable<RenderedController> {
  for (const one of fleet) yield Promise.resolve(one);
}

describe('rendered plays', () => {
  it('are a list, with the controllers of each', async () => {
    expect(await written(renderedYaml, FLEET)).to.equal(`- play: Play 0
  playbook: a.yml
  controllers:
    lb1:
      tasks:
      - debug:
          msg: lb1
    lb2:
      tasks:
      - debug:
          msg: lb2
      handlers:
      - name: h
      gate:
      - name: g
- play: Play 1
  playbook: a.yml
  controllers:
    lb1:
      tasks: []
`);
    expect(await written(renderedYaml, [])).to.equal('[]\n');
  });

  it('are the same list as JSON', async () => {
    expect(JSON.parse(await written(renderedJson, FLEET))).to.deep.equal([
      {
        play: 'Play 0',
        playbook: 'a.yml',
        controllers: {
          lb1: { tasks: [{ debug: { msg: 'lb1' } }] },
          lb2: { tasks: [{ debug: { msg: 'lb2' } }], handlers: [{ name: 'h' }], gate: [{ name: 'g' }] },
        },
      },
      { play: 'Play 1', playbook: 'a.yml', controllers: { lb1: { tasks: [] } } },
    ]);
    expect(await written(renderedJson, [])).to.equal('[]\n');
    expect(await written(renderedJson, [rendered(0, 'lb1', { tasks: [] })])).to.equal(
      '[\n{"play":"Play 0","playbook":"a.yml", "controllers": {\n    "lb1": {\n      "tasks": []\n    }\n  }}\n]\n',
    );
  });
});

describe('the text of two environments', () => {
  const NAMES = { before: 'dev', after: 'prod' };
  const value = (text: string | undefined, ...controllers: readonly string[]) => ({ value: text, controllers });
  const field = (
    task: string,
    name: string,
    before: FieldDifference['before'],
    after: FieldDifference['after'],
  ): FieldDifference => {
    return { task, field: name, before, after };
  };
  const lines = (groups: readonly DifferenceGroup[], more: Partial<FleetDifference> = {}): readonly string[] =>
    differenceLines({ perController: 0, onlyBefore: [], onlyAfter: [], ...more, groups }, NAMES, createPalette(false));

  it('says what is in one of them only, and that nothing else differs', () => {
    expect(lines([])).to.deep.equal(['no difference between dev and prod']);
    const six = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(lines([], { onlyBefore: ['x'], onlyAfter: six, perController: 2 })).to.deep.equal([
      'only in dev: x',
      'only in prod: a, b, c, d, e and 1 more',
      '2 fields not compared: different on each controller of both',
      'no difference between dev and prod',
    ]);
  });

  it('has the fields of each task of the same controllers', () => {
    const both = ['lb1', 'lb2'];
    const group = {
      before: both,
      after: both,
      fields: [
        field('One', 'mtu', [value('1', 'lb1', 'lb2')], [value('2', 'lb1'), value('3', 'lb2')]),
        field('One', 'name', [value(undefined, 'lb1', 'lb2')], [value('x\ny', 'lb1', 'lb2')]),
        field(
          'Two',
          'old',
          [value('1', 'lb1', 'lb4'), value(undefined, 'lb2', 'lb3')],
          [value(undefined, 'lb1', 'lb2')],
        ),
        field(
          'Two',
          'many',
          ['1', '2', '3'].map((one) => value(one, one)),
          ['1', '2', '3', '4'].map((one) => value(one, one)),
        ),
      ],
    };
    expect(lines([group], { perController: 1 })).to.deep.equal([
      '- is dev, + is prod',
      '',
      '2 controllers: lb1, lb2',
      '  One',
      '    - mtu: 1',
      '    + mtu: 2  (lb1)',
      '    + mtu: 3  (lb2)',
      '    + name: x y',
      '  Two',
      '    - old: 1  (2 controllers: lb1 and 1 more)',
      '    - old: (not there)  2 controllers: lb2 and 1 more',
      '    - many: 1  (1)',
      '    - many: 2  (2)',
      '    - many: 3  (3)',
      '    + many: 4 values',
      '',
      '1 field not compared: different on each controller of both',
    ]);
  });

  it('says of other controllers whether all of them are the same', () => {
    const heading = (fields: readonly FieldDifference[]) =>
      lines([{ before: ['a', 'b'], after: ['x', 'y', 'z'].slice(0, 2), fields }])[2];
    expect(heading([field('T', 'f', [value('1', 'a', 'b')], [value('2', 'x', 'y')])])).to.equal(
      'all 2 controllers → all 2 controllers',
    );
    const same = field('T', 'e', [value('1', 'a', 'b')], [value('2', 'x', 'y')]);
    const mixed = field('T', 'f', [value('1', 'a', 'b')], [value('2', 'x'), value('3', 'y')]);
    for (const fields of [[mixed], [same, mixed]]) expect(heading(fields)).to.equal('not the same on all controllers');
  });

  it('shortens values at 200 characters', () => {
    const shown = (length: number) =>
      lines([{ before: ['a'], after: ['a'], fields: [field('T', 'f', [value('x'.repeat(length), 'a')], [])] }])[4];
    expect(shown(200)).to.equal(`    - f: ${'x'.repeat(200)}`);
    expect(shown(201)).to.equal(`    - f: ${'x'.repeat(200)}… (201 characters)`);
  });
});
