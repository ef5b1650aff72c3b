import { expect } from 'chai';
import fc from 'fast-check';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { Structure } from '../../src/kinds/kind_table.js';
import type { Desired } from '../../src/module/comparison/desired.js';
import { planCreate, planUnreadable, planUpdate, withoutServerFields } from '../../src/module/planning.js';
import { declarations, objects } from '../rig/json_values.js';

const structure = (): Structure => ({ name: 'Cloud', key: [], required: [], fields: new Map() });
const desired = (fields: Mapping, rest: Partial<Desired> = {}): Desired => ({
  object: 'cloud "edge"',
  path: '/api/cloud/',
  fields,
  replace: false,
  secrets: 'on_create',
  ...rest,
});

const UNSENT =
  'cloud "edge": "vcenter_configuration.password" cannot be read and is not declared, so it is not sent; declare it if the controller must keep it';

describe('planning one object', () => {
  it('creates it with the declared fields, without the fields of the controller', () => {
    const fields = { name: 'edge', mtu: 9000, uuid: 'u', url: 'x', _last_modified: '1' };
    expect(planCreate(desired(fields))).to.deep.equal({
      change: { kind: 'create', object: 'cloud "edge"', before: null, after: { name: 'edge', mtu: 9000 } },
    });
  });

  it('does nothing if no declared field differs', () => {
    const read = { name: 'edge', uuid: 'u1', mtu: 1500 };
    expect(planUpdate(desired({ name: 'edge', uuid: 'another' }), read)).to.deep.equal({ change: { kind: 'none' } });
  });

  it('sends the whole object in an update, including _last_modified', () => {
    const before = { name: 'edge', uuid: 'u1', _last_modified: '7', mtu: 1500, dhcp_enabled: false };
    expect(planUpdate(desired({ name: 'edge', mtu: 9000 }), before)).to.deep.equal({
      change: { kind: 'update', object: 'cloud "edge"', before, after: { ...before, mtu: 9000 } },
    });
  });

  it('never sends a placeholder back, and warns of the secret that is therefore missing', () => {
    const before = { name: 'edge', mtu: 1500, vcenter_configuration: { username: 'v', password: '<sensitive>' } };
    expect(planUpdate(desired({ name: 'edge', mtu: 9000 }), before)).to.deep.equal({
      change: {
        kind: 'update',
        object: 'cloud "edge"',
        before,
        after: { name: 'edge', mtu: 9000, vcenter_configuration: { username: 'v' } },
      },
      warnings: [UNSENT],
      keeping: {
        after: { ...before, mtu: 9000 },
        warnings: [],
        unfounded: [UNSENT],
      },
    });
  });

  it('keeps placeholders for controllers that then keep the secret, except in lists that change', () => {
    const trap = (ip: string) => ({ ip, community: '<sensitive>' });
    const before = { a: [trap('1')], b: [trap('1'), trap('2')], c: { key: '<sensitive>', at: 1 } };
    const { keeping } = planUpdate(desired({ b: [{ ip: '2' }], c: { at: 2 } }), before);
    expect(keeping?.after).to.deep.equal({ a: [trap('1')], b: [{ ip: '2' }], c: { key: '<sensitive>', at: 2 } });
    expect(keeping?.warnings).to.have.length(1);
    expect(keeping?.warnings[0]).to.match(/^cloud "edge": "b\[0\]\.community" cannot be read/);
  });

  it('sends a declared secret with another change', () => {
    const before = { mtu: 1500, password: '<sensitive>' };
    const { change, warnings } = planUpdate(desired({ mtu: 9000, password: 'p' }), before);
    expect({ change, warnings }).to.deep.equal({
      change: { kind: 'update', object: 'cloud "edge"', before, after: { mtu: 9000, password: 'p' } },
      warnings: undefined,
    });
  });

  it('treats a hidden secret as correct, except with secrets: always', () => {
    const before = { name: 'edge', password: '<sensitive>' };
    const fields = { name: 'edge', password: 'p' };
    expect(planUpdate(desired(fields), before).change.kind).to.equal('none');
    expect(planUpdate(desired(fields, { secrets: 'always' }), before)).to.deep.equal({
      change: { kind: 'update', object: 'cloud "edge"', before, after: fields },
      hidden: [['password', 'p']],
      satisfied: true,
    });
  });

  it('writes nothing for secrets: always if no secret is declared', () => {
    const before = { name: 'edge', password: '<sensitive>' };
    expect(planUpdate(desired({ name: 'edge' }, { secrets: 'always' }), before).change.kind).to.equal('none');
  });

  it('refuses a placeholder as a secret', () => {
    const fields = { name: 'edge', list: [{ key: '<sensitive>' }] };
    expect(planCreate(desired(fields)).refusal).to.equal(
      '"list[0].key" is declared as "<sensitive>", which a controller shows in place of a secret: set the secret, or leave the field out',
    );
  });

  it('with `replace`, removes undeclared fields, except those that identify the object', () => {
    const before = {
      uuid: 'u1',
      url: 'https://c/api/cloud/u1',
      _last_modified: '7',
      name: 'edge',
      mtu: 1500,
      dhcp_enabled: true,
    };
    expect(planUpdate(desired({ name: 'edge', mtu: 9000 }, { replace: true }), before)).to.deep.equal({
      change: {
        kind: 'update',
        object: 'cloud "edge"',
        before,
        after: { uuid: 'u1', url: 'https://c/api/cloud/u1', _last_modified: '7', name: 'edge', mtu: 9000 },
      },
    });
  });

  it('with `replace`, writes even if only undeclared fields differ, and reports the declared ones as satisfied', () => {
    const before = { uuid: 'u1', name: 'edge', portal: { a: 1, b: 2 } };
    const plan = planUpdate(desired({ name: 'edge', portal: { a: 1 } }, { replace: true }), before);
    expect(plan.satisfied).to.equal(true);
    expect(plan.change)
      .to.have.property('after')
      .that.deep.equals({ uuid: 'u1', name: 'edge', portal: { a: 1 } });
  });

  it('with `replace`, does nothing if every field is declared', () => {
    const before = { uuid: 'u1', name: 'edge', list: [{ a: 1 }] };
    expect(planUpdate(desired({ name: 'edge', list: [{ a: 1 }] }, { replace: true }), before).change.kind).to.equal(
      'none',
    );
  });

  it('writes the declared fields if the object cannot be read', () => {
    expect(planUnreadable(desired({ a: 1, uuid: 'u' }))).to.deep.equal({
      change: { kind: 'update', object: 'cloud "edge"', before: null, after: { a: 1 } },
      uncomparable: true,
    });
  });

  it('keeps earlier written fields if the object cannot be read, except with `replace`', () => {
    const written = { a: { b: 1, c: [1] }, d: 2 };
    const fields = { a: { c: [], e: null } };
    const after = (replace: boolean) => {
      const { change } = planUnreadable(desired(fields, { replace }), written);
      return change.kind === 'update' ? change.after : undefined;
    };
    expect(after(false)).to.deep.equal({ a: { b: 1, c: [], e: null }, d: 2 });
    expect(after(true)).to.deep.equal(fields);
  });

  it('leaves a declared null out if the object cannot be read, also where the run has written the field', () => {
    const written = { a: { b: 1, c: 2 }, d: { e: 3 } };
    const fields = { a: { b: null }, d: null, f: { g: null, h: [{ i: null, j: 4 }] } };
    const after = (replace: boolean) => {
      const { change } = planUnreadable(desired(fields, { replace, structure }), written);
      return change.kind === 'update' ? change.after : undefined;
    };
    expect(after(false)).to.deep.equal({ a: { c: 2 }, f: { h: [{ j: 4 }] } });
    expect(after(true)).to.deep.equal({ a: {}, f: { h: [{ j: 4 }] } });
  });

  it('converges after one write, from any state', () => {
    fc.assert(
      fc.property(declarations, objects, (fields, before) => {
        const { change } = planUpdate(desired(fields), before);
        return change.kind !== 'update' || planUpdate(desired(fields), change.after).change.kind === 'none';
      }),
    );
  });

  it('never writes a placeholder, from any state', () => {
    fc.assert(
      fc.property(declarations, objects, fc.boolean(), (fields, before, replace) => {
        const { change } = planUpdate(desired(fields, { replace }), before);
        return change.kind !== 'update' || !JSON.stringify(change.after).includes('<sensitive>');
      }),
    );
  });

  it('cannot merge lists of an object that it cannot read, nor take elements from them', () => {
    const said =
      'the controller does not show the object, so its lists cannot be merged: leave out "merge" and "without"';
    for (const [rules, refusal] of [
      [{ merge: { a: ['k'] } }, said],
      [{ without: { a: [1] } }, said],
      [{ merge: {}, without: {} }, undefined],
    ] as const)
      expect(planUnreadable(desired({ a: [1] }, rules)).refusal).to.equal(refusal);
  });

  it('reports a placeholder where nothing would change, and names several secrets that are not sent', () => {
    const before = { a: '<sensitive>', b: '<sensitive>', x: 1 };
    const { change, refusal } = planUpdate(desired({ a: '<sensitive>' }), before);
    expect([change.kind, refusal?.split(' is declared')[0]]).to.deep.equal(['none', '"a"']);
    expect(planUpdate(desired({ x: 2 }), before).warnings).to.deep.equal([
      'cloud "edge": "a", "b" cannot be read and is not declared, so it is not sent; declare it if the controller must keep it',
    ]);
    expect(planUpdate(desired({ x: 2, c: [{ d: '<sensitive>' }] }), { x: 1, c: [] })).not.to.have.property('keeping');
    expect(planUpdate(desired({ x: 2 }, { replace: true }), before)).not.to.have.property('warnings');
  });

  it('leaves a declared null out where the types of the fields are known, and writes it elsewhere', () => {
    const before = { a: 5, b: 1, c: '<sensitive>', d: '<sensitive>' };
    const fields = { a: null, b: 2, c: null, e: [{ f: null }] };
    const updated = (rest: Partial<Desired>) => {
      const { change, keeping } = planUpdate(desired(fields, rest), before);
      return [change.kind === 'update' && change.after, keeping?.after];
    };
    expect(updated({ structure })).to.deep.equal([
      { b: 2, e: [{}] },
      { b: 2, d: '<sensitive>', e: [{}] },
    ]);
    const kept = { a: null, b: 2, c: null, e: [{ f: null }] };
    for (const rest of [{}, { structure: () => undefined }])
      expect(updated(rest)).to.deep.equal([kept, { ...kept, d: '<sensitive>' }]);
    const created = (rest: Partial<Desired>) => {
      const { change } = planCreate(desired(fields, rest));
      return change.kind === 'create' && change.after;
    };
    expect([created({ structure }), created({})]).to.deep.equal([{ b: 2, e: [{}] }, fields]);
  });

  it('removes a hidden secret that is declared as null, and is done where there is none', () => {
    const plan = (before: Mapping) => planUpdate(desired({ key: null }, { structure }), before);
    expect(plan({ key: '<sensitive>', x: 1 }).change).to.deep.include({ kind: 'update', after: { x: 1 } });
    expect(plan({ x: 1 }).change.kind).to.equal('none');
    expect(plan({ key: '<sensitive>' })).to.not.have.any.keys('hidden', 'warnings', 'keeping');
  });

  it('drops elements, fields of elements and other types with `replace`', () => {
    const kind = (fields: Mapping, before: Mapping) =>
      planUpdate(desired(fields, { replace: true }), before).change.kind;
    expect([
      kind({ l: [{ a: 1 }, { b: 1 }] }, { l: [{ a: 1 }, { b: 1, c: 2 }] }),
      kind({ l: [{ a: 1 }, { b: 1 }] }, { l: [{ a: 1 }, { b: 1 }] }),
      kind({ l: [1], m: { n: 1 } }, { l: [1], m: { n: 1 } }),
      kind({ m: { n: 1 } }, { m: { n: 1 }, o: null }),
    ]).to.deep.equal(['update', 'none', 'none', 'update']);
  });

  it('keeps what was written where the object cannot be read, unless another type is declared', () => {
    const { change } = planUnreadable(desired({ a: { b: 1 }, c: 2 }), { a: 5, c: { d: 1 }, e: [1] });
    expect(change).to.have.deep.property('after', { a: { b: 1 }, c: 2, e: [1] });
    expect(withoutServerFields({ uuid: 'u', url: 'x', a: 1 }, ['uuid'])).to.deep.equal({ uuid: 'u', a: 1 });
  });
});
