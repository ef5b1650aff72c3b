import { expect } from 'chai';
import { DIALECTS } from '../../../src/core/model/dialect.js';
import { inTenant, withoutTenant } from '../../../src/engine/resource/in_tenant.js';
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

  it('has the same name without it', () => {
    expect(withoutTenant('pool "web" in tenant "blue"', 'blue')).to.equal('pool "web"');
    expect(withoutTenant('pool "web" in tenant "blue"', 'red')).to.equal('pool "web" in tenant "blue"');
    expect(withoutTenant('pool "web"', undefined)).to.equal('pool "web"');
  });
});
