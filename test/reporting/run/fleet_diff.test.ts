import { expect } from 'chai';
import type { Change } from '../../../src/core/model/run/result.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { ChangeGroups } from '../../../src/reporting/diff/change_groups.js';
import {
  fleetDiffLines,
  groupDiffLines,
  outlined,
  outlineLines,
  variedText,
} from '../../../src/reporting/run/fleet_diff.js';
import type { EqualChange, TaskChanges } from '../../../src/reporting/run/result_groups.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { controllerNames } from '../../rig/events.js';

const palette = createPalette(false);

function update(after: Mapping, before: Mapping = {}): Change {
  return { kind: 'update', object: 'cloud "a"', before, after };
}

/** What a task changed on these controllers. `undefined`: it is not known. */
function task(title: string, changes: Readonly<Record<string, Change | undefined>>): TaskChanges {
  const groups = new ChangeGroups();
  const unknown: string[] = [];
  for (const [controller, change] of Object.entries(changes)) {
    if (change === undefined) unknown.push(controller);
    else groups.add({ controller }, change, {});
  }
  const known = groups.sorted.map((change): EqualChange => ({
    words: '',
    change,
    controllers: [...change.controllers],
  }));
  return {
    task: title,
    changes: unknown.length === 0 ? known : [...known, { words: '', change: undefined, controllers: unknown }],
  };
}

describe('the diff of a fleet by task', () => {
  it('names five controllers of each change, and counts those that are not known', () => {
    const names = controllerNames(7);
    const changes = Object.fromEntries(names.map((name) => [name, update({ mtu: 1 }, { mtu: 0 })]));
    expect(
      fleetDiffLines(
        [task('One\nline', { ...changes, x1: undefined, x2: undefined }), task('Two', { lb1: update({ a: 1 }) })],
        palette,
      ),
    ).to.deep.equal([
      'diff of One line',
      '  cloud "a" on 7 controllers: lb01, lb02, lb03, lb04, lb05 and 2 more',
      '    - mtu: 0',
      '    + mtu: 1',
      '  other changes on 2 controllers',
      'diff of Two',
      '  cloud "a" on lb1',
      '    + a: 1',
    ]);
  });

  it('has ten changes of a task, and the number of controllers with others', () => {
    const differing = (size: number) =>
      fleetDiffLines(
        [task('One', Object.fromEntries(controllerNames(size).map((name, at) => [name, update({ mtu: at })])))],
        palette,
      );
    expect(differing(10)).to.have.length(1 + 2 * 10);
    expect(differing(12).slice(-2)).to.deep.equal(['    + mtu: 9', '  other changes on 2 controllers']);
  });

  it('counts a controller once that has several of the other changes', () => {
    const groups = new ChangeGroups();
    for (const at of controllerNames(12).keys())
      for (const controller of ['lb1', 'lb2']) groups.add({ controller }, update({ mtu: at }), {});
    const changes = groups.sorted.map((change) => ({ words: '', change, controllers: [...change.controllers] }));
    expect(fleetDiffLines([{ task: 'One', changes }], palette, { how: '--diff=host shows each' }).at(-1)).to.equal(
      '  other changes on 2 controllers; --diff=host shows each',
    );
  });

  it('leaves out what is as in the most frequent change, if that is most of it', () => {
    const fields = (given: Mapping) => update({ a: 1, b: 1, c: 1, d: 1, list: [{ x: 1, y: 1 }], ...given });
    const lines = (given: Mapping) => {
      const [common, own] = [fields({}), fields(given)];
      const all = fleetDiffLines([task('One', { lb1: common, lb2: common, lb3: own })], palette);
      return all.slice(all.indexOf('  cloud "a" on lb3'));
    };
    expect(lines({ b: 2 })).to.deep.equal([
      '  cloud "a" on lb3',
      '    + b: 2',
      '    … and 6 lines as in the first diff',
    ]);
    expect(lines({ list: [{ x: 1, y: 2 }] })).to.deep.equal([
      '  cloud "a" on lb3',
      '    + list:',
      '    +   - x: 1',
      '    +     y: 2',
      '    … and 4 lines as in the first diff',
    ]);
    expect(lines({ a: 2, b: 2, c: 2 })).to.deep.equal([
      '  cloud "a" on lb3',
      '    + a: 2',
      '    + b: 2',
      '    + c: 2',
      '    … and 4 lines as in the first diff',
    ]);
    expect(lines({ a: 2, b: 2, c: 2, d: 2 })).to.have.length(8);
    const short = fleetDiffLines(
      [task('One', { lb1: update({ a: 1, b: 1 }), lb2: update({ a: 1, b: 1 }), lb3: update({ a: 2, b: 1 }) })],
      palette,
    );
    expect(short.slice(-3)).to.deep.equal(['  cloud "a" on lb3', '    + a: 2', '    + b: 1']);
  });

  it('shows the first six tasks of an outline in full, twenty in a line each, and counts the others', () => {
    const tasks = (size: number) =>
      Array.from({ length: size }, (_, at) => task(`T${at + 1}`, { lb1: update({ mtu: at }) }));
    const outline = (size: number) => fleetDiffLines(tasks(size), palette, { outline: true });
    expect(outline(6)).to.have.length(18);
    expect(outline(7).slice(18)).to.deep.equal([
      'T7: cloud "a" on 1 controller: mtu',
      '… --diff=fleet shows these in full',
    ]);
    expect(outline(27).slice(18 + 20)).to.deep.equal(['… and 1 other task; --diff=fleet shows these in full']);
    expect(fleetDiffLines(tasks(7), palette)).to.have.length(21);
    expect(outlineLines([], 'x', palette)).to.deep.equal([]);
  });

  it('names four fields of the most frequent change in an outline', () => {
    const [one] = [
      task('One', {
        lb1: update({ a: 1, b: { c: 1, d: 1 }, e: [1], f: 1 }),
        lb2: update({ z: 1 }),
        lb3: update({ y: 1 }),
      }),
    ];
    const groups = one.changes.flatMap(({ change }) => change ?? []);
    expect(outlined('One', groups)).to.equal('One: cloud "a" on 1 controller: a, b, e, f, and 2 other changes');
    expect(outlined('One', groups.slice(0, 2))).to.match(/, and 1 other change$/);
    expect(outlined('One', [])).to.equal('One');
  });

  it('shortens fields as it is told, and lists up to three values of a template', () => {
    const groups = new ChangeGroups();
    for (const [at, controller] of ['lb1', 'lb2', 'lb3'].entries())
      groups.add({ controller }, update({ mtu: Math.min(at, 1), a: 1 }), { mtu: '{{ mtu }}' });
    const [group] = groups.sorted;
    if (group === undefined) throw new Error('no change');
    expect(groupDiffLines(group, undefined, palette, (lines) => lines.slice(0, 1))).to.deep.equal([
      '  cloud "a" on 3 controllers: lb1, lb2, lb3',
      '    + mtu: "{{ mtu }}"',
      '    {{ mtu }}: 2 values: 1 (2 controllers), 0 (lb1)',
    ]);
    const value = (text: string) => [text, ['lb1']] as const;
    expect(variedText({ template: '{{ a }}', values: ['x\ny', 'b', 'c'].map(value) })).to.equal(
      '{{ a }}: 3 values: x y (lb1), b (lb1), c (lb1)',
    );
    expect(variedText({ template: '{{ a }}', values: ['a', 'b', 'c', 'd'].map(value) })).to.equal('{{ a }}: 4 values');
  });
});
