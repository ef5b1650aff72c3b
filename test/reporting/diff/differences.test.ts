import { expect } from 'chai';
import fc from 'fast-check';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { diffLines, paintDiff } from '../../../src/reporting/diff/diff_text.js';
import { commonItems, differences, type Difference } from '../../../src/reporting/diff/differences.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

function update(before: Mapping, after: Mapping): readonly string[] {
  return diffLines({ kind: 'update', object: 'cloud "edge"', before, after });
}

describe('a diff', () => {
  it('shows replaced, added and removed values with their paths', () => {
    const before = { name: 'edge', mtu: 1500, dns: { domain: 'a.example', ttl: 5 }, old: { x: [1] } };
    const after = { name: 'edge', mtu: 9000, dns: { domain: 'b.example', ttl: 5 }, tags: [{ key: 'a', values: [] }] };
    expect(update(before, after)).to.deep.equal([
      'cloud "edge"',
      '- mtu: 1500',
      '+ mtu: 9000',
      '- dns.domain: a.example',
      '+ dns.domain: b.example',
      '+ tags:',
      '+   - key: a',
      '+     values: []',
      '- old:',
      '-   x:',
      '-     - 1',
    ]);
  });

  it('finds the unchanged elements of a list', () => {
    const server = (addr: string): Mapping => ({ addr, type: 'V4' });
    const before = { list: [server('10.0.0.1'), server('10.0.0.2'), server('10.0.0.3')] };
    const after = { list: [server('10.0.0.9'), server('10.0.0.1'), server('10.0.0.3'), server('10.0.0.4')] };
    expect(update(before, after)).to.deep.equal([
      'cloud "edge"',
      '+ list[0]:',
      '+   addr: 10.0.0.9',
      '+   type: V4',
      '- list[1]:',
      '-   addr: 10.0.0.2',
      '-   type: V4',
      '+ list[3]:',
      '+   addr: 10.0.0.4',
      '+   type: V4',
    ]);
  });

  it('shows an element that changed as changed', () => {
    expect(update({ list: [{ a: 1, b: 2 }] }, { list: [{ a: 1, b: 3 }] })).to.deep.equal([
      'cloud "edge"',
      '- list[0].b: 2',
      '+ list[0].b: 3',
    ]);
  });

  it('quotes texts that look like other values, and keeps the lines of texts', () => {
    const after = {
      a: 'yes',
      b: '1500',
      c: '',
      d: 'x: y',
      e: 'it is "so"',
      f: 'one\n two\n',
      g: null,
      h: ' x',
      i: '10.0.0.1',
    };
    expect(diffLines({ kind: 'create', object: 'x', before: null, after })).to.deep.equal([
      'x (new)',
      '+ a: "yes"',
      '+ b: "1500"',
      '+ c: ""',
      '+ d: "x: y"',
      '+ e: it is "so"',
      '+ f: |',
      '+   one',
      '+    two',
      '+ g: null',
      '+ h: " x"',
      '+ i: 10.0.0.1',
    ]);
  });

  it('has colours by its signs', () => {
    const palette = createPalette(true);
    for (const [line, paint] of [
      ['+ a: 1', 'good'],
      ['- a: 1', 'bad'],
      ['~ a: 1', 'changed'],
    ] as const)
      expect(paintDiff(line, palette)).to.equal(palette[paint](line));
    for (const line of ['cloud + ', '+a', '-a', 'a ~ ', '  … cut here'])
      expect(paintDiff(line, palette)).to.equal(line);
  });

  it('shows secrets that change, deletions, and nothing of what is only sent', () => {
    const secret = '‹secret changed›';
    expect(update({ a: 'x', b: 1 }, { a: secret, b: secret })).to.deep.equal([
      'cloud "edge"',
      `~ a: ${secret}`,
      `~ b: ${secret}`,
    ]);
    const removed = { kind: 'delete', object: 'x', before: { a: 1, b: [2] }, after: null } as const;
    expect(diffLines(removed)).to.deep.equal(['x (deleted)', '- a: 1', '- b:', '-   - 2']);
    expect(diffLines({ kind: 'invoke', object: 'POST /api/x', before: null, after: null })).to.deep.equal([
      'POST /api/x',
    ]);
    expect(diffLines({ kind: 'none' })).to.deep.equal([]);
  });

  it('begins long texts shortly before they differ', () => {
    const shown = (same: number) => update({ a: `${'s'.repeat(same)}b` }, { a: `${'s'.repeat(same)}c` }).slice(1);
    expect(shown(5000)).to.deep.equal([`- a: "…${'s'.repeat(200)}b"`, `+ a: "…${'s'.repeat(200)}c"`]);
    expect(shown(4999).map((line) => line.slice(0, 6))).to.deep.equal(['- a: s', '+ a: s']);
    // Half of a word may be half of a secret.
    const word = (length: number) => `${'s '.repeat(4000)}${'t'.repeat(length)}`;
    const begin = (length: number) =>
      update({ a: `${word(length)}b` }, { a: `${word(length)}c` }).map((line) => line.slice(5, 8 + length));
    expect(begin(1000).slice(1)).to.deep.equal([`"…${'t'.repeat(1000)}b`, `"…${'t'.repeat(1000)}c`]);
    expect(begin(2000)[1]).to.equal(`"…${'t'.repeat(200)}b"`);
    const end = (words: number) => {
      const after = { a: `${'s '.repeat(words)}${'t'.repeat(2000)}` };
      return diffLines({ kind: 'create', object: 'x', before: null, after })[1];
    };
    expect(end(4300)).to.match(/ s … \(cut here: -o json shows all\)"$/);
    expect(end(4200)).to.match(/ s t{1600}… \(cut here: -o json shows all\)"$/);
    expect(update({ a: 'x' }, { a: 1 })).to.deep.equal(['cloud "edge"', '- a: x', '+ a: 1']);
  });

  it('is cut after 400 lines', () => {
    const fields = (number: number) => Object.fromEntries(Array.from({ length: number }, (_, at) => [`f${at}`, at]));
    expect(update({}, fields(399))).to.have.length(400);
    expect(update({}, fields(400)).slice(398)).to.deep.equal([
      '+ f397: 397',
      '+ f398: 398',
      '  … cut here, after 400 lines',
    ]);
  });

  it('pairs elements between those that did not change', () => {
    const paths = (before: readonly Value[], after: readonly Value[]) =>
      differences({ kind: 'update', object: 'x', before: { l: before }, after: { l: after } }).map(
        (one) => `${one.type} ${one.path.slice(1).join('.')}`,
      );
    expect(paths([1, 2, 3], [1, 3])).to.deep.equal(['removed 1']);
    expect(paths([1, 3], [1, 2, 3])).to.deep.equal(['added 1']);
    expect(paths([1, 2, 9, 3], [1, 7, 3])).to.deep.equal(['replaced 1', 'removed 2']);
    expect(paths([1, 7, 3], [1, 2, 9, 3])).to.deep.equal(['replaced 1', 'added 2']);
    expect(paths([1, 1, 2], [1, 2, 2])).to.deep.equal(['replaced 1']);
    expect(paths([5, 1, 2], [1, 2, 6])).to.deep.equal(['removed 0', 'added 2']);
    expect(paths([], [1])).to.deep.equal(['replaced ']);
    expect(paths([1], [])).to.deep.equal(['replaced ']);
    expect(commonItems(['a', 'b', 'c', 'd'], ['x', 'b', 'y', 'd'])).to.deep.equal([
      [1, 1],
      [3, 3],
    ]);
    expect(commonItems(['a', 'b', 'a'], ['a', 'c', 'a', 'b'])).to.deep.equal([
      [0, 0],
      [2, 2],
    ]);
  });

  it('reports that it could not compare', () => {
    expect(diffLines({ kind: 'update', object: 'system configuration', before: null, after: { a: 1 } })).to.deep.equal([
      'system configuration (could not be compared)',
      '+ a: 1',
    ]);
  });

  it('is cut if it is too long to read', () => {
    const after = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field_${index}`, index]));
    const lines = diffLines({ kind: 'create', object: 'x', before: null, after });
    expect(lines).to.have.length(401);
    expect(lines.at(-1)).to.equal('  … cut here, after 400 lines');
  });

  it('can have any number of differences', () => {
    const rows = (text: string): Mapping =>
      Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`row${at}`, text]));
    for (const [before, after] of [
      [{ all: rows('a') }, { all: rows('b') }],
      [{}, { all: rows('b') }],
      [{ all: rows('a') }, {}],
      [{ list: Object.keys(rows('')) }, { list: Object.values(rows('')) }],
    ] as const) {
      expect(update(before, after).at(-1)).to.equal('  … cut here, after 400 lines');
    }
  });

  it('finds elements that were inserted into a long list', () => {
    const before = Array.from({ length: 200_000 }, (_, at) => `row ${at}`);
    const after = ['new', ...before.slice(0, 1000), 'newer', ...before.slice(1000)];
    expect(update({ list: before }, { list: after.slice(1) })).to.deep.equal(['cloud "edge"', '+ list[1000]: newer']);
    expect(update({ list: after }, { list: after.slice(1) })).to.deep.equal(['cloud "edge"', '- list[0]: new']);
  });

  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Value>;
  const mapping = fc.dictionary(fc.string(), json);

  it('is empty for equal objects only', () => {
    const find = (before: Mapping, after: Mapping): readonly Difference[] =>
      differences({ kind: 'update', object: 'x', before, after });
    fc.assert(
      fc.property(mapping, mapping, (a, b) => {
        expect(find(a, structuredClone(a))).to.deep.equal([]);
        const sorted = (one: Mapping): string => JSON.stringify(one, (_key, value: Value) => orderedKeys(value));
        if (sorted(a) !== sorted(b)) expect(find(a, b)).to.not.deep.equal([]);
      }),
    );
  });

  it('pairs equal elements in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4)), fc.array(fc.nat(4)), (before, after) => {
        const pairs = commonItems(before, after);
        expect(pairs.length).to.equal(longestCommon(before, after));
        for (const [index, [i, j]] of pairs.entries()) {
          expect(before[i]).to.equal(after[j]);
          const [previousI, previousJ] = pairs[index - 1] ?? [-1, -1];
          expect(i > previousI && j > previousJ).to.equal(true);
        }
      }),
    );
  });
});

/** The length of the longest list that is part of both. */
function longestCommon(before: readonly number[], after: readonly number[]): number {
  let row = after.map(() => 0);
  for (const one of before) {
    const next: number[] = [];
    for (const [at, other] of after.entries())
      next.push(one === other ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next.at(-1) ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

function orderedKeys(value: Value): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries<Value>(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('diffs of a run', () => {
  const update = (name: string, mtu: number): object => ({
    kind: 'update',
    object: `cloud "${name}-edge"`,
    before: { mtu: 1500, password: 'old1', fqdn: `old.${name}.example` },
    after: { mtu, password: 'new1', fqdn: `${name}.example` },
  });

  function events(number: number): readonly ReturnType<EventMaker['runStarted']>[] {
    const make = new EventMaker();
    const names = controllerNames(number);
    return [
      make.playStarted(names, { tasks: 1 }),
      ...names.map((name, index) =>
        make.taskFinished(name, 'changed', { diff: true, change: update(name, index === 1 ? 4000 : 9000) as never }),
      ),
      make.playFinished(),
    ];
  }

  it('are printed below each change', async () => {
    const { stdout } = await reported(events(1));
    expect(stdout).to.equal(`
play Roll out · 1 controller · 1 task
changed      lb01  Create the cloud: updated cloud "lb01-edge": mtu, password, fqdn
    cloud "lb01-edge"
    - mtu: 1500
    + mtu: 9000
    ~ password: ‹secret changed›
    - fqdn: old.lb01.example
    + fqdn: lb01.example
`);
  });

  it('are grouped for the fleet, even if they differ in the name of the controller', async () => {
    const { stdout } = await reported(events(1000), { diff: 'fleet' });
    expect(stdout.slice(stdout.indexOf('diff of'))).to.equal(`diff of Create the cloud
  cloud "{{inventory_hostname}}-edge" on 999 controllers: lb0001, lb0003, lb0004, lb0005, lb0006 and 994 more
    - mtu: 1500
    + mtu: 9000
    ~ password: ‹secret changed›
    - fqdn: old.{{inventory_hostname}}.example
    + fqdn: {{inventory_hostname}}.example
  cloud "lb0002-edge" on lb0002
    - mtu: 1500
    + mtu: 4000
    ~ password: ‹secret changed›
    - fqdn: old.lb0002.example
    + fqdn: lb0002.example
`);
  });
});
