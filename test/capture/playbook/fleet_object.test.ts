import { expect } from 'chai';
import { fleetObjectKey, objectTitle, referenceKey } from '../../../src/capture/playbook/fleet_object.js';

describe('an object of a fleet', () => {
  const web = { kind: 'pool', name: 'web', cloud: undefined, tenant: undefined };

  it('is another one with another kind, name, cloud or tenant', () => {
    const others = [
      web,
      { ...web, kind: 'cloud' },
      { ...web, name: 'app' },
      { ...web, cloud: 'edge' },
      { ...web, tenant: 'edge' },
      { ...web, name: undefined },
    ];
    expect(new Set(others.map(fleetObjectKey)).size).to.equal(others.length);
    expect(new Set(others.map(referenceKey)).size).to.equal(4);
  });

  it('is named with its cloud, unless it is one, and with its tenant', () => {
    const titles = [
      web,
      { ...web, cloud: 'edge' },
      { ...web, cloud: 'edge', tenant: 'blue' },
      { ...web, tenant: 'blue' },
    ];
    expect(titles.map(objectTitle)).to.deep.equal([
      'pool "web"',
      'pool "web" in edge',
      'pool "web" in edge in tenant "blue"',
      'pool "web" in tenant "blue"',
    ]);
    expect(objectTitle({ kind: 'cloud', name: 'a', cloud: 'a', tenant: undefined })).to.equal('cloud "a"');
    expect(objectTitle({ ...web, kind: 'systemconfiguration', name: undefined, cloud: 'a', tenant: 'b' })).to.equal(
      'systemconfiguration',
    );
  });
});
