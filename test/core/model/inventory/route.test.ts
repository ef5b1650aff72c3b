import { expect } from 'chai';
import {
  controllerIdentity,
  NO_PROXY,
  parseProxy,
  proxyKey,
  routeLabel,
  routeText,
  shownProxy,
  type Route,
} from '../../../../src/core/model/inventory/route.js';

const ANONYMOUS = { username: '', password: '' };

describe('a proxy', () => {
  for (const [url, proxy] of [
    ['socks5://bastion', { scheme: 'socks5', host: 'bastion', port: 1080, ...ANONYMOUS }],
    ['socks5h://Bastion.Example.com', { scheme: 'socks5h', host: 'bastion.example.com', port: 1080, ...ANONYMOUS }],
    ['http://p', { scheme: 'http', host: 'p', port: 80, ...ANONYMOUS }],
    ['https://p', { scheme: 'https', host: 'p', port: 443, ...ANONYMOUS }],
    ['http://p:3128', { scheme: 'http', host: 'p', port: 3128, ...ANONYMOUS }],
    ['http://[FD00::7]:8080', { scheme: 'http', host: 'fd00::7', port: 8080, ...ANONYMOUS }],
    ['http://a%40b:c%3Ad@p', { scheme: 'http', host: 'p', port: 80, username: 'a@b', password: 'c:d' }],
    ['socks4://p', undefined],
    ['p:3128', undefined],
    ['http://p/path', undefined],
  ] as const)
    it(`is read from ${url}`, () => {
      expect(parseProxy(url)).to.deep.equal(proxy);
    });

  it('is shown without its credentials', () => {
    expect([shownProxy({ host: 'p', port: 1 }), shownProxy({ host: 'fd00::7', port: 2 })]).to.deep.equal([
      'p:1',
      '[fd00::7]:2',
    ]);
  });

  it('leads to the network of its address and its user', () => {
    expect(proxyKey('http://ann:one@p:80')).to.equal(proxyKey('https://ann:two@p:80'));
    expect(proxyKey('http://ann:one@p')).to.equal('["p:80","ann"]');
    expect(proxyKey('http://ann@p')).not.to.equal(proxyKey('http://bob@p'));
    expect(proxyKey('no proxy')).to.equal('no proxy');
  });
});

describe('a route', () => {
  const named: Route = { name: 'madrid', proxies: ['http://p:1'] };
  const one: Route = { name: undefined, proxies: ['http://ann:pw@b:1'] };
  const several: Route = { name: undefined, proxies: ['http://b:1', 'http://a:2', 'http://bob:pw@b:1', 'none'] };

  it('has a label if it has a proxy: its name, else its proxies without credentials, in one order', () => {
    expect([named, one, several, NO_PROXY, { name: 'empty', proxies: [] }, undefined].map(routeLabel)).to.deep.equal([
      'madrid',
      'b:1',
      ':0,a:2,b:1',
      undefined,
      undefined,
      undefined,
    ]);
    expect([named, one, several].map(routeText)).to.deep.equal([
      'route madrid',
      'the proxy b:1',
      'the proxies :0, a:2, b:1',
    ]);
    expect(routeLabel(one)).to.equal('b:1');
  });

  it('tells controllers with one address apart', () => {
    const url = 'https://10.0.0.1';
    expect([named, one, NO_PROXY, undefined].map((route) => controllerIdentity({ url, route }))).to.deep.equal([
      'https://10.0.0.1 via madrid',
      'https://10.0.0.1 via b:1',
      url,
      url,
    ]);
  });
});
