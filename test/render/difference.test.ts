import { expect } from 'chai';
import fc from 'fast-check';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { RenderedController } from '../../src/engine/render/render.js';
import { fleetDifference, FleetFields, type FleetDifference } from '../../src/render/difference.js';

const value = fc.record({
  a: fc.nat(2),
  b: fc.option(fc.nat(1), { nil: undefined }),
  list: fc.array(fc.nat(1), { maxLength: 2 }),
});
type Arguments = typeof value extends fc.Arbitrary<infer T> ? T : never;

function fieldsOf(fleet: readonly Arguments[], prefix: string): FleetFields {
  const fields = new FleetFields();
  for (const [index, { a, b, list }] of fleet.entries()) {
    const args = { a, ...(b !== undefined && { b }), list };
    const tasks = [{ name: 'Cloud', cloud_present: args }, { debug: { msg: `on ${prefix}${index}` } }];
    fields.add({ number: 0, play: 'P', playbook: 'p.yml', controller: `${prefix}${index}`, tasks });
  }
  return fields;
}

function isSame({ groups, perController, onlyBefore, onlyAfter }: FleetDifference): boolean {
  return groups.length + perController + onlyBefore.length + onlyAfter.length === 0;
}

describe('the difference of two fleets', () => {
  it('is empty between a fleet and itself, and between equal fleets with other names', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (fleet) => {
        expect(isSame(fleetDifference(fieldsOf(fleet, 'a'), fieldsOf(fleet, 'a')))).to.equal(true);
        expect(isSame(fleetDifference(fieldsOf(fleet, 'a'), fieldsOf(fleet, 'b')))).to.equal(true);
      }),
    );
  });

  it('lists each controller of both fleets once, with its differing fields', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 1 }), (pairs) => {
        const [before, after] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
        const { groups } = fleetDifference(fieldsOf(before, 'a'), fieldsOf(after, 'a'));
        const different = pairs.flatMap(([one, other], index) =>
          JSON.stringify(one) === JSON.stringify(other) ? [] : [`a${index}`],
        );
        expect(groups.flatMap((group) => group.before).sort()).to.deep.equal(different.sort());
        for (const { before: names, fields } of groups)
          for (const { field, before: was, after: is } of fields) {
            expect(was[0]?.value).to.not.equal(is[0]?.value);
            if (field !== 'cloud_present.a') continue;
            const own = names.map((name) => pairs[Number(name.slice(1))]);
            for (const pair of own)
              expect([was[0]?.value, is[0]?.value]).to.deep.equal(pair?.map(({ a }) => String(a)));
          }
      }),
    );
  });

  it('tells plays of one name apart, also if one fleet has no controllers in the first', () => {
    const fleet = (...mtus: readonly (number | undefined)[]): FleetFields => {
      const fields = new FleetFields();
      for (const [number, mtu] of mtus.entries())
        if (mtu !== undefined)
          fields.add({
            number,
            play: 'all',
            playbook: 'p.yml',
            controller: 'lb1',
            tasks: [{ cloud_present: { mtu } }],
          });
      return fields;
    };
    const tasks = (one: FleetFields, other: FleetFields) =>
      fleetDifference(one, other).groups.flatMap(({ fields }) => fields.map(({ task }) => task));
    expect(tasks(fleet(1, 5), fleet(2, 5))).to.deep.equal(['all › cloud_present']);
    expect(tasks(fleet(1, 5), fleet(1, 6))).to.deep.equal(['all (2) › cloud_present']);
    expect(tasks(fleet(1, 5), fleet(undefined, 5))).to.deep.equal(['all › cloud_present']);
  });

  it('names controllers that only one fleet has', () => {
    const one = { a: 1, b: undefined, list: [] };
    const { groups, onlyBefore, onlyAfter } = fleetDifference(fieldsOf([one, one], 'a'), fieldsOf([one], 'a'));
    expect({ groups, onlyBefore, onlyAfter }).to.deep.equal({ groups: [], onlyBefore: ['a1'], onlyAfter: [] });
  });

  it('counts fields that differ on every controller of both fleets', () => {
    const fleet = (from: number): readonly Arguments[] => [0, 1, 2].map((n) => ({ a: from + n, b: 0, list: [] }));
    const { groups, perController } = fleetDifference(fieldsOf(fleet(0), 'a'), fieldsOf(fleet(10), 'b'));
    expect({ groups, perController }).to.deep.equal({ groups: [], perController: 1 });
  });

  const rendered = (
    controller: string,
    tasks: readonly Mapping[],
    more: Partial<RenderedController> = {},
  ): RenderedController => ({
    number: 0,
    play: 'P',
    playbook: 'p.yml',
    controller,
    tasks,
    ...more,
  });
  const fleet = (...all: readonly RenderedController[]): FleetFields => {
    const fields = new FleetFields();
    for (const one of all) fields.add(one);
    return fields;
  };

  it('names each field by its steps: by name or module, numbered, in blocks, handlers and gates', () => {
    const tasks = [
      { name: 'Same', debug: { msg: 'x' } },
      { name: 'Same', debug: { msg: 'y' } },
      { item: 1, debug: { msg: 'z', list: [1, { a: [] }], empty: {} } },
      { name: 'B', block: [{ debug: { msg: 1 } }], rescue: [{ debug: { msg: 2 } }], always: [{ debug: { msg: 3 } }] },
      { include_role: { name: 'r' }, tasks: [{ debug: { msg: 4 } }] },
      'odd' as never,
      { name: 7, block: 'not steps' },
    ];
    const { controllers } = fleet(
      rendered('lb1', tasks, { handlers: [{ name: 'H', debug: { msg: 'h' } }], gate: [{ debug: { msg: 'on lb1' } }] }),
    );
    expect(
      [...(controllers.get('lb1') ?? [])].map(
        ([key, value]) => `${(JSON.parse(key) as string[]).join(' | ')} = ${value}`,
      ),
    ).to.deep.equal([
      '0 |  › Same | debug.msg = x',
      '0 |  › Same (2) | debug.msg = y',
      '0 |  › debug | item = 1',
      '0 |  › debug | debug.msg = z',
      '0 |  › debug | debug.list[0] = 1',
      '0 |  › debug | debug.list[1].a = []',
      '0 |  › debug | debug.empty = {}',
      '0 |  › B › block › debug | debug.msg = 1',
      '0 |  › B › rescue › debug | debug.msg = 2',
      '0 |  › B › always › debug | debug.msg = 3',
      '0 |  › include_role | include_role.name = r',
      '0 |  › include_role › tasks › debug | debug.msg = 4',
      '0 |  › block | block = not steps',
      '0 |  › handlers › H | debug.msg = h',
      '0 |  › gate › debug | debug.msg = on {{inventory_hostname}}',
    ]);
  });

  it('has controllers of one name together that differ alike, the most first', () => {
    const say = (controller: string, msg: string, more: object = {}) =>
      rendered(controller, [{ name: 'T', debug: { msg, ...more } }]);
    const before = fleet(...['a', 'b', 'c', 'd'].map((name) => say(name, 'old', { gone: 1 })));
    const after = fleet(
      say('a', 'one'),
      say('b', 'two', { gone: 1, own: 2 }),
      say('c', 'two', { gone: 1, own: 2 }),
      say('d', 'old', { gone: 1 }),
      say('e', 'new'),
    );
    const { groups, perController, onlyBefore, onlyAfter } = fleetDifference(before, after);
    expect({ perController, onlyBefore, onlyAfter }).to.deep.equal({
      perController: 0,
      onlyBefore: [],
      onlyAfter: ['e'],
    });
    const shown = groups.map((group) => [
      group.before.join(),
      group.after.join(),
      ...group.fields.map(
        ({ task, field, before: was, after: is }) => `${task} ${field}: ${was[0]?.value} → ${is[0]?.value}`,
      ),
    ]);
    expect(shown).to.deep.equal([
      ['b,c', 'b,c', 'P › T debug.msg: old → two', 'P › T debug.own: undefined → 2'],
      ['a', 'a', 'P › T debug.msg: old → one', 'P › T debug.gone: 1 → undefined'],
    ]);
  });

  it('compares fleets with other names value by value, those that are the same on all controllers first', () => {
    const say = (controller: string, args: object) => rendered(controller, [{ name: 'T', debug: { ...args } }]);
    const before = fleet(
      say('a1', { y: 1, x: 1, z: 1, w: 1, gone: 1 }),
      say('a2', { y: 2, x: 1, z: 1, w: 2, gone: 1 }),
      say('a3', { y: 2, x: 1, z: 1, w: 2, gone: 1 }),
    );
    const after = fleet(say('b1', { y: 1, x: 2, z: 1, w: 1, own: 1 }), say('b2', { y: 3, x: 2, z: 1, w: 1, own: 1 }));
    const { groups, perController, onlyBefore, onlyAfter } = fleetDifference(before, after);
    expect({ perController, onlyBefore, onlyAfter }).to.deep.equal({ perController: 0, onlyBefore: [], onlyAfter: [] });
    for (const group of groups)
      expect([group.before, group.after]).to.deep.equal([
        ['a1', 'a2', 'a3'],
        ['b1', 'b2'],
      ]);
    const shown = (values: FleetDifference['groups'][number]['fields'][number]['before']) =>
      values.map((one) => `${one.value} ${one.controllers.join()}`).join(' and ');
    expect(
      groups.map(({ fields }) =>
        fields.map(({ task, field, before: was, after: is }) => `${task} ${field}: ${shown(was)} → ${shown(is)}`),
      ),
    ).to.deep.equal([
      [
        'P › T debug.x: 1 a1,a2,a3 → 2 b1,b2',
        'P › T debug.gone: 1 a1,a2,a3 → undefined b1,b2',
        'P › T debug.own: undefined a1,a2,a3 → 1 b1,b2',
      ],
      ['P › T debug.y: 2 a2,a3 and 1 a1 → 1 b1 and 3 b2'],
      ['P › T debug.w: 2 a2,a3 and 1 a1 → 1 b1,b2'],
    ]);
    const single = fleetDifference(fleet(say('a', { x: 1 })), fleet(say('b', { x: 2 })));
    expect([single.groups.length, single.perController]).to.deep.equal([1, 0]);
  });
});
