import { expect } from 'chai';
import { settingRoute, signedInRoute } from '../../../src/controller/settings/route.js';
import { settingIdentity } from '../../../src/controller/settings/url.js';
import { SettingValues } from '../../../src/controller/settings/values.js';
import type { Routes } from '../../../src/core/model/inventory/route.js';
import type { Mapping } from '../../../src/core/model/values/value.js';

const ROUTES: Routes = new Map([
  ['madrid', ['socks5h://bastion:1081', 'socks5h://bastion:2081']],
  ['lisbon', ['http://proxy']],
]);

function read(variables: Mapping) {
  const values = new SettingValues((name) => variables[name], 'lb1');
  const route = signedInRoute(values, settingRoute(values, ROUTES));
  return {
    route,
    said: values.problems.map(({ message, hint }) => `${message}${hint === undefined ? '' : ` (${hint})`}`),
  };
}

const FORM =
  'controller_proxy must be a URL such as socks5h://bastion.example.com:1080 or http://proxy.example.com:3128, or a list of them';

describe('the route of a controller', () => {
  it('is a route of the project, or proxies of its own', () => {
    expect(read({}).route).to.equal(undefined);
    expect(read({ controller_route: 'lisbon' }).route).to.deep.equal({ name: 'lisbon', proxies: ['http://proxy'] });
    for (const proxy of ['socks5://p:1', 'socks5h://[fd00::1]', 'http://p', 'https://p:8443/'])
      expect(read({ controller_proxy: proxy }).route).to.deep.equal({ name: undefined, proxies: [proxy] });
    const both = ['socks5h://a:1', 'http://b:2'];
    expect(read({ controller_proxy: both }).route).to.deep.equal({ name: undefined, proxies: both });
  });

  it('is the route of the project to which one of its proxies belongs', () => {
    expect(read({ controller_proxy: 'socks5://BASTION:2081' }).route?.name).to.equal('madrid');
    expect(read({ controller_proxy: ['http://other', 'http://proxy:80'] }).route?.name).to.equal('lisbon');
    expect(read({ controller_proxy: 'socks5h://ann@bastion:2081' }).route?.name).to.equal(undefined);
  });

  it('is none if the proxy is empty, whatever the environment says', () => {
    expect(read({ controller_proxy: '' }).route).to.deep.equal({ name: undefined, proxies: [] });
    expect(read({ ansible_httpapi_use_proxy: 'no' }).route).to.deep.equal({ name: undefined, proxies: [] });
    expect(read({ ansible_httpapi_use_proxy: true }).route).to.equal(undefined);
    expect(read({ controller_proxy: 'http://p', ansible_httpapi_use_proxy: false }).route?.proxies).to.deep.equal([
      'http://p',
    ]);
    expect(read({ controller_proxy: '', controller_route: 'lisbon' }).route?.name).to.equal('lisbon');
    expect(read({ controller_proxy: 'http://p', controller_route: '' }).route?.proxies).to.deep.equal(['http://p']);
  });

  it('gets the credentials of the variables, unless its URL has its own', () => {
    const credentials = { controller_proxy_username: 'a@b', controller_proxy_password: 'p/ä:%' };
    expect(read({ controller_route: 'madrid', ...credentials })).to.deep.equal({
      route: {
        name: 'madrid',
        proxies: ['socks5h://a%40b:p%2F%C3%A4%3A%25@bastion:1081', 'socks5h://a%40b:p%2F%C3%A4%3A%25@bastion:2081'],
      },
      said: [],
    });
    const own = 'http://me:mine@p/';
    expect(read({ controller_proxy: own, ...credentials }).route?.proxies).to.deep.equal([own]);
    const named = { controller_proxy: 'http://me@p/', controller_proxy_password: 'x' };
    expect(read(named).route?.proxies).to.deep.equal(['http://me:x@p/']);
    const two = { controller_proxy: ['http://me@p/', 'http://q/'], controller_proxy_username: 'ann' };
    expect(read(two).route?.proxies).to.deep.equal(['http://me@p/', 'http://ann@q/']);
    // What nobody needs is not read.
    for (const direct of [{}, { controller_proxy: '' }])
      expect(read({ ...direct, controller_proxy_username: '' }).said).to.deep.equal([]);
  });

  const wrong: readonly [variables: Mapping, problem: string][] = [
    [{ controller_proxy: 'proxy:3128' }, FORM],
    [{ controller_proxy: 'socks4://proxy' }, FORM],
    [{ controller_proxy: 'http://proxy/path' }, FORM],
    [
      { controller_proxy: ['http://p', 'http://a:b#c@p'] },
      `${FORM} (in a user name and a password, write "@" as %40, "/" as %2F, "%" as %25, and so on)`,
    ],
    [{ controller_proxy: [] }, FORM],
    [{ controller_proxy: ['http://p', 7] }, FORM],
    [
      { controller_proxy: 'http://p', controller_route: 'madrid' },
      'controller_route and controller_proxy are both set (set one of them, and the other to an empty text)',
    ],
    [{ controller_route: '' }, 'controller_route of lb1 is empty (leave it out to use its default)'],
    [{ controller_route: 'madird' }, 'controller_route: there is no route "madird" (did you mean "madrid"?)'],
    [{ controller_route: 'x' }, 'controller_route: there is no route "x" (routes of evenkeel.yml: madrid, lisbon)'],
  ];
  for (const [variables, problem] of wrong)
    it(`refuses ${JSON.stringify(variables)}`, () => {
      expect(read(variables).said).to.deep.equal([problem]);
    });
});

describe('the identity of a controller', () => {
  const identity = (variables: Mapping): string | undefined =>
    settingIdentity((name) => ({ controller_url: 'https://10.0.0.1/', ...variables })[name], 'lb1', ROUTES);

  it('is its URL and its route, by the name of that', () => {
    expect(identity({})).to.equal('https://10.0.0.1');
    expect(identity({ controller_route: 'madrid' })).to.equal('https://10.0.0.1 via madrid');
    expect(identity({ controller_proxy: 'socks5h://bastion:2081' })).to.equal('https://10.0.0.1 via madrid');
    expect(identity({ controller_proxy: '' })).to.equal('https://10.0.0.1');
    expect(identity({ controller_url: 'http://10.0.0.1/x/' })).to.equal('http://10.0.0.1/x');
    expect(identity({ controller_url: 'https://[fd00::7]:8443/' })).to.equal('https://[fd00::7]:8443');
  });

  it('is the same with and without a dot that ends the name', () => {
    for (const rest of ['', ':8443', '/a./b', ':8443/a.'])
      expect(identity({ controller_url: `https://lb1.example.com.${rest}` })).to.equal(
        `https://lb1.example.com${rest}`,
      );
  });

  it('has the proxies of a route without a name, in any order and for any user', () => {
    const one = identity({ controller_proxy: ['http://ann:secret@b:1', 'socks5h://a'] });
    expect(one).to.equal('https://10.0.0.1 via a:1080,b:1');
    expect(identity({ controller_proxy: ['socks5h://a', 'http://bob:other@b:1'] })).to.equal(one);
  });

  it('is unknown if the address or the route is wrong', () => {
    expect(identity({ controller_url: 'lb1' })).to.equal(undefined);
    expect(identity({ controller_route: 'paris' })).to.equal(undefined);
  });
});
