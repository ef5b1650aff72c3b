import { expect } from 'chai';
import type { FleetComparison } from '../../../src/capture/capture_fleet.js';
import { foldText, type ObjectComparison } from '../../../src/capture/compare/compare.js';
import { comparisonJson, comparisonText, unreadLines } from '../../../src/capture/compare/text.js';
import type { Unread } from '../../../src/capture/fleet_collector.js';
import type { FleetObject } from '../../../src/capture/playbook/fleet_object.js';
import { Levels } from '../../../src/capture/playbook/levels.js';
import { CapturedNames } from '../../../src/capture/playbook/shared_content.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import type { Masked } from '../../../src/core/secrets/mask_text.js';
import { isSecretName } from '../../../src/core/secrets/names.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { createPalette } from '../../../src/reporting/text/palette.js';

const PLAIN = createPalette(false);

function object(
  name: string,
  groups: ObjectComparison['groups'],
  given: Partial<ObjectComparison> = {},
): ObjectComparison {
  return {
    kind: 'cloud',
    name,
    cloud: undefined,
    tenant: undefined,
    missing: [],
    individual: [],
    groups,
    ...given,
  };
}

function group(controllers: readonly string[], fields: Mapping = {}) {
  return { controllers, fields };
}

function names(number: number): readonly string[] {
  return Array.from({ length: number }, (_, at) => `lb${at + 1}`);
}

function comparison(objects: readonly ObjectComparison[], given: Partial<FleetComparison> = {}): FleetComparison {
  return { objects, controllers: names(3), kinds: ['cloud'], unread: [], interrupted: false, isEqual: false, ...given };
}

function text(...given: Parameters<typeof comparison>): readonly string[] {
  return comparisonText(comparison(...given), new Secrets(), PLAIN)
    .trimEnd()
    .split('\n');
}

/** As if masked: there is no secret in it. */
function unread(controller: string, message: string, kind?: string): Unread {
  return { controller, message: message as Masked<string>, ...(kind !== undefined && { kind }) };
}

describe('the text of a comparison', () => {
  const EQUAL = object('edge', [group(names(3))]);

  it('says what is equal', () => {
    expect(text([])).to.deep.equal(['compared 3 controllers', 'no objects of these kinds']);
    expect(text([EQUAL, EQUAL])).to.deep.equal(['compared 3 controllers', '2 objects equal on all 3 controllers']);
    const one = { controllers: ['lb1'] };
    expect(text([object('edge', [group(['lb1'])])], one)).to.deep.equal([
      'compared 1 controller',
      '1 object on 1 controller',
    ]);
    expect(text([EQUAL], { unread: [unread('lb1', 'no', 'pool')] })).to.deep.equal([
      'compared 3 controllers',
      '1 object equal on all controllers that show them',
      'not read: lb1: pool: no',
    ]);
    const none = { controllers: [], unread: [unread('lb1', 'no')] };
    expect(text([], none)).to.deep.equal(['not read: lb1: no', 'nothing was compared']);
  });

  it('says for each of two objects who differs, lacks it or has it alone', () => {
    const differs = object('a', [group(['lb1', 'lb2'], { mtu: 1, x: 2 }), group(['lb3'], { mtu: 9, x: 2 })]);
    const lacking = object('b', [group(['lb1', 'lb3'])], { missing: ['lb2'] });
    const alone = object('c', [group(['lb2'])], { missing: ['lb1', 'lb3'] });
    const individual = object('d', [group(names(3))], { individual: ['a.b', 'c\u009b2J'] });
    expect(text([differs, lacking, alone, individual, EQUAL])).to.deep.equal([
      'compared 3 controllers: 2 differ from the majority: lb2, lb3',
      'cloud "a": equal on 2 controllers',
      '  different on lb3',
      '    - mtu: 1',
      '    + mtu: 9',
      'cloud "b": equal on 2 controllers',
      '  missing on lb2',
      'cloud "c": only on lb2',
      'cloud "d": equal on 3 controllers',
      '  fields that differ on most controllers: a.b, c',
      '1 other object equal on all 3 controllers',
    ]);
    expect(text([lacking])[0]).to.equal('compared 3 controllers: 1 differs from the majority: lb2');
    expect(text([individual])[0]).to.equal(
      'compared 3 controllers: they differ only in fields whose values differ on most of them',
    );
  });

  it('names five controllers that differ, and four fields', () => {
    const differ = (number: number) => {
      const others = group(names(9 + number).slice(9), { mtu: 2 });
      return text([object('a', [group(names(9), { mtu: 1 }), others])], { controllers: names(9 + number) });
    };
    const five = 'lb10, lb11, lb12, lb13, lb14';
    expect(differ(5).slice(0, 3)).to.deep.equal([
      `compared 14 controllers: 5 differ from the majority: ${five}`,
      'cloud "a": equal on 9 controllers',
      `  different on 5 controllers: ${five}`,
    ]);
    expect([differ(6)[0], differ(6)[2]]).to.deep.equal([
      `compared 15 controllers: 6 differ from the majority: ${five} and 1 more`,
      `  different on 6 controllers: ${five} and 1 more`,
    ]);
    const individual = (number: number) =>
      text([object('d', [group(names(3))], { individual: names(number).map((name) => `f.${name}`) })])[2];
    const four = 'f.lb1, f.lb2, f.lb3, f.lb4';
    expect(individual(4)).to.equal(`  fields that differ on most controllers: ${four}`);
    expect(individual(5)).to.equal(`  fields that differ on most controllers: ${four} and 1 more`);
  });

  it('has 20 objects, 10 groups of each and 12 lines of each group', () => {
    const all = names(12);
    const fields = (number: number): Mapping => Object.fromEntries(names(number).map((name) => [name, 1]));
    const lacking = Array.from({ length: 21 }, (_, at) =>
      object(`o${at}`, [group(['lb1', 'lb2'])], { missing: ['lb3'] }),
    );
    expect(text(lacking).slice(-3)).to.deep.equal([
      'cloud "o19": equal on 2 controllers',
      '  missing on lb3',
      '1 more object with differences; --json shows all',
    ]);
    expect(text(lacking.slice(1)).at(-1)).to.equal('  missing on lb3');
    const groups = (number: number) =>
      text([
        object('a', [group(['lb0']), ...all.slice(0, number).map((name, at) => group([name], { mtu: at }))]),
      ]).filter((line) => /^ {2}\w/.test(line));
    expect(groups(10)).to.have.length(10);
    expect(groups(12).slice(9)).to.deep.equal([
      '  different on lb10',
      '  and 2 more different groups; --json shows each',
    ]);
    const lines = (number: number) =>
      text([object('a', [group(['lb1', 'lb2']), group(['lb3'], fields(number))])]).slice(3);
    expect(lines(12)).to.have.length(12);
    expect(lines(12).at(-1)).to.match(/^ {4}\+ lb\d+: 1$/);
    expect(lines(13)).to.have.length(12);
    expect(lines(13).at(-1)).to.equal('    … 2 more lines; --json shows all');
  });

  it('says what was not read once for each cause, up to 10', () => {
    const same = ['lb1', 'lb2'].map((name) => unread(name, `no answer from ${name}`));
    expect(
      unreadLines([...same, unread('lb3', 'no answer from lb3', 'pool'), unread('lb3', 'other')], PLAIN),
    ).to.deep.equal([
      'not read: 2 controllers: lb1, lb2: no answer from lb1',
      'not read: lb3: pool: no answer from lb3',
      'not read: lb3: other',
    ]);
    const reasons = (number: number) =>
      unreadLines(
        Array.from({ length: number }, (_, at) => unread('lb1', `cause ${'x'.repeat(at)}`)),
        PLAIN,
      );
    expect(reasons(10)).to.have.length(10);
    expect(reasons(12).slice(9)).to.deep.equal([`not read: lb1: cause ${'x'.repeat(9)}`, 'not read: 2 more reasons']);
  });

  it('has every difference as JSON', () => {
    const before = { gone: 1, mtu: 1, both: { a: 1 } };
    const after = { mtu: 9, both: { a: 1 }, new: 2 };
    const objects = [
      object('a', [group(['lb1', 'lb2'], before), group(['lb3'], after)], { tenant: 'blue', cloud: 'core' }),
      EQUAL,
    ];
    const json: unknown = JSON.parse(
      comparisonJson(comparison(objects, { unread: [unread('lb9', 'no')] }), new Secrets()),
    );
    const common = { kind: 'cloud', missing: [], individual: [] };
    expect(json).to.deep.equal({
      kinds: ['cloud'],
      controllers: names(3),
      unread: [{ controller: 'lb9', tenant: null, kind: null, message: 'no' }],
      objects: [
        {
          ...common,
          name: 'a',
          cloud: 'core',
          tenant: 'blue',
          equal: false,
          majority: ['lb1', 'lb2'],
          different: [
            {
              controllers: ['lb3'],
              differences: [
                { path: 'mtu', majority: 1, value: 9 },
                { path: 'new', value: 2 },
                { path: 'gone', majority: 1 },
              ],
            },
          ],
        },
        { ...common, name: 'edge', cloud: null, tenant: null, equal: true, majority: names(3), different: [] },
      ],
    });
  });
});

describe('what a captured project shares', () => {
  it('is the first variable with the value of a text, unless it is short, else the name', () => {
    const variables = new Map([
      ['short', 'ab'],
      ['zone', 'abc'],
      ['other', 'abc'],
    ]);
    const of = (value: string): string => foldText(value, { name: 'lb1.example.com', variables });
    expect(['ab', 'abc', 'abcd', 'on lb1.example.com', 'on lb1'].map(of)).to.deep.equal([
      'ab',
      '{{ zone }}',
      'abcd',
      'on {{ inventory_hostname }}',
      'on {{ inventory_hostname_short }}',
    ]);
  });

  it('has names that are given once, of at most 120 characters', () => {
    const captured = new CapturedNames();
    expect(captured.unique('captured', 'cloud', '', 'Edge 1', '_x_')).to.equal('captured_cloud_edge_1_x');
    expect(captured.unique('captured', 'cloud', 'edge-1', 'x')).to.equal('captured_cloud_edge_1_x_2');
    expect(captured.unique('captured_cloud_edge_1_x')).to.equal('captured_cloud_edge_1_x_3');
    const secret = captured.unique('captured', 'a'.repeat(300), 'key', 'secret');
    expect([secret.length, isSecretName(secret), secret.slice(-11)]).to.deep.equal([120, true, '_key_secret']);
    const long = (middle: string, names = new CapturedNames()): string =>
      names.unique('a'.repeat(90), middle, 'b'.repeat(40));
    expect(long('y', captured)).to.equal(long('y'));
    expect(long('x', captured)).to.equal(long('x')).and.not.equal(long('y'));
  });

  it('has the same name for an object in every capture, also among others whose names look alike', () => {
    const object = (name: string, cloud?: string): FleetObject => {
      return { kind: 'cloud', name, cloud, fields: {}, refers: [], builtIn: false };
    };
    const [tokyo, osaka, edge] = [object('東京'), object('大阪'), object('edge')];
    const word = (one: FleetObject, ...all: readonly FleetObject[]): string => new CapturedNames(all).object(one);
    expect(word(tokyo, tokyo, osaka, edge)).to.match(/^東京_[0-9a-f]{8}$/);
    expect(word(tokyo, osaka, tokyo)).to.equal(word(tokyo, tokyo, osaka));
    const [here, there] = [object('web', 'a'), object('web', 'b')];
    expect(word(here, here, there)).to.not.equal(word(there, here, there));
    expect(word(edge, tokyo, osaka, edge)).to.equal('edge');
    expect(word(tokyo, tokyo, edge)).to.equal(word(tokyo, tokyo, osaka));
  });

  it('is set for all, for groups that it fits, and for each other controller', () => {
    const levels = new Levels(names(6), [
      { name: 'everyone', members: names(6) },
      { name: 'one', members: ['lb6'] },
      { name: 'wide', members: ['lb1', 'lb2', 'lb3'] },
      { name: 'pair', members: ['lb4', 'lb5'] },
      { name: 'same', members: ['lb4', 'lb5'] },
    ]);
    const covering = (...some: readonly string[]) =>
      levels.covering(new Set(some)).map((one) => ('name' in one ? one.name : one.type));
    expect(covering(...names(6))).to.deep.equal(['all']);
    expect(covering('lb1', 'lb2', 'lb3', 'lb4', 'lb5')).to.deep.equal(['wide', 'same']);
    expect(covering('lb6', 'lb4', 'lb5', 'lb1')).to.deep.equal(['same', 'lb6', 'lb1']);
    expect([...names(3)].map((_, at) => levels.isMajority(new Set(names(at + 2))))).to.deep.equal([false, false, true]);
    const shared = new Levels(names(9), [
      { name: 'first', members: ['lb1', 'lb2', 'lb3'] },
      { name: 'second', members: ['lb2', 'lb3', 'lb4'] },
      { name: 'mixed', members: ['lb5', 'lb6', 'lb9'] },
    ]);
    const values = new Map(names(9).map((name, at) => [name, at < 4 ? 'b' : at < 8 ? 'a' : undefined]));
    values.set('lb9', 'c');
    shared.place('x', values, 'nothing');
    const at = (name: string) =>
      shared.contentByName(name.startsWith('lb') ? { type: 'controller', name } : { type: 'group', name });
    expect(shared.contentByName({ type: 'all' })).to.deep.equal({});
    expect(['first', 'second', 'mixed'].map(at)).to.deep.equal([{}, { x: 'b' }, {}]);
    const own = names(9).flatMap((name) => Object.values(at(name)).map((value) => [name, value]));
    expect(own).to.deep.equal([['lb1', 'b'], ...['lb5', 'lb6', 'lb7', 'lb8'].map((name) => [name, 'a']), ['lb9', 'c']]);
    levels.set({ type: 'all' }, 'z', 1);
    levels.set({ type: 'all' }, 'a', 2);
    levels.set({ type: 'group', name: 'all' }, 'a', 3);
    expect(Object.entries(levels.contentByName({ type: 'all' }))).to.deep.equal([
      ['a', 2],
      ['z', 1],
    ]);
    expect(levels.contentByName({ type: 'group', name: 'all' })).to.deep.equal({ a: 3 });
    expect(levels.contentByName({ type: 'controller', name: 'all' })).to.deep.equal({});
  });
});
