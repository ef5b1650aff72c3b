import { expect } from 'chai';
import { LoadError } from '../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { findEffects } from '../../src/undo/effects.js';
import type { RecordedWrite } from '../../src/undo/object_writes.js';
import { planUndo } from '../../src/undo/plan_undo.js';
import type { Undo } from '../../src/undo/undo.js';
import { reaching } from '../rig/kept.js';
import { create, EDGE, undoOf, update, type WriteOptions } from './rig.js';

const changed = (fields: Mapping): Mapping => ({ ...EDGE, ...fields });
const MEMBER = { collection: '/api/cloud/', name: 'edge', uuid: 'cloud-1' };
const PLACE = { tenant: 'red', connection: { controller_username: 'ann' } };
const RESTORER = { target: 'lb1', reached: reaching('lb1'), ...PLACE };

const remove = (write: number, before: Mapping, options: WriteOptions = {}): RecordedWrite => {
  const { intent, outcome } = update(write, before, before, options);
  const change = { kind: 'delete', object: intent.object, before, after: null } as const;
  return { intent: { ...intent, method: 'DELETE', change }, outcome };
};

/** All that an undo says, its getters read. */
const whole = (undo: Undo): unknown => ({
  ...undo,
  left: undo.left.map((one) => ({ ...one })),
  renewal: undo.renewal && { ...undo.renewal },
  renewals: undo.renewals.map((one) => ({ ...one })),
});

describe('all that is needed to restore an object', () => {
  it('that was changed', () => {
    const before = changed({ secret: '<sensitive>', dns: { a: 1 } });
    const seen = changed({ mtu: 9, dns: { a: 2 } });
    const first = update(1, before, changed({ mtu: 8, secret: 'x', dns: { a: 1 } }), {
      ...PLACE,
      hidden: true,
      seen: changed({ mtu: 8, dns: { a: 1 } }),
    });
    const undo = undoOf(first, update(2, changed({ mtu: 8, dns: { a: 1 } }), seen, { ...PLACE, seen }));
    expect(whole(undo)).to.deep.equal({
      object: 'cloud "edge"',
      path: '/api/cloud/cloud-1',
      member: MEMBER,
      fields: [['mtu'], ['dns', 'a']],
      before,
      left: [{ object: seen, whole: true }],
      neverShown: ['secret'],
      refusal: undefined,
      restorer: RESTORER,
      masked: true,
      renewal: undefined,
      renewals: [],
    });
  });

  it('that was changed and deleted, also if somebody changed it between', () => {
    const before = changed({ secret: '<sensitive>' });
    const own = changed({ mtu: 9, secret: '<sensitive>' });
    const renewal = { collection: '/api/cloud/', name: 'edge', formerUuid: 'cloud-1', newUuid: undefined, before };
    const undo = (deleted: Mapping): unknown =>
      whole(undoOf(update(1, before, own, { ...PLACE, hidden: true, seen: own }), remove(2, deleted, PLACE)));
    const expected = {
      object: 'cloud "edge"',
      path: '/api/cloud/cloud-1',
      member: MEMBER,
      isDeleted: true,
      fields: [['mtu']],
      before,
      left: [{ object: own, whole: true }],
      neverShown: ['secret'],
      refusal: undefined,
      restorer: RESTORER,
      masked: true,
      renewal,
      renewals: [renewal],
    };
    expect(undo(own)).to.deep.equal(expected);
    expect(undo({ ...own, owner: 'somebody' })).to.deep.equal({
      ...expected,
      left: [{ object: { ...own, owner: 'somebody' }, whole: true }],
      refusal: 'cloud "edge" was changed during the run: owner; not restored',
    });
  });

  it('that was deleted and created again under another name', () => {
    const seen = { uuid: 'cloud-9', url: '/api/cloud/cloud-9', name: 'west', mtu: 1 };
    const undo = undoOf(
      remove(1, EDGE),
      create(2, { name: 'edge', mtu: 1 }, { seen: { ...seen, name: 'edge' } }),
      update(3, { ...seen, name: 'edge' }, seen, { path: '/api/cloud/cloud-9', seen }),
    );
    expect(undo.before).to.deep.equal({ ...EDGE, uuid: 'cloud-9', name: 'edge' });
    expect([undo.path, undo.member, undo.fields, undo.isDeleted]).to.deep.equal([
      '/api/cloud/cloud-9',
      { collection: '/api/cloud/', name: 'edge', uuid: 'cloud-9' },
      [['mtu'], ['name']],
      undefined,
    ]);
  });

  it('that was deleted and created again, and not changed since', () => {
    // The controller filled in what the object did not have before.
    const seen = { uuid: 'cloud/9', url: '/api/cloud/9', name: 'edge', mtu: 1, dhcp: true };
    const undo = undoOf(remove(1, EDGE), create(2, { name: 'edge', mtu: 1 }, { seen, hidden: true }));
    expect(whole(undo)).to.deep.equal({
      object: 'cloud "edge"',
      path: '/api/cloud/cloud%2F9',
      member: { collection: '/api/cloud/', name: 'edge', uuid: 'cloud/9' },
      fields: [['mtu'], ['dhcp']],
      before: { ...EDGE, uuid: 'cloud/9' },
      left: [{ object: seen, whole: true }],
      neverShown: [],
      refusal: undefined,
      restorer: { ...RESTORER, tenant: undefined, connection: undefined },
      masked: true,
      renewal: undefined,
      renewals: [{ collection: '/api/cloud/', name: 'edge', formerUuid: 'cloud-1', newUuid: 'cloud/9', before: EDGE }],
    });
  });

  it('that was changed again when it could not be read', () => {
    const undo = undoOf(
      update(1, EDGE, changed({ mtu: 9 })),
      update(2, null, { mtu: 9, dhcp: true }, { outcome: 'unknown' }),
    );
    expect([undo.fields, undo.refusal, undo.left.map((one) => ({ ...one }))]).to.deep.equal([
      [['mtu']],
      undefined,
      [{ object: { mtu: 9, dhcp: true }, whole: false }],
    ]);
  });

  it('whose reference the run set back, however the controller shows it', () => {
    const pool = (reference: string) => changed({ pool_ref: reference });
    const [before, other, back] = [pool('/api/pool/pool-1#web'), pool('/api/pool/pool-2'), pool('/api/pool/pool-1')];
    expect(findEffects([update(1, before, other), update(2, other, back)])).to.deep.equal([]);
  });

  it('whose values are lost: nothing but the reason', () => {
    const one = update(1, EDGE, changed({ mtu: 9 }), { ...PLACE, hidden: true });
    const change = Object.defineProperty({ ...one.intent.change }, 'before', {
      get: () => {
        throw new LoadError('its file is gone');
      },
    });
    const effects = findEffects([{ ...one, intent: { ...one.intent, change } }]);
    expect(effects).to.deep.equal([
      {
        type: 'undo',
        controller: 'lb1',
        undo: {
          object: 'cloud "edge"',
          path: '/api/cloud/cloud-1',
          restorer: RESTORER,
          masked: true,
          fields: [],
          before: {},
          left: [],
          neverShown: [],
          renewals: [],
          refusal: 'cloud "edge" is not restored: its file is gone',
        },
      },
    ]);
  });
});

describe('creating a deleted object again', () => {
  const before = changed({ key: '<sensitive>', pool_ref: '/api/pool/pool-1#web', _last_modified: '1' });
  const undo = undoOf(update(1, before, { ...before, mtu: 9 }), remove(2, { ...before, mtu: 9 }));
  const found = (object: Mapping) => planUndo(undo, { status: 'found', object }, false);
  const wanted = { name: 'edge', mtu: 1500, pool_ref: '/api/pool/pool-1#web' };

  it('sends what was there, but for what the controller sets and what it never showed', () => {
    expect(planUndo(undo, undefined, false)).to.deep.equal({
      change: { kind: 'create', object: 'cloud "edge"', before: null, after: wanted },
      warnings: [
        'cloud "edge" is created again with another uuid than cloud-1: references that this rollback does not restore still name the old one',
        'cloud "edge": "key" cannot be restored, because the controller never showed it',
      ],
    });
  });

  it('is not needed if it is there again, and touches no other object', () => {
    expect(found({ ...wanted, uuid: 'cloud-2', filled_in: true })).to.deep.equal({ change: { kind: 'none' } });
    const refused = (refusal: string) => ({
      refusal,
      change: { kind: 'update', object: 'cloud "edge"', before: null, after: { mtu: 1500 } },
    });
    expect(found({ ...wanted, uuid: 'cloud-2', mtu: 1 })).to.deep.equal(
      refused('cloud "edge" has been replaced: the run deleted cloud-1, and that name has another uuid'),
    );
    expect(planUndo(undo, { status: 'unreadable', code: 404 }, false)).to.deep.equal(
      refused('the controller does not show cloud "edge"'),
    );
    expect(planUndo({ ...undo, refusal: 'no' }, undefined, false)).to.deep.equal(refused('no'));
  });

  it('restores its fields if it was not deleted', () => {
    const current = { ...before, mtu: 9 };
    const kept: Mapping = { ...current, mtu: 1500, pool_ref: '/api/pool/pool-1#web' };
    const { key: _, ...sent } = kept;
    expect(found(current)).to.deep.equal({
      change: { kind: 'update', object: 'cloud "edge"', before: current, after: sent },
      keeping: { after: kept, warnings: [], unfounded: [] },
      warnings: ['cloud "edge": "key" cannot be restored, because the controller never showed it'],
    });
  });
});

describe('the whole plan that restores an object', () => {
  it('warns of what it locks out if that is allowed', () => {
    const configuration = { object: 'system configuration', path: '/api/systemconfiguration' };
    const [before, after] = [false, true].map((on) => ({ portal_configuration: { allow_basic_authentication: on } }));
    if (before === undefined || after === undefined) throw new Error('both are expected');
    const planned = planUndo(undoOf(update(1, before, after, configuration)), { status: 'found', object: after }, true);
    expect(planned).to.deep.equal({
      change: { kind: 'update', object: 'system configuration', before: after, after: before },
      locksOut: true,
      warnings: [],
    });
  });

  it('has what a controller may fill in for each field, or is not satisfied', () => {
    const after = changed({ timeout: 60, retries: 5 });
    const undo = undoOf(update(1, EDGE, after, { seen: after }));
    const satisfied = (fields: Mapping): unknown =>
      planUndo(undo, { status: 'found', object: changed(fields) }, false).satisfied;
    expect(satisfied({ timeout: 30, retries: 3 })).to.equal(true);
    expect(satisfied({ timeout: 30, retries: 5 })).to.equal(undefined);
    expect(satisfied({ timeout: 30 })).to.equal(true);
  });
});
