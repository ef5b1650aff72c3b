import { expect } from 'chai';
import type { Scope } from '../../src/core/model/run/reference.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { Reader } from '../../src/module/contract.js';
import { findToUndo, planUndo } from '../../src/undo/plan_undo.js';
import type { Undo } from '../../src/undo/undo.js';
import { EDGE, undoOf, update } from './rig.js';

const changed = (fields: Record<string, unknown>) => ({ ...EDGE, ...fields }) as Mapping;
const plan = (undo: Undo, object: Mapping, allowLockout = false) =>
  planUndo(undo, { status: 'found', object }, allowLockout);
const configuration = { object: 'system configuration', path: '/api/systemconfiguration' };

describe('restoring one object', () => {
  it('restores what was changed, removes what was added, and changes nothing else', () => {
    const before = changed({ dns: { domain: 'a', keep: 1 }, servers: [1, 2], gone: 'x' });
    const seen = {
      ...EDGE,
      _last_modified: '2',
      mtu: 9,
      dns: { domain: 'b', keep: 1, extra: true },
      servers: [3],
      added: { deep: 1 },
    };
    const undo = undoOf(update(1, before, seen, { seen }));
    const current = { ...seen, _last_modified: '3', url: 'another' };
    expect(plan(undo, current)).to.deep.equal({
      change: {
        kind: 'update',
        object: 'cloud "edge"',
        before: current,
        after: {
          ...EDGE,
          url: 'another',
          _last_modified: '3',
          mtu: 1500,
          dns: { domain: 'a', keep: 1 },
          servers: [1, 2],
          gone: 'x',
        },
      },
      warnings: [],
    });
  });

  it('restores a hundred thousand fields at once', () => {
    const rows = (text: string): Mapping =>
      Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`row${at}`, text]));
    const [before, seen] = [changed({ rows: rows('a') }), changed({ rows: rows('b') })];
    const { change } = plan(undoOf(update(1, before, seen, { seen })), seen);
    expect(change.kind === 'update' && change.after).to.deep.equal(before);
  });

  it('does nothing if everything is restored, whatever else changed since', () => {
    const undo = undoOf(update(1, EDGE, changed({ mtu: 9 })));
    expect(plan(undo, changed({ owner: 'somebody' }))).to.deep.equal({ change: { kind: 'none' } });
  });

  it('refuses what someone else changed since, and names the fields', () => {
    const seen = changed({ mtu: 9, dns: { a: 1, b: 2 } });
    const undo = undoOf(update(1, changed({ dns: { a: 1, b: 2 } }), seen, { seen }));
    expect(plan(undo, changed({ mtu: 10, dns: { a: 1 }, owner: 'somebody' })).refusal).to.equal(
      'cloud "edge" was changed since the run: mtu, dns.b, owner; not restored',
    );
  });

  it('says what helps if the controller shows fields that it did not have during the run, as after an upgrade', () => {
    const seen = changed({ mtu: 9 });
    const undo = undoOf(update(1, EDGE, seen, { seen }));
    expect(plan(undo, changed({ mtu: 9, added_in_30: true })).refusal).to.equal(
      'cloud "edge" was changed since the run: added_in_30; not restored (if an upgrade of the controller added this, roll back with the API version of the run: -e controller_api_version=…)',
    );
    expect(plan(undo, changed({ mtu: 8, added_in_30: true })).refusal).to.match(/: mtu, added_in_30; not restored$/);
  });

  it('compares with what was sent if the object was not read afterwards: the controller may have added fields', () => {
    const undo = undoOf(update(1, EDGE, changed({ mtu: 9 })));
    expect(plan(undo, changed({ mtu: 9, filled_in: true })).refusal).to.equal(undefined);
    expect(plan(undo, changed({ mtu: 8 })).refusal).to.match(/since the run: mtu;/);
  });

  it('resolves an unknown outcome by reading', () => {
    const undo = undoOf(update(1, EDGE, changed({ mtu: 9 }), { outcome: 'unknown' }));
    expect(plan(undo, EDGE).change.kind).to.equal('none');
    expect(plan(undo, changed({ mtu: 9 })).change).to.include({ kind: 'update' });
    expect(plan(undo, changed({ mtu: 8 })).refusal).to.match(/since the run: mtu;/);
  });

  it('undoes the earlier writes if the last one did not take effect', () => {
    const one = changed({ mtu: 1 });
    const undo = undoOf(update(1, EDGE, one), update(2, one, changed({ mtu: 2 }), { outcome: 'unknown' }));
    expect(plan(undo, one)).to.have.nested.property('change.after.mtu', 1500);
  });

  it('accepts a value that the controller sets in place of a removed one, but only after the write', () => {
    const undo = undoOf(update(1, EDGE, changed({ timeout: 60 }), { seen: changed({ timeout: 60 }) }));
    expect(plan(undo, changed({ timeout: 30 }))).to.include({ satisfied: true });
    expect(plan(undo, changed({ timeout: 30 })).refusal).to.equal(
      'cloud "edge" was changed since the run: timeout; not restored',
    );
    expect(plan(undo, changed({ timeout: 60 })).satisfied).to.equal(undefined);
  });

  it('takes no value of somebody else for one that the controller sets, if the outcome is unknown', () => {
    const write = { outcome: 'unknown' } as const;
    const undo = undoOf(update(1, EDGE, changed({ timeout: 60 }), write));
    const both = { ...undo, left: [60, 30].map((timeout) => ({ object: changed({ timeout }), whole: false })) };
    expect(plan(both, changed({ timeout: 30, mtu: 2 })).satisfied).to.equal(undefined);
    expect(plan(both, changed({ timeout: 40 })).satisfied).to.equal(true);
  });

  it('has nothing to do if a reference is as before, with the name of its object or without', () => {
    const [old, now] = [changed({ pool_ref: '/api/pool/p-1#web' }), changed({ pool_ref: '/api/pool/p-2#db' })];
    const undo = undoOf(update(1, old, now));
    expect(plan(undo, changed({ pool_ref: '/api/pool/p-1' }))).to.deep.equal({ change: { kind: 'none' } });
  });

  it('looks for an object in the cloud where the run left it, under its names: the one that decides comes last', async () => {
    const pool = (cloud: string, name: string): Mapping => ({ uuid: 'p-1', name, cloud_ref: `/api/cloud/${cloud}` });
    const options = { object: 'pool "new"', path: '/api/pool/p-1' };
    const undo = undoOf(update(1, pool('c-1', 'old'), pool('c-2', 'new'), options));
    const asked = async (given: Undo): Promise<unknown> => {
      const seen: unknown[] = [];
      const reader = {
        find: async (collection: string, name: string, scope?: Scope) => {
          const found = await scope?.select([pool('c-1', name), pool('c-2', name)], () => Promise.resolve(undefined));
          seen.push([collection, name, found?.map((one) => one['cloud_ref'])]);
          return undefined;
        },
      } as unknown as Reader;
      expect(await findToUndo(given, reader, () => false)).to.deep.equal({ undo: given, observed: undefined });
      return seen;
    };
    const [old, now] = ['old', 'new'].map((name) => ['/api/pool/', name, ['/api/cloud/c-2']]);
    expect(await asked(undo)).to.deep.equal([old, now]);
    expect(await asked({ ...undo, isDeleted: true })).to.deep.equal([now, old]);
  });

  it('never sends a placeholder, and reports what is lost', () => {
    const before = changed({ mtu: 1, vcenter: { user: 'a', password: '<sensitive>' }, other: { key: '<sensitive>' } });
    const seen = changed({ mtu: 2, vcenter: { user: 'b', password: '<sensitive>' }, other: { key: '<sensitive>' } });
    const sent = changed({ mtu: 2, vcenter: { user: 'b', password: 'new' }, other: {} });
    const found = plan(undoOf(update(1, before, sent, { seen })), seen);
    expect(found).to.deep.include({
      warnings: [
        'cloud "edge": "vcenter.password" cannot be restored, because the controller never showed it',
        'cloud "edge": "other.key" cannot be read, so it is not sent; set it again if the controller drops it',
      ],
    });
    expect(JSON.stringify(found.change.kind === 'update' && found.change.after)).not.to.contain('<sensitive>');
  });

  it('refuses an object that is missing, replaced or unreadable', () => {
    const undo = undoOf(update(1, EDGE, changed({ mtu: 9 })));
    expect(planUndo(undo, undefined, false).refusal).to.equal(
      'cloud "edge" no longer exists: it was renamed or deleted since the run',
    );
    expect(plan(undo, changed({ uuid: 'cloud-2' })).refusal).to.equal(
      'cloud "edge" has been replaced: the run wrote to cloud-1, and that name has another uuid',
    );
    expect(planUndo(undo, { status: 'unreadable', code: 405 }, false).refusal).to.equal(
      'the controller does not show cloud "edge" (it answered 405), so it is unknown whether it has changed since',
    );
  });

  it('never treats a refusal after a write as success', () => {
    const undo = undoOf(update(1, EDGE, changed({ mtu: 9 })));
    expect(planUndo(undo, undefined, false).change).to.deep.equal({
      kind: 'update',
      object: 'cloud "edge"',
      before: null,
      after: { mtu: 1500 },
    });
  });

  it('does not lock itself out unless allowed', () => {
    const before = { portal_configuration: { allow_basic_authentication: false } };
    const after = { portal_configuration: { allow_basic_authentication: true } };
    const undo = undoOf(update(1, before, after, configuration));
    expect(plan(undo, after).refusal).to.equal(
      'this sets portal_configuration.allow_basic_authentication to false, and Evenkeel signs in with Basic authentication over HTTPS: it would lock itself out; nothing was written. Say --allow-lockout if that is intended',
    );
    expect(plan(undo, after, true))
      .to.include({ locksOut: true })
      .and.not.have.property('refusal');
  });

  it('treats names such as __proto__ as ordinary fields', () => {
    const before = { ...EDGE, ...(JSON.parse('{"__proto__": {"polluted": 1}}') as Mapping) };
    const undo = undoOf(update(1, before, changed({ mtu: 9 })));
    const { change } = plan(undo, changed({ mtu: 9 }));
    expect(Object.prototype).not.to.have.property('polluted');
    expect(change.kind).to.equal('update');
  });

  it('compares references as such where they were sent, not read', () => {
    const before = changed({ pool_ref: '/api/pool/pool-1#web' });
    const undo = undoOf(update(1, before, changed({ pool_ref: '/api/pool/pool-2' })));
    const { refusal, change } = plan(undo, changed({ pool_ref: 'https://lb1/api/pool/pool-2#west' }));
    expect(refusal).to.equal(undefined);
    expect(change).to.have.nested.property('after.pool_ref', '/api/pool/pool-1#web');
    expect(plan(undo, changed({ pool_ref: '/api/pool/pool-3#east' })).refusal).to.match(/since the run: pool_ref;/);
  });

  it('keeps a secret in place that it cannot read, with what else that loses', () => {
    const before = changed({ mtu: 1, auth: { user: 'a', password: '<sensitive>' }, list: ['x'] });
    const seen = changed({ mtu: 2, auth: { user: 'b', password: '<sensitive>' }, list: [{ key: '<sensitive>' }] });
    const current = { ...seen, list: [{ key: '<sensitive>' }, { key: '<sensitive>' }] };
    const undo = undoOf(
      update(1, { ...before, list: current.list }, { ...seen, list: current.list }, { seen: current }),
    );
    const { change, keeping, warnings } = plan(undo, current);
    expect(change).to.have.nested.property('after.auth').deep.equal({ user: 'a' });
    expect(keeping?.after).to.deep.include({
      mtu: 1,
      auth: { user: 'a', password: '<sensitive>' },
      list: current.list,
    });
    expect(keeping?.warnings).to.deep.equal([]);
    expect(keeping?.unfounded).to.deep.equal(warnings);
    expect(warnings).to.have.lengthOf(1);
    expect(plan(undoOf(update(1, EDGE, changed({ mtu: 9 }))), changed({ mtu: 9 }))).to.not.have.property('keeping');
  });

  it('does not take a changed or hidden value for one that the controller filled in', () => {
    const undo = undoOf(update(1, EDGE, changed({ timeout: 60, mtu: 9 }), { seen: changed({ timeout: 60, mtu: 9 }) }));
    // The run added it and removed it again: whoever added it since is somebody else.
    const removed = undoOf(
      update(1, EDGE, changed({ timeout: 60 })),
      update(2, changed({ timeout: 60 }), EDGE, { outcome: 'unknown' }),
    );
    const gone = { ...removed, left: [{ object: EDGE, whole: true }] };
    expect(plan(gone, changed({ timeout: 30 })).refusal).to.match(/was changed since the run: timeout;/);
    expect(plan(gone, changed({ timeout: 30 })).satisfied).to.equal(undefined);
    for (const fields of [
      { timeout: 30, mtu: 8 },
      { timeout: '<sensitive>', mtu: 1500 },
    ]) {
      const planned = plan(undo, changed(fields));
      expect(planned.refusal).to.match(/was changed since the run/);
      expect(planned.satisfied).to.equal(undefined);
    }
  });
});
