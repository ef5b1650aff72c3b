import { expect } from 'chai';
import {
  compareControllers,
  findOutliers,
  foldColumn,
  foldText,
  isEqualEverywhere,
} from '../../../src/capture/compare/compare.js';
import type { FleetObject } from '../../../src/capture/playbook/fleet_object.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { builtInKinds } from '../../../src/kinds/kind_table.js';

function object(kind: string, name: string | undefined, fields: Mapping): FleetObject {
  const all = name === undefined ? fields : { ...fields, name };
  return { kind, name, cloud: undefined, fields: all, refers: [], builtIn: false };
}

function controller(name: string, objects: readonly FleetObject[], variables: Readonly<Record<string, string>> = {}) {
  const kinds = new Set(['cloud', 'pool', 'systemconfiguration']);
  return { name, kinds, objects, variables: new Map(Object.entries(variables)) };
}

const cloud = (mtu: number) => object('cloud', 'edge', { mtu, dhcp_enabled: true });

const compareAll = (controllers: Parameters<typeof compareControllers>[0]) =>
  compareControllers(controllers, builtInKinds());

describe('the comparison of controllers', () => {
  it('groups controllers by equal objects, the largest group first', () => {
    const [one] = compareAll([
      controller('lb1', [cloud(9000)]),
      controller('lb2', [cloud(1400)]),
      controller('lb3', [cloud(1400)]),
      controller('lb4', []),
    ]);
    expect(one?.groups.map(({ controllers }) => controllers)).to.deep.equal([['lb2', 'lb3'], ['lb1']]);
    expect(one?.missing).to.deep.equal(['lb4']);
    expect(one && findOutliers(one)).to.deep.equal(['lb1', 'lb4']);
  });

  it('treats a missing field, an empty field and the default as equal', () => {
    const [one] = compareAll([
      controller('lb1', [object('pool', 'web', { default_server_port: 80, servers: [] })]),
      controller('lb2', [object('pool', 'web', {})]),
      controller('lb3', [object('pool', 'web', { servers: null })]),
      controller('lb4', [object('pool', 'web', { analytics_policy: { enable_realtime_metrics: null } })]),
    ]);
    expect(one && isEqualEverywhere(one)).to.equal(true);
  });

  it('does not report an object as missing if its kind was not read', () => {
    const unread = { ...controller('lb2', []), kinds: new Set<string>() };
    const [one] = compareAll([controller('lb1', [cloud(9000)]), unread]);
    expect(one && isEqualEverywhere(one)).to.equal(true);
    const read = controller('lb2', []);
    for (const kinds of [new Set<string>(), read.kinds]) {
      const tenants = new Map([['blue', kinds]]);
      const [placed] = compareAll([controller('lb1', [{ ...cloud(9000), tenant: 'blue' }]), { ...read, tenants }]);
      expect(placed?.missing).to.have.length(kinds.size === 0 ? 0 : 1);
    }
  });

  it('reports an object that few controllers have as their difference', () => {
    const [one] = compareAll([controller('lb1', []), controller('lb2', [cloud(1400)]), controller('lb3', [])]);
    expect(one && findOutliers(one)).to.deep.equal(['lb2']);
  });

  it("ignores differences that inventory variables or the controller's name explain", () => {
    const system = (domain: string, host: string) =>
      object('systemconfiguration', undefined, { dns: { search_domain: domain, list: [`ns.${host}`] } });
    const controllers = [
      controller('lb1', [system('ber.example', 'lb1')], { domain: 'ber.example' }),
      controller('lb2', [system('par.example', 'lb2')], { domain: 'par.example' }),
      controller('lb3', [system('par.example', 'lb3')], { domain: 'rom.example' }),
    ];
    const [one] = compareAll(controllers);
    expect(one?.groups.map(({ controllers: names }) => names)).to.deep.equal([['lb1', 'lb2'], ['lb3']]);
    expect(one?.groups[0].fields).to.deep.equal({
      dns: { search_domain: '{{ domain }}', list: ['ns.{{ inventory_hostname }}'] },
    });
  });

  it('matches objects that are named after their controllers', () => {
    const edge = (name: string, mtu: number) => object('cloud', `edge-${name}`, { mtu });
    const compared = compareAll([
      controller('lb1', [edge('lb1', 1500), edge('x', 1)]),
      controller('lb2', [edge('lb2', 1500)]),
      controller('lb3', [edge('lb3', 9000)]),
    ]);
    expect(compared.map(({ name }) => name)).to.deep.equal(['edge-x', 'edge-{{ inventory_hostname }}']);
    expect(compared[1] && findOutliers(compared[1])).to.deep.equal(['lb3']);
    expect(compared[1]?.groups.map(({ fields }) => fields)).to.deep.equal([
      { name: 'edge-{{ inventory_hostname }}' },
      { mtu: 9000, name: 'edge-{{ inventory_hostname }}' },
    ]);
  });

  it('keeps an object that all have beside those that are named after their controllers', () => {
    const edge = (name: string, mtu: number) => object('cloud', `edge-${name}`, { mtu });
    const controllers = ['lb1', 'lb2'].map((name) =>
      // Both have edge-lb1 and core-lb2, and each has one of its own name.
      controller(name, [
        edge('lb1', 1500),
        object('cloud', 'core-lb2', { mtu: 1400 }),
        object('pool', `own-${name}`, {}),
      ]),
    );
    const compared = compareAll(controllers).map(({ name, groups, missing }) => [
      name,
      groups.map((group) => group.controllers),
      missing,
    ]);
    expect(compared).to.deep.equal([
      ['core-lb2', [['lb1', 'lb2']], []],
      ['edge-lb1', [['lb1', 'lb2']], []],
      ['own-{{ inventory_hostname }}', [['lb1', 'lb2']], []],
    ]);
  });

  it('keeps each copy of an object that is named after one of its two controllers', () => {
    const edge = (name: string) => object('cloud', `edge-${name}`, {});
    for (const [first, second] of [
      ['lb1', 'lb2'],
      ['lb2', 'lb1'],
    ] as const) {
      const compared = compareAll([controller(first, [edge(first)]), controller(second, [edge(first), edge(second)])]);
      const having = compared.map(({ name, groups }) => [name, groups.flatMap(({ controllers }) => controllers)]);
      expect(Object.fromEntries(having)).to.deep.equal({
        [`edge-${first}`]: [first, second],
        [`edge-${second}`]: [second],
      });
    }
  });

  it('keeps the name of an object that only one controller has under its own name', () => {
    const compared = compareAll([
      controller('lb1', [object('cloud', 'edge-lb1', {}), object('cloud', 'core-lb1', {}), object('cloud', 'x', {})]),
      controller('lb2', [object('cloud', 'core-lb2', {}), object('cloud', 'x', {})]),
    ]);
    expect(compared.map(({ name, missing }) => [name, missing])).to.deep.equal([
      ['core-{{ inventory_hostname }}', []],
      ['edge-lb1', ['lb2']],
      ['x', []],
    ]);
  });

  it('keeps equal values, even if a variable of one controller has the same value', () => {
    const [one] = compareAll([
      controller('lb1', [cloud(9000)], { stage: 'prod' }),
      controller('lb2', [cloud(9000)], { stage: 'edge' }),
    ]);
    expect(one?.groups[0].fields['name']).to.equal('edge');
  });

  it('names fields that differ on most controllers, and does not group controllers by them', () => {
    const names = Array.from({ length: 20 }, (_, at) => `lb${at}`);
    const [one] = compareAll(
      names.map((name, at) =>
        controller(name, [object('cloud', 'edge', { mtu: at === 7 ? 1400 : 9000, label: `x${at * 3}` })]),
      ),
    );
    expect(one?.individual).to.deep.equal(['label']);
    expect(one?.groups.map(({ controllers }) => controllers.length)).to.deep.equal([19, 1]);
  });

  it('sorts objects by kind, name, cloud and tenant', () => {
    const placed = (kind: string, name: string, cloud?: string, tenant?: string) => ({
      ...object(kind, name, {}),
      cloud,
      tenant,
    });
    const all = [
      placed('pool', 'b', 'x', 't2'),
      placed('pool', 'b', 'x', 't1'),
      placed('pool', 'b', 'x'),
      placed('pool', 'b', 'a', 't9'),
      placed('pool', 'b'),
      placed('pool', 'a', 'z'),
      placed('cloud', 'z'),
      object('systemconfiguration', undefined, { mtu: 1 }),
    ];
    for (const objects of [all, all.toReversed()])
      expect(
        compareAll([controller('lb1', objects)]).map(({ kind, name, cloud: of, tenant }) =>
          [kind, name, of, tenant].join(),
        ),
      ).to.deep.equal([
        'cloud,z,,',
        'pool,a,z,',
        'pool,b,,',
        'pool,b,a,t9',
        'pool,b,x,',
        'pool,b,x,t1',
        'pool,b,x,t2',
        'systemconfiguration,,,',
      ]);
  });

  it('says that objects are equal only if none is missing and no field differs on most', () => {
    const one = (given: object) => ({
      kind: 'cloud',
      name: 'a',
      cloud: undefined,
      tenant: undefined,
      groups: [{ controllers: ['lb1'], fields: cloud(1).fields }] as const,
      missing: [],
      individual: [],
      ...given,
    });
    expect(isEqualEverywhere(one({}))).to.equal(true);
    expect(isEqualEverywhere(one({ missing: ['lb2'] }))).to.equal(false);
    expect(isEqualEverywhere(one({ individual: ['mtu'] }))).to.equal(false);
    expect(isEqualEverywhere(one({ missing: ['lb2'], individual: ['mtu'] }))).to.equal(false);
    const groups = (...all: readonly (readonly string[])[]) => all.map((controllers) => ({ controllers, fields: {} }));
    expect(isEqualEverywhere(one({ groups: groups(['lb1'], ['lb2']) }))).to.equal(false);
    const outliers = (held: readonly (readonly string[])[], missing: readonly string[]) =>
      findOutliers(one({ groups: groups(...held), missing }));
    expect(outliers([['a', 'b'], ['c']], ['d', 'e', 'f'])).to.deep.equal(['c', 'd', 'e', 'f']);
    expect(outliers([['a', 'b'], ['c']], ['d', 'e', 'f', 'g'])).to.deep.equal(['a', 'b', 'c']);
  });

  it('keeps fields of objects that exist once, empty or default, but not nothing', () => {
    const system = (fields: Mapping) => object('systemconfiguration', undefined, fields);
    const [one] = compareAll([
      controller('lb1', [system({ a: { b: null, c: [], d: 1 }, e: null, list: [{ x: 1, y: null, z: {} }, null] })]),
      controller('lb2', [system({ a: { d: 1 }, f: [], list: [{ x: 1 }, null] })]),
      controller('lb3', [system({ a: { d: 1, g: '' }, h: { i: [{}] } })]),
    ]);
    expect(one?.groups.map(({ controllers, fields }) => [controllers.join(), fields])).to.deep.equal([
      ['lb1,lb2', { a: { d: 1 }, list: [{ x: 1 }, null] }],
      ['lb3', { a: { d: 1, g: '' }, h: { i: [{}] } }],
    ]);
  });
});

describe('the values of one field on several controllers', () => {
  const named = (name: string, variables: Readonly<Record<string, string>> = {}) => ({
    name,
    variables: new Map(Object.entries(variables)),
  });
  const fold = (
    values: readonly (Value | undefined)[],
    variables: readonly Readonly<Record<string, string>>[] = [],
  ) => {
    const individual: string[] = [];
    const controllers = values.map((_, at) => named(`lb${at + 1}`, variables[at]));
    return { folded: foldColumn(values, controllers, individual), individual };
  };

  it('are variables where that makes fewer differences, not where it makes more', () => {
    const sites = [{ site: 'paris' }, { site: 'madrid' }, { site: 'madrid' }];
    expect(fold(['paris', 'madrid', 'other'], sites).folded).to.deep.equal(['{{ site }}', '{{ site }}', 'other']);
    expect(fold(['paris', 'paris', 'other'], sites).folded).to.deep.equal(['paris', 'paris', 'other']);
    expect(fold(['paris', 'paris', 'paris'], sites).folded).to.deep.equal(['paris', 'paris', 'paris']);
    expect(fold(['on lb1', 'on lb2', 'on lb4']).folded).to.deep.equal([
      'on {{ inventory_hostname }}',
      'on {{ inventory_hostname }}',
      'on lb4',
    ]);
    expect(foldText('abc', named('x', { long: 'abc', other: 'abc' }))).to.equal('{{ long }}');
    expect(foldText('ab', named('x', { short: 'ab' }))).to.equal('ab');
  });

  it('are compared field by field, and element by element in lists of one length', () => {
    const sites = [{ site: 'paris' }, { site: 'madrid' }];
    expect(
      fold(
        [
          { a: { b: 'paris', c: 1 }, l: ['x', 'paris'] },
          { a: { b: 'madrid' }, l: ['y', 'madrid'], m: 2 },
        ],
        sites,
      ).folded,
    ).to.deep.equal([
      { a: { b: '{{ site }}', c: 1 }, l: ['x', '{{ site }}'] },
      { a: { b: '{{ site }}' }, l: ['y', '{{ site }}'], m: 2 },
    ]);
    expect(fold([['paris'], ['madrid', 'x']], sites).folded).to.deep.equal([['paris'], ['madrid', 'x']]);
    expect(fold([['paris'], 'madrid'], sites).folded).to.deep.equal([['paris'], '{{ site }}']);
    expect(fold([{ a: 'paris' }, undefined], sites).folded).to.deep.equal([{ a: '{{ site }}' }, undefined]);
  });

  it('have their fields in the order of the alphabet, on each controller', () => {
    const { folded } = fold([
      { b: 1, a: 2 },
      { c: 3, a: 2 },
    ]);
    expect(folded.map((one) => Object.keys(one as object))).to.deep.equal([
      ['a', 'b'],
      ['a', 'c'],
    ]);
  });

  it('are one text if most of more than ten controllers differ, with the path of the field', () => {
    const many = (size: number, distinct: number, wrap: (n: number) => Value = (n) => n) =>
      fold(Array.from({ length: size }, (_, at) => wrap(Math.min(at, distinct - 1))));
    const text = '‹differs on most controllers›';
    expect(many(10, 10).individual).to.deep.equal([]);
    expect(many(12, 6).individual).to.deep.equal([]);
    expect(many(12, 7)).to.deep.equal({ folded: new Array(12).fill(text), individual: [''] });
    const { folded, individual } = many(11, 11, (n) => ({ a: 1, b: { c: [0, n], d: n } }));
    expect(individual).to.deep.equal(['b.c[1]', 'b.d']);
    expect(folded[3]).to.deep.equal({ a: 1, b: { c: [0, text], d: text } });
  });
});
