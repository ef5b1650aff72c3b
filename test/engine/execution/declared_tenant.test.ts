import { expect } from 'chai';
import { GIVEN } from '../../../src/engine/controllers/session_pool.js';
import { disagreement } from '../../../src/engine/execution/delegation.js';
import { Variables } from '../../../src/language/scope.js';

const DECLARED = { path: ['properties', 'tenant_ref'], text: 'blue' };

function tenantOf(value: string | undefined, origin = 'inventory.yml'): Variables {
  if (value === undefined) return new Variables([]);
  return new Variables([{ level: 'task vars', origin, values: { controller_tenant: value } }]);
}

describe('a tenant that arguments declare', () => {
  it('agrees with none, and with itself', () => {
    for (const given of [undefined, 'blue', "{{ 'blue' }}"])
      expect(disagreement(DECLARED, 'blue', tenantOf(given))).to.equal(undefined);
  });

  it('must be that of the task, or of its controller', () => {
    expect(disagreement(DECLARED, 'blue', tenantOf('red'))).to.deep.equal({
      message: 'properties.tenant_ref names the tenant "blue", but controller_tenant names "red"',
      hint: 'give the task "tenant: blue", or remove controller_tenant',
    });
    expect(disagreement(DECLARED, 'blue', tenantOf('red', GIVEN))).to.deep.equal({
      message: 'properties.tenant_ref names the tenant "blue", but the task names "red"',
      hint: 'name one tenant',
    });
  });
});
