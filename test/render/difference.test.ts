import { expect } from 'chai';
import fc from 'fast-check';
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
});
