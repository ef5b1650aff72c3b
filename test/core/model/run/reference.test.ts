import { expect } from 'chai';
import {
  collectionNamed,
  describeDistinctions,
  directReference,
  isReferenceName,
  queriedReference,
  shownName,
  withoutNames,
  withoutOrigins,
} from '../../../../src/core/model/run/reference.js';

describe('a reference', () => {
  it('by uuid is a path or URL, with or without the name of the object', () => {
    const pool = { collection: '/api/pool/', uuid: 'pool-1' };
    for (const [text, found] of [
      ['/api/pool/pool-1', pool],
      ['/api/pool/pool-1#web', pool],
      ['https://lb1/api/pool/pool-1#', pool],
      ['https://lb1/api/pool/pool-1#two\nlines', pool],
      ['http://lb1:8443/below/it/api/pool/pool-1', pool],
      ['/api/pool/pool%201', { collection: '/api/pool/', uuid: 'pool 1' }],
      ['/api/a/b/c', { collection: '/api/a/b/', uuid: 'c' }],
      ['/api/pool/', undefined],
      ['/api/pool', undefined],
      ['/api/pool/pool-1?x=1', undefined],
      ['/api/pool?name=web', undefined],
      ['x/api/pool/pool-1', undefined],
      ['ftp://lb1/api/pool/pool-1', undefined],
      ['web', undefined],
    ] as const)
      expect(directReference(text), text).to.deep.equal(found);
  });

  it('by name has the name in its query, and may have a cloud, but no tenant', () => {
    const web = { collection: '/api/pool/', name: 'web' };
    for (const [text, found] of [
      ['/api/pool?name=web', web],
      ['/api/pool/?name=web#x', web],
      ['https://lb1/api/pool?name=web', web],
      ['https://lb1/below/api/pool/?page=2&name=web', web],
      ['/api/pool?name=a%20b', { collection: '/api/pool/', name: 'a b' }],
      ['/api/pool?name=', { collection: '/api/pool/', name: '' }],
      ['/api/pool?name=web&cloud=edge', { ...web, cloud: 'edge', isCloudNamed: true }],
      ['/api/pool?cloud=&name=web', { ...web, cloud: '', isCloudNamed: true }],
      ['/api/pool?name=web&tenant=blue', { collection: '/api/pool/', name: 'web', tenant: 'blue' }],
      ['/api/pool?cloud=edge', undefined],
      ['/api/pool?', undefined],
      ['/api/pool/pool-1', undefined],
      ['/api/?name=web', undefined],
      ['x/api/pool?name=web', undefined],
    ] as const)
      expect(queriedReference(text), text).to.deep.equal(found);
  });

  it('is in fields of such names, which are those of a collection', () => {
    expect(['pool_ref', 'pool_refs', 'ref', 'pool_reference', '_ref', 'refs'].filter(isReferenceName)).to.deep.equal([
      'pool_ref',
      'pool_refs',
      '_ref',
    ]);
    expect(['health_monitor_refs', 'Pool_ref', 'a_ref_b_ref', 'x'].map(collectionNamed)).to.deep.equal([
      '/api/healthmonitor/',
      '/api/pool/',
      '/api/arefb/',
      '/api/x/',
    ]);
  });

  it('shows the name of its object', () => {
    expect(['/api/pool/1#web', '/api/pool/1#a#b', '/api/pool/1#', '/api/pool/1'].map(shownName)).to.deep.equal([
      'web',
      'a#b',
      '',
      undefined,
    ]);
  });

  it('loses the name of its object, or the address of the controller, wherever it is', () => {
    const object = {
      url: 'https://lb1/api/pool/1#web',
      pool_ref: 'https://lb1:8443/api/pool/2#two',
      monitor_refs: ['https://lb1/api/monitor/3#three', '/api/monitor/4', '/api/monitor?name=x#y', 5],
      inside: { deeper: [{ pool_ref: '/api/pool/6#six', note: '/api/pool/7#seven' }] },
      note: 'https://lb1/api/pool/8#eight',
      nothing: null,
    };
    expect(withoutNames(object)).to.deep.equal({
      ...object,
      url: 'https://lb1/api/pool/1',
      pool_ref: 'https://lb1:8443/api/pool/2',
      monitor_refs: ['https://lb1/api/monitor/3', '/api/monitor/4', '/api/monitor?name=x#y', 5],
      inside: { deeper: [{ pool_ref: '/api/pool/6', note: '/api/pool/7#seven' }] },
    });
    expect(withoutOrigins(object)).to.deep.equal({
      ...object,
      url: '/api/pool/1#web',
      pool_ref: '/api/pool/2#two',
      monitor_refs: ['/api/monitor/3#three', '/api/monitor/4', '/api/monitor?name=x#y', 5],
    });
    for (const [url, path] of [
      ['https://lb1:8443/api/systemconfiguration', '/api/systemconfiguration'],
      ['http://gate/lb1/api/cluster', '/lb1/api/cluster'],
      ['https://other.example/hook?of=/api/cluster', 'https://other.example/hook?of=/api/cluster'],
    ] as const)
      expect(withoutOrigins({ url, at: { url } })).to.deep.equal({ url: path, at: { url } });
  });
});

describe('objects of one name', () => {
  it('are described by what distinguishes them', () => {
    const [edge, core] = ['/api/cloud/1#edge', '/api/cloud/core-2'];
    const [blue, red] = ['/api/tenant/3#blue', 'red'];
    expect(
      describeDistinctions([
        { uuid: 'a', cloud_ref: edge, tenant_ref: blue },
        { uuid: 'b', cloud_ref: core, tenant_ref: blue },
      ]),
    ).to.equal('a in cloud "edge", b in cloud "core-2"');
    expect(
      describeDistinctions([
        { uuid: 'a', cloud_ref: edge, tenant_ref: blue },
        { uuid: 5, cloud_ref: core, tenant_ref: red },
        { uuid: 'c', tenant_ref: red },
      ]),
    ).to.equal('a in cloud "edge" in tenant "blue", no uuid in cloud "core-2" in tenant "red", c in tenant "red"');
    expect(
      describeDistinctions([
        { uuid: 'a', cloud_ref: edge },
        { uuid: 'b', cloud_ref: edge },
      ]),
    ).to.equal('a, b');
  });
});
