import { expect } from 'chai';
import { routeFor, type ProxyEnvironment } from '../../../src/controller/route/environment.js';
import { NetworkRefusal } from '../../../src/controller/transport/confinement.js';
import { PROXY_FORM } from '../../../src/core/model/inventory/route.js';
import { through } from '../../rig/controllers.js';

describe('the proxy for a controller', () => {
  const P = 'http://proxy:3128';
  const cases: readonly [
    what: string,
    url: string,
    own: string | undefined,
    env: ProxyEnvironment,
    expected: string | undefined,
  ][] = [
    ['is none where nothing says so', 'https://lb1', undefined, {}, undefined],
    ['is its own', 'https://lb1', 'http://own:1', { HTTPS_PROXY: P }, 'http://own:1'],
    ['is none where its own is empty', 'https://lb1', '', { HTTPS_PROXY: P }, undefined],
    ['is its own whatever NO_PROXY says', 'https://lb1', 'http://own:1', { NO_PROXY: '*' }, 'http://own:1'],
    ['is HTTPS_PROXY', 'https://lb1', undefined, { HTTPS_PROXY: P, HTTP_PROXY: 'http://other' }, P],
    ['is HTTP_PROXY for http', 'http://lb1', undefined, { HTTP_PROXY: P, HTTPS_PROXY: 'http://other' }, P],
    ['is ALL_PROXY otherwise', 'https://lb1', undefined, { ALL_PROXY: P }, P],
    ['is the lower-case name first', 'https://lb1', undefined, { https_proxy: P, HTTPS_PROXY: 'http://other' }, P],
    ['gets a scheme', 'https://lb1', undefined, { HTTPS_PROXY: 'proxy:3128' }, P],
    ['is none where the variable is empty', 'https://lb1', undefined, { HTTPS_PROXY: '' }, undefined],
    ['is exempt by *', 'https://lb1', undefined, { HTTPS_PROXY: P, NO_PROXY: '*' }, undefined],
    [
      'is exempt by name',
      'https://LB1.example.com',
      undefined,
      { HTTPS_PROXY: P, NO_PROXY: 'a, lb1.example.com' },
      undefined,
    ],
    [
      'is exempt by domain',
      'https://lb1.example.com',
      undefined,
      { HTTPS_PROXY: P, no_proxy: '.example.com' },
      undefined,
    ],
    [
      'is exempt by *.domain',
      'https://lb1.example.com',
      undefined,
      { HTTPS_PROXY: P, no_proxy: '*.example.com' },
      undefined,
    ],
    [
      'is exempt by domain without a dot',
      'https://lb1.example.com',
      undefined,
      { HTTPS_PROXY: P, no_proxy: 'example.com' },
      undefined,
    ],
    [
      'is not exempt by half a name',
      'https://lb1.myexample.com',
      undefined,
      { HTTPS_PROXY: P, no_proxy: 'example.com' },
      P,
    ],
    ['is exempt by port', 'https://lb1:8443', undefined, { HTTPS_PROXY: P, no_proxy: 'lb1:8443' }, undefined],
    ['is exempt by the default port', 'https://lb1', undefined, { HTTPS_PROXY: P, no_proxy: 'lb1:443' }, undefined],
    ['is not exempt by another port', 'https://lb1:8443', undefined, { HTTPS_PROXY: P, no_proxy: 'lb1:443' }, P],
    ['is exempt by address', 'https://10.0.0.7', undefined, { HTTPS_PROXY: P, no_proxy: '10.0.0.7' }, undefined],
    ['is exempt by network', 'https://10.0.0.7', undefined, { HTTPS_PROXY: P, no_proxy: '10.0.0.0/24' }, undefined],
    ['is not exempt by another network', 'https://10.0.1.7', undefined, { HTTPS_PROXY: P, no_proxy: '10.0.0.0/24' }, P],
    ['is exempt by IPv6 address', 'https://[fd00::7]', undefined, { HTTPS_PROXY: P, no_proxy: 'fd00::7' }, undefined],
    [
      'is exempt by IPv6 address and port',
      'https://[fd00::7]:8443',
      undefined,
      { HTTPS_PROXY: P, no_proxy: '[fd00::7]:8443' },
      undefined,
    ],
    [
      'is exempt by a long IPv6 address',
      'https://[fd00::7]',
      undefined,
      { HTTPS_PROXY: P, no_proxy: 'fd00:0:0::7' },
      undefined,
    ],
    [
      'is exempt by a full name',
      'https://lb1.example.com',
      undefined,
      { HTTPS_PROXY: P, no_proxy: 'example.com.' },
      undefined,
    ],
    [
      'is exempt by name for a full name',
      'https://lb1.example.com./',
      undefined,
      { HTTPS_PROXY: P, no_proxy: 'example.com' },
      undefined,
    ],
    [
      'is not exempt by another IPv6 address',
      'https://[fd00::7]',
      undefined,
      { HTTPS_PROXY: P, no_proxy: 'fd00:0:0::8' },
      P,
    ],
    ['is exempt by a name in capitals', 'https://lb1', undefined, { HTTPS_PROXY: P, NO_PROXY: 'LB1 , ' }, undefined],
    ['is not exempt by an empty list', 'https://lb1', undefined, { HTTPS_PROXY: P, NO_PROXY: ' , ' }, P],
    ['is not exempt by what is no network', 'https://10.0.0.7', undefined, { HTTPS_PROXY: P, NO_PROXY: '10.0.0' }, P],
    [
      'is not that of the other kind of address',
      'https://10.0.0.7',
      undefined,
      { HTTPS_PROXY: P, NO_PROXY: '::/0' },
      P,
    ],
    ['is exempt by IPv6 network', 'https://[fd00::7]', undefined, { HTTPS_PROXY: P, no_proxy: 'fd00::/8' }, undefined],
  ];
  it('is one of the environment, which has no name, or it is refused with the name of its variable', () => {
    expect(routeFor('https://lb1', undefined, { https_proxy: ' proxy:3128 ' })).to.deep.equal({
      name: undefined,
      proxies: [P],
      variable: 'https_proxy',
    });
    expect(() => routeFor('https://lb1', undefined, { ALL_PROXY: 'http://a:b/c@proxy' }))
      .to.throw(`ALL_PROXY ${PROXY_FORM}`)
      .with.property('hint')
      .that.includes('write "@" as %40');
    for (const name of ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'])
      try {
        expect(routeFor('https://lb1', undefined, { [name]: 'ftp://u:pw@proxy' })).to.equal('refused');
      } catch (error) {
        expect(error).to.be.instanceOf(NetworkRefusal);
        expect(error).to.include({
          message: `the environment variable ${name} ${PROXY_FORM}`,
          hint: 'correct it, or unset it',
        });
      }
  });

  for (const [what, url, own, env, expected] of cases) {
    it(what, () => {
      const route = routeFor(url, own === undefined ? undefined : through(...(own === '' ? [] : [own])), env);
      expect(route?.proxies[0]).to.equal(expected);
    });
  }
});
