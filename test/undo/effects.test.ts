import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { LoadError, pathText } from '../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { findEffects } from '../../src/undo/effects.js';
import type { UndoEffect } from '../../src/undo/object_effect.js';
import type { RecordedWrite } from '../../src/undo/object_writes.js';
import { planUndo } from '../../src/undo/plan_undo.js';
import { reaching } from '../rig/kept.js';
import { create, EDGE, undoOf, update, type WriteOptions } from './rig.js';

const changed = (fields: Record<string, unknown>) => ({ ...EDGE, ...fields }) as typeof EDGE;
const single = { object: 'system configuration', path: '/api/systemconfiguration' };

function summaries(effects: readonly UndoEffect[]): readonly string[] {
  return effects.map((effect) =>
    effect.type === 'final'
      ? `${effect.controller} ${effect.object} ${effect.reason}`
      : `${effect.controller} ${effect.undo.object}: ${effect.undo.fields.map(pathText).join(', ')}`,
  );
}

const remove = (write: number, before: Mapping, options: WriteOptions = {}): RecordedWrite => {
  const { intent, outcome } = update(write, before, before, options);
  const change = { kind: 'delete', object: intent.object, before, after: null } as const;
  return { intent: { ...intent, method: 'DELETE', change }, outcome };
};

describe('what a run has done to the objects of its controllers', () => {
  it('is the change of each object from its first write to its last, what was written last first', () => {
    const effects = findEffects([
      update(1, EDGE, changed({ mtu: 1600 })),
      update(2, { dns: { domain: 'a' } }, { dns: { domain: 'b' } }, single),
      update(3, changed({ mtu: 1600 }), changed({ mtu: 1600, dhcp: true })),
      update(4, EDGE, changed({ mtu: 1700 }), { controller: 'lb2', target: 'lb2' }),
    ]);
    expect(summaries(effects)).to.deep.equal([
      'lb2 cloud "edge": mtu',
      'lb1 cloud "edge": mtu, dhcp',
      'lb1 system configuration: dns.domain',
    ]);
  });

  describe('is one effect for each object', () => {
    const CORE = { ...EDGE, uuid: 'cloud-2', name: 'core' } as typeof EDGE;
    const core = { object: 'cloud "core"', path: '/api/cloud/cloud-2' };
    const on = (controller: string) => ({ controller, target: controller });
    const summary = (...writes: Parameters<typeof findEffects>[0]) => summaries(findEffects(writes));

    it('whose name changes within the run, also if another one then gets its old name', () => {
      const renamed = changed({ name: 'west' });
      const taken = { ...CORE, name: 'edge' } as typeof EDGE;
      expect(
        summary(
          update(1, EDGE, renamed),
          update(2, CORE, taken, core),
          update(3, renamed, { ...renamed, mtu: 1600 }, { object: 'cloud "west"' }),
          update(4, taken, { ...taken, mtu: 1700 }, { ...core, object: 'cloud "edge"' }),
        ),
      ).to.deep.equal(['lb1 cloud "edge": name, mtu', 'lb1 cloud "west": name, mtu']);
    });

    it('whose name another one gets that the run creates', () => {
      const renamed = changed({ name: 'west' });
      const made = { ...EDGE, uuid: 'cloud-9' } as typeof EDGE;
      const tuned = update(4, made, { ...made, mtu: 1 }, { path: '/api/cloud/cloud-9' });
      const earlier = [update(1, EDGE, changed({ mtu: 9 })), update(2, changed({ mtu: 9 }), { ...renamed, mtu: 9 })];
      for (const seen of [{ seen: made }, {}, { outcome: 'unknown' } as const])
        expect(summary(...earlier, create(3, { name: 'edge' }, seen), tuned)).to.deep.equal([
          `lb1 cloud "edge" ${'outcome' in seen ? 'may have been' : 'was'} created: a rollback deletes nothing`,
          'lb1 cloud "edge": mtu, name',
        ]);
    });

    it('of one name without a deletion by the run between them', () => {
      const other = { ...EDGE, uuid: 'cloud-9', url: '/api/cloud/cloud-9' } as typeof EDGE;
      const later = update(2, other, { ...other, mtu: 2 }, { path: '/api/cloud/cloud-9' });
      const first = update(1, EDGE, changed({ mtu: 1 }));
      const edge = 'lb1 cloud "edge":';
      expect(summary(first, later)).to.deep.equal([`${edge} mtu`, `${edge} mtu`]);
      expect(summary(remove(1, EDGE), later)).to.deep.equal([`${edge} mtu`, `${edge} `]);
      expect(summary(first, create(2, { name: 'edge' }, { seen: other }))).to.deep.equal([
        'lb1 cloud "edge" was created: a rollback deletes nothing',
        `${edge} mtu`,
      ]);
    });

    it('whose cloud changes within the run', () => {
      const pool = (cloud: string, fields: Record<string, unknown> = {}) =>
        ({ ...EDGE, uuid: 'pool-1', cloud_ref: `https://lb1/api/cloud/${cloud}`, ...fields }) as typeof EDGE;
      const at = { object: 'pool "web"', path: '/api/pool/pool-1' };
      expect(
        summary(
          update(1, pool('cloud-1'), pool('cloud-2'), at),
          update(2, pool('cloud-2'), pool('cloud-2', { mtu: 1600 }), at),
        ),
      ).to.deep.equal(['lb1 pool "web": cloud_ref, mtu']);
    });

    it('that is deleted and created again under its name, on each controller', () => {
      const again = { ...EDGE, uuid: 'cloud-9', mtu: 1600 } as typeof EDGE;
      const writes = ['lb1', 'lb2'].flatMap((name, at) => [
        remove(2 * at + 1, EDGE, on(name)),
        create(2 * at + 2, again, { ...on(name), seen: again }),
      ]);
      expect(summary(...writes)).to.have.length(2);
      expect(
        summary(...writes, update(5, again, { ...again, dhcp: true }, { ...on('lb1'), path: '/api/cloud/cloud-9' })),
      ).to.have.length(2);
      // The controller fills in what was not sent.
      const before = { ...EDGE, dhcp: true };
      const made = create(2, { name: 'edge', mtu: 1600 }, { seen: { ...again, dhcp: true } });
      expect(undoOf(remove(1, before), made).fields).to.deep.equal([['mtu']]);
    });
  });

  it('of an object that was changed, then deleted, is the whole of it, as it was at first', () => {
    const other = { ...EDGE, uuid: 'cloud-2', name: 'core' } as typeof EDGE;
    const core = { object: 'cloud "core"', path: '/api/cloud/cloud-2' };
    const effects = findEffects([
      update(1, EDGE, changed({ mtu: 1600 })),
      remove(2, other, core),
      remove(3, changed({ mtu: 1600 })),
    ]);
    const undone = effects.map((one) => one.type === 'undo' && [one.undo.object, one.undo.isDeleted, one.undo.before]);
    expect(undone).to.deep.equal([
      ['cloud "edge"', true, EDGE],
      ['cloud "core"', true, other],
    ]);
    expect(summaries(effects)).to.deep.equal(['lb1 cloud "edge": mtu', 'lb1 cloud "core": ']);
  });

  it('has the names from before the run, whatever the object is called afterwards', () => {
    const far = changed({ name: 'far' });
    const renamed = undoOf(update(1, EDGE, far, { object: 'cloud "far"' }));
    expect([renamed.object, renamed.member?.name]).to.deep.equal(['cloud "far"', 'edge']);
    const options = { object: 'cloud "far"', name: 'far' };
    const deleted = undoOf(update(1, EDGE, far), remove(2, far, options));
    expect([deleted.object, deleted.member?.name]).to.deep.equal(['cloud "edge"', 'edge']);
    expect([renamed, deleted].map(({ renewals }) => renewals.length)).to.deep.equal([0, 1]);
  });

  it('gives a name back once the object that has it now has given it back, if that is in the same place', () => {
    const other = { ...EDGE, uuid: 'cloud-2', name: 'x' } as typeof EDGE;
    const far = changed({ name: 'far' });
    const order = (options: WriteOptions) => {
      const taken = { ...other, name: 'edge' } as typeof EDGE;
      const effects = findEffects([
        update(1, EDGE, far),
        update(2, other, taken, { path: '/api/cloud/cloud-2', ...options }),
        update(3, far, { ...far, mtu: 1 }),
      ]);
      return effects.map((one) => one.type === 'undo' && one.undo.member?.uuid);
    };
    expect(order({})).to.deep.equal(['cloud-2', 'cloud-1']);
    for (const elsewhere of [
      { controller: 'lb2', target: 'lb2' },
      { reached: reaching('c') },
      { tenant: 'blue' },
      { path: '/api/pool/cloud-2' },
    ])
      expect(order(elsewhere), JSON.stringify(elsewhere)).to.deep.equal(['cloud-1', 'cloud-2']);
  });

  it('restores what was deleted before what refers to it, on each controller', () => {
    const monitor = { uuid: 'm-1', name: 'm' };
    const pool = { uuid: 'p-1', name: 'p', health_monitor_refs: ['/api/healthmonitor/m-1'] };
    const server = { uuid: 's-1', name: 's', pool_ref: 'https://lb1/api/pool/p-1#p' };
    const deleted = (controller: string, first: number): readonly RecordedWrite[] =>
      [monitor, pool, server].map((one, at) =>
        remove(first + at, one, {
          controller,
          target: controller,
          object: one.name,
          path: `/api/${['healthmonitor', 'pool', 'virtualservice'][at] ?? ''}/${one.uuid}`,
        }),
      );
    const effects = findEffects([...deleted('lb1', 1), ...deleted('lb2', 4)]);
    const names = (controller: string) =>
      effects.flatMap((one) => (one.type === 'undo' && one.controller === controller ? [one.undo.object] : []));
    expect([names('lb1'), names('lb2')]).to.deep.equal([
      ['m', 'p', 's'],
      ['m', 'p', 's'],
    ]);
    expect(effects.map((one) => one.type === 'undo' && one.undo.renewals.length)).to.deep.equal(Array(6).fill(3));
  });

  it('restores objects that refer to each other once each', () => {
    const pair = ['1', '2'].map((own) => ({
      uuid: `p-${own}`,
      name: own,
      other_ref: `/api/pool/p-${3 - Number(own)}`,
    }));
    const effects = findEffects(
      pair.map((one, at) => remove(at + 1, one, { object: one.name, path: `/api/pool/${one.uuid}` })),
    );
    expect(effects.map((one) => one.type === 'undo' && one.undo.object)).to.deep.equal(['1', '2']);
  });

  it('follows the order of the intents, whatever the order of the writes', () => {
    const [first, second] = [update(1, EDGE, changed({ mtu: 1 })), update(2, changed({ mtu: 1 }), changed({ mtu: 2 }))];
    expect(undoOf(second, first).before).to.deep.equal(EDGE);
  });

  it('belongs to the controller that was written to, not to that of the task', () => {
    expect(summaries(findEffects([update(1, EDGE, changed({ mtu: 1 }), { target: 'lb9' })]))).to.deep.equal([
      'lb9 cloud "edge": mtu',
    ]);
  });

  it('is empty if the run has restored everything, nothing was applied, or nothing changed', () => {
    expect(findEffects([update(1, EDGE, changed({ mtu: 1 })), update(2, changed({ mtu: 1 }), EDGE)])).to.deep.equal([]);
    expect(findEffects([update(1, EDGE, changed({ mtu: 1 }), { outcome: 'refused' })])).to.deep.equal([]);
    expect(findEffects([update(1, EDGE, EDGE)])).to.deep.equal([]);
    expect(findEffects([])).to.deep.equal([]);
  });

  it('includes the unknown outcome of the last write', () => {
    const back = update(2, changed({ mtu: 1 }), EDGE, { outcome: 'unknown' });
    expect(undoOf(update(1, EDGE, changed({ mtu: 1 })), back).fields).to.deep.equal([['mtu']]);
  });

  it('cannot be undone if it was created, also if it was changed afterwards', () => {
    const made = changed({ mtu: 1600 });
    expect(summaries(findEffects([create(1, { name: 'edge' }), update(2, EDGE, made)]))).to.deep.equal([
      'lb1 cloud "edge" was created: a rollback deletes nothing',
    ]);
    expect(summaries(findEffects([create(1, { name: 'edge' }, { outcome: 'unknown' })]))).to.deep.equal([
      'lb1 cloud "edge" may have been created: a rollback deletes nothing',
    ]);
    const repeated = [create(1, { name: 'edge' }, { outcome: 'unknown' }), create(2, { name: 'edge' })];
    expect(summaries(findEffects(repeated))).to.deep.equal([
      'lb1 cloud "edge" was created: a rollback deletes nothing',
    ]);
  });

  it('cannot be undone if the run deleted an object of which too little is known', () => {
    const said = (...writes: Parameters<typeof findEffects>[0]) => summaries(findEffects(writes));
    const made = create(1, { name: 'edge' });
    expect(said(made, remove(2, EDGE))).to.deep.equal([]);
    expect(said(made, remove(2, EDGE, { outcome: 'unknown' }))).to.deep.equal([
      'lb1 cloud "edge" was created and may still be there: a rollback deletes nothing',
    ]);
    expect(said(made, remove(2, EDGE), create(3, { name: 'edge' }))).to.deep.equal([
      'lb1 cloud "edge" was created: a rollback deletes nothing',
    ]);
  });

  it('creates what the run deleted again unless it saw the object that it created instead', () => {
    for (const outcome of ['unknown', 'applied'] as const) {
      const made = create(3, { name: 'edge', mtu: 9 }, { outcome });
      const undo = undoOf(update(1, EDGE, changed({ mtu: 7 })), remove(2, changed({ mtu: 7 })), made);
      expect(planUndo(undo, undefined, false).change)
        .to.include({ kind: 'create' })
        .and.to.deep.include({ after: { name: 'edge', mtu: 1500 } });
      const other = { status: 'found', object: { ...EDGE, uuid: 'cloud-9', mtu: 9 } } as const;
      expect(planUndo(undo, other, false).refusal).to.include('has been replaced');
    }
  });

  it('restores what the run deleted and then changed, which the controller may delete late', () => {
    const undo = undoOf(remove(1, EDGE), update(2, EDGE, changed({ mtu: 9 })));
    expect(planUndo(undo, undefined, false).change).to.include({ kind: 'create' });
    const found = { status: 'found', object: changed({ mtu: 9 }) } as const;
    expect(planUndo(undo, found, false).change).to.deep.include({ kind: 'update', after: EDGE });
    const [first] = findEffects([remove(1, { name: 'edge' }, { path: '/api/cloud/', name: 'edge' })]);
    expect(first?.type === 'undo' && first.undo.refusal).to.include('too little is known of it');
  });

  it('can be undone if the create was refused and the object that was there was changed', () => {
    const refused = create(1, { name: 'edge', mtu: 9 }, { outcome: 'refused' });
    expect(summaries(findEffects([refused, update(2, EDGE, changed({ mtu: 9 }))]))).to.deep.equal([
      'lb1 cloud "edge": mtu',
    ]);
  });

  it('cannot be undone if it could not be read, was a raw request, or only a hidden secret', () => {
    const raw = update(2, null, {}, { object: 'DELETE /api/cloud/x' });
    const invoke = { kind: 'invoke', object: 'DELETE /api/cloud/x', before: null, after: null } as const;
    const hidden = { uuid: 'cloud-1', name: 'edge', password: '<sensitive>' };
    expect(
      summaries(
        findEffects([
          update(1, null, { dns: {} }, { ...single, uncomparable: true }),
          { ...raw, intent: { ...raw.intent, change: invoke } },
          update(3, hidden, { ...hidden, password: 'new-secret' }),
        ]),
      ),
    ).to.deep.equal([
      'lb1 cloud "edge" cannot be restored: the controller never showed password',
      'lb1 DELETE /api/cloud/x was a raw request: its effect is unknown',
      'lb1 system configuration could not be read before it was written: its former value is unknown',
    ]);
  });

  it('names what is lost and what can be restored', () => {
    const before = {
      ...EDGE,
      vcenter: { user: 'a', password: '<sensitive>' },
      keys: [{ id: 1, token: '<sensitive>' }],
    };
    const after = { ...EDGE, vcenter: { user: 'b', password: 'p' }, keys: [] };
    const undo = undoOf(update(1, before, after));
    expect(undo.fields).to.deep.equal([['vcenter', 'user'], ['keys']]);
    expect(undo.neverShown).to.deep.equal(['vcenter.password', 'keys[0].token']);
  });

  it('reports an unsent hidden secret as lost only if the controller dropped it', () => {
    const before = { ...EDGE, password: '<sensitive>' };
    const after = changed({ mtu: 9 });
    expect(undoOf(update(1, before, after, { seen: { ...after, password: '<sensitive>' } })).neverShown).to.deep.equal(
      [],
    );
    expect(undoOf(update(1, before, after, { seen: after })).neverShown).to.deep.equal(['password']);
  });

  it('ignores what the controller changed by itself', () => {
    const seen = changed({ mtu: 9, state: 'busy', _last_modified: '2' });
    expect(
      undoOf(update(1, changed({ state: 'idle' }), changed({ mtu: 9, state: 'idle' }), { seen })).fields,
    ).to.deep.equal([['mtu']]);
  });

  it('removes an object that the run added, whatever changed in it later', () => {
    const one = changed({ dns: { domain: 'a' } });
    const two = changed({ dns: { domain: 'b' } });
    expect(undoOf(update(1, EDGE, one), update(2, one, two)).fields).to.deep.equal([['dns']]);
  });

  it('must not be restored if someone else changed the object between two writes', () => {
    const between = { ...changed({ mtu: 1, owner: 'somebody' }), _last_modified: '9' };
    const undo = undoOf(
      update(1, EDGE, changed({ mtu: 1 }), { seen: changed({ mtu: 1 }) }),
      update(2, between, { ...between, mtu: 2 }),
    );
    expect(undo.refusal).to.equal('cloud "edge" was changed during the run: owner; not restored');
  });

  it('accepts either side of a write with unknown outcome as the run’s own', () => {
    const unknown = update(1, EDGE, changed({ mtu: 1 }), { outcome: 'unknown' });
    expect(undoOf(unknown, update(2, EDGE, changed({ mtu: 2 }))).refusal).to.equal(undefined);
    expect(undoOf(unknown, update(2, changed({ mtu: 1 }), changed({ mtu: 2 }))).refusal).to.equal(undefined);
    expect(undoOf(unknown, update(2, changed({ mtu: 7 }), changed({ mtu: 2 }))).refusal).to.match(/^cloud "edge" was/);
  });

  it('is masked if one of its writes is', () => {
    const one = changed({ mtu: 1 });
    expect(undoOf(update(1, EDGE, one, { hidden: true }), update(2, one, changed({ mtu: 2 }))).masked).to.equal(true);
  });
});

describe('an object of several', () => {
  const undos = (...writes: readonly RecordedWrite[]) =>
    findEffects(writes).flatMap((effect) => (effect.type === 'undo' ? [effect.undo] : []));
  it('is one for what exists once, in whatever tenants it was written', () => {
    const states = [1, 2, 3, 4].map((mtu) => ({ mtu, dns: { domain: mtu > 2 ? 'b' : 'a' } }));
    const [one = {}, two = {}, three = {}, four = {}] = states;
    const writes = [
      update(1, one, two, { ...single, tenant: 'admin' }),
      update(2, two, three, { ...single, tenant: 'blue' }),
      update(3, three, four, { ...single, tenant: 'admin' }),
    ];
    expect(summaries(findEffects(writes))).to.deep.equal(['lb1 system configuration: mtu, dns.domain']);
    expect(undoOf(...writes).refusal).to.equal(undefined);
  });

  it('is one for each user if it is their account, and restored as that user, under the name that wrote it', () => {
    const account = { object: 'useraccount', path: '/api/useraccount' };
    const [old, own, last] = [{ full_name: 'old' }, { full_name: 'new' }, { full_name: 'newest' }];
    const one = { target: 'one', reached: reaching('lb1') };
    const effects = findEffects([
      update(1, old, own, account),
      update(2, old, own, { ...account, reached: reaching('lb1', 'ops'), tenant: 'blue' }),
      update(3, own, last, { ...account, ...one }),
      update(4, EDGE, changed({ mtu: 9 }), one),
      update(5, EDGE, changed({ mtu: 9 }), { path: '/api/cloud/cloud-2' }),
    ]);
    expect(
      effects.map(
        (effect) =>
          effect.type === 'undo' && [
            effect.controller,
            effect.undo.path,
            effect.undo.restorer.reached.account,
            effect.undo.refusal,
          ],
      ),
    ).to.deep.equal([
      ['lb1', '/api/cloud/cloud-2', 'admin@lb1', undefined],
      ['one', '/api/cloud/cloud-1', 'admin@lb1', undefined],
      ['one', '/api/useraccount', 'admin@lb1', undefined],
      ['lb1', '/api/useraccount', 'ops@lb1', undefined],
    ]);
  });

  it('is one on a controller that several hosts act on, and is restored under a name that is preferred', () => {
    const from = (target: string) => ({ target, reached: reaching('c', target) });
    const [one, two] = [changed({ mtu: 1 }), changed({ mtu: 1, dhcp: true })];
    const writes = [
      update(1, EDGE, one, { ...from('lb1'), tenant: 'a' }),
      update(2, one, two, { ...from('lb2'), tenant: 'a' }),
    ];
    const shown = (...names: readonly string[]) =>
      findEffects(writes, undefined, [
        ({ target }) => names.includes(target),
        ({ reached }) => reached.account === 'lb1@c',
      ]).map(
        (effect) =>
          effect.type === 'undo' && [
            effect.controller,
            effect.undo.restorer.reached.account,
            effect.undo.before['mtu'],
          ],
      );
    expect(shown()).to.deep.equal([['lb1', 'lb1@c', 1500]]);
    expect(shown('lb2')).to.deep.equal([['lb2', 'lb2@c', 1500]]);
    expect(shown('lb1', 'lb2')).to.deep.equal([['lb1', 'lb1@c', 1500]]);
  });

  it('comes after those that it refers to on its controller, whichever hosts and users wrote them', () => {
    const server = { uuid: 's-1', name: 's', pool_ref: 'https://c/api/pool/p-1#p' };
    const pool = remove(1, { uuid: 'p-1', name: 'p' }, { reached: reaching('c'), object: 'p', path: '/api/pool/p-1' });
    const shown = (given: WriteOptions) =>
      findEffects([
        pool,
        remove(2, server, { target: 'lb2', object: 's', path: '/api/virtualservice/s-1', ...given }),
      ]).map((one) => one.type === 'undo' && [one.controller, one.undo.object, one.undo.renewals.length]);
    for (const given of [{}, { tenant: 'blue' }])
      for (const user of ['admin', 'ops'])
        expect(shown({ ...given, reached: reaching('c', user) })).to.deep.equal([
          ['lb1', 'p', 2],
          ['lb2', 's', 2],
        ]);
    expect(shown({})).to.deep.equal([
      ['lb2', 's', 1],
      ['lb1', 'p', 1],
    ]);
  });

  it('is that of its tenant and of its connection, and is restored there', () => {
    const found = undos(
      update(1, EDGE, changed({ mtu: 1 }), { tenant: 'red' }),
      update(2, EDGE, changed({ mtu: 2 }), { tenant: 'blue' }),
      update(3, EDGE, changed({ mtu: 3 }), { reached: reaching('c'), connection: { controller_url: 'https://c' } }),
      update(4, EDGE, changed({ mtu: 4 }), { reached: reaching('d'), connection: { controller_url: 'https://d' } }),
      update(5, EDGE, changed({ mtu: 5 })),
    );
    const shown = found.map(({ restorer: { tenant, connection }, left }) => [
      tenant,
      connection?.['controller_url'],
      left[0]?.object['mtu'],
    ]);
    expect(shown).to.deep.equal([
      [undefined, undefined, 5],
      [undefined, 'https://d', 4],
      [undefined, 'https://c', 3],
      ['blue', undefined, 2],
      ['red', undefined, 1],
    ]);
    const [deleted] = undos(remove(1, EDGE, { tenant: 'red', connection: { controller_username: 'c' } }));
    expect(deleted?.restorer).to.deep.include({ tenant: 'red', connection: { controller_username: 'c' } });
  });

  it('is one whoever signs in, if its uuid says so, and is restored as the user who wrote last', () => {
    const as = (user: string, at = 'lb1') => ({ reached: reaching(at, user) });
    const [one, two] = [changed({ mtu: 1 }), changed({ mtu: 1, dhcp: true })];
    const found = (...writes: readonly RecordedWrite[]) =>
      findEffects(writes).flatMap((effect) => (effect.type === 'undo' ? [effect.undo] : []));
    const shown = (...writes: readonly RecordedWrite[]) =>
      found(...writes).map(({ restorer, before, refusal = null }) => [
        restorer.reached.account,
        before['mtu'],
        refusal,
      ]);
    expect(shown(update(1, EDGE, one), update(2, one, two, as('ops')))).to.deep.equal([['ops@lb1', 1500, null]]);
    expect(shown(update(1, EDGE, one, as('ops')), update(2, one, two))).to.deep.equal([['admin@lb1', 1500, null]]);
    expect(shown(update(1, EDGE, one, as('ops', 'x')), update(2, one, two, as('eva', 'x')))).to.deep.equal([
      ['eva@x', 1500, null],
    ]);
    expect(shown(update(1, EDGE, one), update(2, EDGE, two, as('x', 'x'))).map(([user]) => user)).to.deep.equal([
      'x@x',
      'admin@lb1',
    ]);
    // By its name alone, it may be an object in another tenant of that user.
    const again = create(2, { name: 'edge', mtu: 2 }, { ...as('ops'), seen: { ...EDGE, uuid: 'cloud-2', mtu: 2 } });
    expect(found(remove(1, EDGE), again).map(({ isDeleted }) => isDeleted)).to.deep.equal([true]);
  });

  it('is known by its old name to no user once another one has renamed it, and gives names back to those of others', () => {
    const ops = { reached: reaching('lb1', 'ops') };
    const found = (...writes: readonly RecordedWrite[]) => findEffects(writes);
    const [tuned, west] = [changed({ mtu: 9 }), changed({ mtu: 9, name: 'west' })];
    const made = create(4, { name: 'edge' }, { seen: changed({ uuid: 'cloud-9', mtu: 77 }) });
    expect(
      found(update(1, EDGE, tuned), update(2, tuned, west, ops), remove(3, west, ops), made).map((effect) =>
        effect.type === 'undo' ? [effect.undo.isDeleted, effect.undo.member?.uuid] : effect.reason,
      ),
    ).to.deep.equal(['was created: a rollback deletes nothing', [true, 'cloud-1']]);
    const core = changed({ uuid: 'cloud-2', name: 'core' });
    const renamed = update(2, core, { ...core, name: 'edge' }, { object: 'cloud "core"', path: '/api/cloud/cloud-2' });
    const last = update(3, changed({ name: 'west' }), changed({ name: 'west', mtu: 1 }), ops);
    expect(
      found(update(1, EDGE, changed({ name: 'west' })), renamed, last).map((effect) =>
        effect.type === 'undo' ? effect.undo.member?.uuid : effect.reason,
      ),
    ).to.deep.equal(['cloud-2', 'cloud-1']);
  });

  it('is one that exists once, however often it was written', () => {
    const first = { dns: 'a', ntp: 'a' };
    const [undo, ...others] = undos(
      update(1, first, { dns: 'b', ntp: 'a' }, single),
      update(2, { dns: 'b', ntp: 'a' }, { dns: 'b', ntp: 'b' }, single),
    );
    expect(others).to.deep.equal([]);
    expect([undo?.before, undo?.fields.map(pathText), undo?.member]).to.deep.equal([first, ['dns', 'ntp'], undefined]);
  });

  it('is that of its cloud, by reference or by name, until it is known by its uuid', () => {
    const pool = { object: 'pool "web"', path: '/api/pool/', name: 'web' };
    const made = (cloud: string) => ({ name: 'web', cloud_ref: cloud });
    const kinds = (...clouds: readonly string[]) =>
      summaries(findEffects(clouds.map((cloud, at) => create(at + 1, made(cloud), pool))));
    expect(kinds('/api/cloud/cloud-1#a', '/api/cloud/cloud-2#a')).to.have.lengthOf(2);
    expect(kinds('/api/cloud/cloud-1#a', 'https://lb1/api/cloud/cloud-1')).to.have.lengthOf(1);
    expect(kinds('/api/cloud/?name=a', '/api/cloud/?name=b')).to.have.lengthOf(2);
    expect(kinds('/api/cloud/?name=a', '/api/cloud/?name=a')).to.have.lengthOf(1);
    const seen = { ...made('/api/cloud/cloud-1'), uuid: 'pool-1' };
    const renamed = { ...seen, name: 'west' };
    expect(
      summaries(
        findEffects([
          create(1, made('/api/cloud/cloud-1'), { ...pool, seen }),
          update(2, seen, renamed, { object: 'pool "web"', path: '/api/pool/pool-1' }),
          update(3, renamed, { ...renamed, port: 1 }, { object: 'pool "west"', path: '/api/pool/pool-1' }),
        ]),
      ),
    ).to.deep.equal(['lb1 pool "web" was created: a rollback deletes nothing']);
    const moved = { ...seen, cloud_ref: '/api/cloud/cloud-2' };
    expect(
      summaries(
        findEffects([
          create(1, made('/api/cloud/cloud-1'), { ...pool, seen }),
          update(2, moved, { ...moved, port: 1 }, { object: 'pool "web"', path: '/api/pool/pool-1' }),
        ]),
      ),
    ).to.deep.equal(['lb1 pool "web" was created: a rollback deletes nothing']);
  });

  it('is on its controller also if its values are lost', () => {
    const lost = (write: number, target: string): RecordedWrite => {
      const whole = update(write, EDGE, changed({ mtu: 9 }), { controller: target, target });
      const change = Object.defineProperty({ ...whole.intent.change }, 'before', {
        get: () => {
          throw new LoadError('its file is gone');
        },
      }) as typeof whole.intent.change;
      return { ...whole, intent: { ...whole.intent, change } };
    };
    const effects = findEffects([
      lost(1, 'lb1'),
      lost(2, 'lb2'),
      update(3, EDGE, changed({ mtu: 1 }), { target: 'lb3', controller: 'lb3' }),
      // What this found may be what the lost write left.
      update(4, EDGE, changed({ mtu: 1 })),
    ]);
    expect(effects.map((effect) => [effect.controller, effect.type === 'undo' && effect.undo.refusal])).to.deep.equal([
      ['lb1', 'cloud "edge" is not restored: its file is gone'],
      ['lb3', undefined],
      ['lb2', 'cloud "edge" is not restored: its file is gone'],
    ]);
  });

  it('that exists once is not restored to what a write found whose values are lost, in any tenant', () => {
    const [one, two, three] = [1, 2, 3].map((mtu) => ({ mtu }));
    const whole = update(1, one ?? {}, two ?? {}, { ...single, tenant: 'admin' });
    const change = Object.defineProperty({ ...whole.intent.change }, 'before', {
      get: () => {
        throw new LoadError('its file is gone');
      },
    }) as typeof whole.intent.change;
    const lost = { ...whole, intent: { ...whole.intent, change } };
    for (const tenant of ['admin', 'blue'])
      expect(undoOf(lost, update(2, two ?? {}, three ?? {}, { ...single, tenant })).refusal).to.equal(
        'system configuration is not restored: its file is gone',
      );
  });

  it('counts as deleted if it is unknown whether a create made another one', () => {
    const made = create(2, {});
    const change = Object.defineProperty({ ...made.intent.change }, 'after', {
      get: () => {
        throw new LoadError('its file is gone');
      },
    }) as typeof made.intent.change;
    const lost = { ...made, intent: { ...made.intent, change } };
    const undo = undoOf(remove(1, EDGE, { outcome: 'unknown' }), lost);
    expect([undo.isDeleted, { ...undo.before }]).to.deep.equal([true, EDGE]);
  });

  it('is not restored if lost values hide to which of two objects of a name it was written', () => {
    const made = { ...EDGE, uuid: 'cloud-9' } as typeof EDGE;
    const lost = create(2, {});
    const change = Object.defineProperty({ ...lost.intent.change }, 'after', {
      get: () => {
        throw new LoadError('its file is gone');
      },
    }) as typeof lost.intent.change;
    const first = update(1, EDGE, changed({ mtu: 9 }));
    const tuned = update(3, made, { ...made, mtu: 1 }, { path: '/api/cloud/cloud-9' });
    for (const more of [[tuned], []])
      expect(undoOf(first, { ...lost, intent: { ...lost.intent, change } }, ...more).refusal).to.equal(
        'cloud "edge" is not restored: the run may have written to several objects of that name',
      );
  });

  it('that was changed, deleted and created again has the uuid that it has now', () => {
    const anew = { ...EDGE, uuid: 'cloud-9', url: '/api/cloud/cloud-9' };
    const pool = { uuid: 'pool-1', name: 'web', cloud_ref: '/api/cloud/cloud-1' };
    const [own] = undos(
      update(1, pool, { ...pool, port: 1 }, { object: 'pool "web"', path: '/api/pool/pool-1' }),
      update(2, EDGE, changed({ mtu: 9 })),
      remove(3, changed({ mtu: 9 })),
      create(4, { name: 'edge' }, { seen: anew }),
    );
    const renewals = [
      { collection: '/api/cloud/', name: 'edge', formerUuid: 'cloud-1', newUuid: 'cloud-9', before: EDGE },
    ];
    expect(own?.renewals.map((one) => ({ ...one }))).to.deep.equal(renewals);
  });

  it('that was deleted and then changed has an unknown uuid once the controller deletes it late', () => {
    const pool = { uuid: 'pool-1', name: 'web', cloud_ref: '/api/cloud/cloud-1' };
    const tuned = changed({ mtu: 9 });
    const [own] = undos(
      update(1, pool, { ...pool, port: 1 }, { object: 'pool "web"', path: '/api/pool/pool-1' }),
      remove(2, EDGE),
      { ...update(3, EDGE, tuned), seen: tuned },
    );
    expect(own?.renewals.map(({ formerUuid, newUuid }) => [formerUuid, newUuid])).to.deep.equal([
      ['cloud-1', undefined],
    ]);
  });

  it('that was deleted without a reply may still be as it was before that', () => {
    const [undo] = undos(remove(1, EDGE, { outcome: 'unknown' }));
    expect(undo?.left.map(({ object, whole }) => ({ object, whole }))).to.deep.equal([{ object: EDGE, whole: true }]);
    expect(undo?.member).to.deep.equal({ collection: '/api/cloud/', name: 'edge', uuid: 'cloud-1' });
  });
});

describe('a deletion of unknown outcome', () => {
  const unsure = (write: number): RecordedWrite => remove(write, EDGE, { outcome: 'unknown' });

  it('did not take effect if the run found the object again', () => {
    const later = update(3, EDGE, changed({ mtu: 9 }));
    expect(undoOf(unsure(1), unsure(2), later)).to.deep.equal(undoOf(later));
    const earlier = update(0, EDGE, changed({ mtu: 9 }));
    const last = update(3, changed({ mtu: 9 }), changed({ mtu: 8 }));
    expect(undoOf(earlier, remove(1, changed({ mtu: 9 }), { outcome: 'unknown' }), last)).to.deep.equal(
      undoOf(earlier, last),
    );
  });

  it('counts if the run found another one of the name', () => {
    const anew = { ...EDGE, uuid: 'cloud-9' };
    const made = create(2, { name: 'edge' }, { seen: anew });
    const again = remove(3, anew, { outcome: 'unknown', path: '/api/cloud/cloud-9' });
    const last = update(4, anew, { ...anew, mtu: 9 }, { path: '/api/cloud/cloud-9' });
    const undo = undoOf(unsure(1), made, again, last);
    expect(undo.path).to.equal('/api/cloud/cloud-9');
    expect(undo.before).to.deep.include({ uuid: 'cloud-9', mtu: 1500 });
  });
});

describe('a rollback of objects in files', () => {
  it('keeps none of the objects in memory', async () => {
    const read: WeakRef<Mapping>[] = [];
    const reading = (object: Mapping): Mapping => {
      const fresh = structuredClone(object);
      read.push(new WeakRef(fresh));
      return fresh;
    };
    const writes = ['applied', 'unknown'].flatMap((outcome, at) => {
      const one = update(at + 1, EDGE, changed({ mtu: 1 }), { target: `lb${at}`, outcome: outcome as 'applied' });
      const { change } = one.intent;
      const stored = {
        ...change,
        kind: 'update' as const,
        get before() {
          return reading(EDGE);
        },
        get after() {
          return reading(changed({ mtu: 1 }));
        },
      };
      const intent = { ...one.intent, change: stored as typeof change };
      return {
        ...one,
        intent,
        get seen() {
          return reading(changed({ mtu: 1 }));
        },
      };
    });
    const effects = findEffects(writes);
    expect(read.length).to.be.greaterThan(4);
    await setImmediate();
    collectGarbage();
    expect(read.filter((object) => object.deref() !== undefined)).to.deep.equal([]);
    expect(effects.map((effect) => effect.type === 'undo' && effect.undo.before)).to.deep.equal([EDGE, EDGE]);
  });
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
