import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import type { VariableLevel } from '../../../src/core/model/values/variables.js';
import { lookupIn } from '../../../src/engine/controllers/controller_connections.js';
import { ConnectionNames, KEPT_CONNECTION } from '../../../src/engine/controllers/session_pool.js';
import { Variables } from '../../../src/language/scope.js';
import { layer } from '../../language/scopes.js';

const at = (level: VariableLevel, values: Mapping) => layer(values, level);

describe('the connection that a rollback uses again', () => {
  const kept = at('magic', {
    [KEPT_CONNECTION]: { controller_url: 'https://then', controller_tenant: 'blue', controller_proxy: null },
  });
  const ask = (...layers: Parameters<typeof at>[]) => {
    const lookup = lookupIn(new Variables([kept, ...layers.map((one) => at(...one))]));
    return ['controller_url', 'controller_tenant', 'controller_proxy', 'controller_username'].map((name) =>
      lookup(name),
    );
  };

  it('is stronger than all variables but those of the command line, which do not choose the tenant', () => {
    const values = {
      controller_url: 'https://now',
      controller_tenant: 'red',
      controller_proxy: 'http://p',
      controller_username: 'me',
    };
    expect(ask(['inventory host vars', values])).to.deep.equal(['https://then', 'blue', null, 'me']);
    expect(ask(['set_fact and registered', values])).to.deep.equal(['https://then', 'blue', null, 'me']);
    expect(ask(['extra vars', values])).to.deep.equal(['https://now', 'blue', 'http://p', 'me']);
    expect(ask()).to.deep.equal(['https://then', 'blue', null, undefined]);
  });

  it('is that of the variables if nothing was kept', () => {
    const lookup = lookupIn(new Variables([at('play vars', { controller_url: 'https://{{ x }}', x: 'now' })]));
    expect([lookup('controller_url'), lookup('controller_tenant')]).to.deep.equal(['https://now', undefined]);
  });
});

describe('the names that a connection depends on', () => {
  it('are those of connection variables, and those to which they refer', () => {
    const names = new ConnectionNames();
    const [x, y] = [layer({ x: 1 }), layer({ y: 1 })];
    const concern = () => [[x], [y], [x, y], []].map((layers) => names.concern(layers));
    expect(concern()).to.deep.equal([false, false, false, false]);
    names.add('x');
    expect(concern()).to.deep.equal([true, false, true, false]);
    names.add('x');
    names.add('y');
    expect(concern()).to.deep.equal([true, true, true, false]);
    expect([
      names.concern([layer({ controller_tenant: 1 })]),
      names.concern([layer({ [KEPT_CONNECTION]: {} })]),
    ]).to.deep.equal([true, true]);
    names.add('hostvars');
    expect(names.concern([])).to.equal(true);
  });
});
