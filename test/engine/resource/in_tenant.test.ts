import { expect } from 'chai';
import { DIALECTS } from '../../../src/core/model/dialect.js';
import { inTenant, keepingSecrets, refusalOfShared, withoutTenant } from '../../../src/engine/resource/in_tenant.js';
import type { Plan } from '../../../src/module/contract.js';
import { catalogue } from '../../rig/loaded.js';

async function pool() {
  const module = await catalogue.load('pool_present');
  if (module?.type !== 'resource') throw new Error('no resource');
  return module;
}

describe('an object in a tenant', () => {
  const [avi, generic] = ['avi', 'generic'].map((name) => DIALECTS.get(name));
  if (avi === undefined || generic === undefined) throw new Error('no dialect');
  const at = (tenant: string | undefined, dialect = avi) => ({ settings: { tenant, dialect } });

  it('is named with its tenant, but not in the default tenant and not twice', async () => {
    const module = await pool();
    const args = { name: 'web' };
    expect(inTenant(module, undefined)).to.equal(module);
    expect(inTenant(module, at(undefined))).to.equal(module);
    expect(inTenant(module, at('admin'))).to.equal(module);
    const names = [at('blue'), at('red'), at('admin', generic)].map((one) => inTenant(module, one).object(args));
    expect(names).to.deep.equal(['blue', 'red', 'admin'].map((tenant) => `pool "web" in tenant "${tenant}"`));
    const twice = inTenant(inTenant(module, at('blue')), at('blue'));
    expect(twice.object(args)).to.equal('pool "web" in tenant "blue"');
    const { change } = twice.plan(args, undefined);
    expect(change.kind === 'none' ? '' : change.object).to.equal('pool "web" in tenant "blue"');
  });

  it('keeps its plan if nothing changes, and its other parts', async () => {
    const none = { change: { kind: 'none' }, warnings: ['w'] } as const;
    const module = { ...(await pool()), plan: () => none };
    expect(inTenant(module, at('blue')).plan({ name: 'web' }, undefined)).to.equal(none);
    const changed = { change: { kind: 'create', object: 'x', before: null, after: {} }, warnings: ['w'] } as const;
    expect(inTenant({ ...module, plan: () => changed }, at('blue')).plan({ name: 'web' }, undefined)).to.deep.equal({
      ...changed,
      change: { ...changed.change, object: 'x in tenant "blue"' },
    });
  });

  it('that another tenant shares must not be changed', async () => {
    const update = (tenant_ref: string | undefined): Plan => ({
      change: {
        kind: 'update',
        object: 'pool "web" in tenant "blue"',
        before: { name: 'web', ...(tenant_ref !== undefined && { tenant_ref }) },
        after: {},
      },
    });
    const refusal = (plan: Plan, own: object = { type: 'found', path: '/api/tenant/t-blue' }, has = true) => {
      const lookup = {
        tenant: has ? { collection: '/api/tenant/', name: 'blue' } : undefined,
        resolve: () => Promise.resolve(own),
        knownName: (collection: string, uuid: string) =>
          collection === '/api/tenant/' && uuid === 't-red' ? 'red' : undefined,
      };
      const session = { references: () => Promise.resolve(lookup) } as unknown as Parameters<typeof refusalOfShared>[1];
      return refusalOfShared(plan, session, false);
    };
    const why = (owner: string): string =>
      `pool "web" belongs to the tenant "${owner}", and the task acts in "blue", so it was not changed: give the task "tenant: ${owner}", or declare "tenant_ref: blue" to have another one there`;
    expect(await refusal(update('https://lb1/api/tenant/t-red#red'))).to.equal(why('red'));
    expect(await refusal(update('/api/tenant/t-green'))).to.equal(why('t-green'));
    expect(await refusal(update('/api/tenant/t-blue'))).to.equal(undefined);
    expect(await refusal(update('/api/tenant/t-red'), { type: 'missing', known: [] })).to.equal(undefined);
    expect(await refusal(update('/api/tenant/t-red'), undefined, false)).to.equal(undefined);
    expect(await refusal(update(undefined))).to.equal(undefined);
    const { change } = update('/api/tenant/t-red');
    if (change.kind !== 'update') throw new Error('no update');
    expect(await refusal({ change: { ...change, before: null } })).to.equal(undefined);
    expect(
      await refusal({
        change: { ...change, kind: 'delete', before: { tenant_ref: '/api/tenant/t-red' }, after: null },
      }),
    ).to.equal(undefined);
  });

  it('keeps its secrets in updates where placeholders do', async () => {
    const keeping = { after: { password: '<sensitive>' }, warnings: ['kept'], unfounded: ['lost'] };
    const change = { kind: 'update', object: 'x', before: {}, after: { a: 1 } } as const;
    const plans: readonly Plan[] = [
      { change, keeping, warnings: ['other', 'lost'] },
      { change, keeping },
      { change, warnings: ['lost'] },
      { change: { kind: 'create', object: 'x', before: null, after: {} }, keeping, warnings: ['lost'] },
    ];
    const module = await pool();
    const planned = (plan: Plan, dialect = { ...avi, placeholderKeepsSecret: true }): Plan =>
      keepingSecrets({ ...module, plan: () => plan }, { settings: { dialect } }).plan({ name: 'web' }, undefined);
    const kept = { ...change, after: keeping.after };
    expect(plans.map((plan) => planned(plan))).to.deep.equal([
      { change: kept, warnings: ['other', 'kept'] },
      { change: kept, warnings: ['kept'] },
      { change, warnings: ['lost'] },
      { change: plans[3]?.change, warnings: ['lost'] },
    ]);
    expect(keepingSecrets(module, undefined)).to.equal(module);
    expect(keepingSecrets(module, { settings: { dialect: { ...avi, placeholderKeepsSecret: false } } })).to.equal(
      module,
    );
  });

  it('has the same name without it', () => {
    expect(withoutTenant('pool "web" in tenant "blue"', 'blue')).to.equal('pool "web"');
    expect(withoutTenant('pool "web" in tenant "blue"', 'red')).to.equal('pool "web" in tenant "blue"');
    expect(withoutTenant('pool "web"', undefined)).to.equal('pool "web"');
  });
});
