import { homedir } from 'node:os';
import { expect } from 'chai';
import { caReader, parseSettings, securityRisk } from '../../../src/controller/settings/settings.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { settingsOf, through } from '../../rig/controllers.js';

const COMPLETE: Mapping = {
  controller_url: 'https://lb1',
  controller_username: 'ann',
  controller_password: 'secret',
  controller_api_version: '22.1.3',
};
const URL_VARIABLES =
  'controller_url ansible_host ansible_connection ansible_httpapi_use_ssl ansible_httpapi_port ansible_port controller_allow_http';
const PASSWORDS = 'controller_password ansible_httpapi_password ansible_httpapi_pass ansible_password';
const USERNAMES = 'controller_username ansible_user';

/** The variables of each problem, and its message without the name of the controller where it has one. */
function problems(given: Mapping, readCa = () => '-----BEGIN x'): readonly (readonly [string, string | undefined])[] {
  const variables: Mapping = { ...COMPLETE, ...given };
  const routes = new Map([['madrid', ['http://p']]]);
  const parsed = parseSettings((name) => variables[name], 'lb1', { readCa, routes });
  return 'settings' in parsed
    ? []
    : parsed.problems.map((one) => [one.variables.join(' '), one.general ?? undefined] as const);
}

describe('a problem of settings', () => {
  for (const [given, variables, general] of [
    [{ controller_url: null }, URL_VARIABLES, 'no controller_url'],
    [{ controller_url: '' }, 'controller_url', 'controller_url is empty'],
    [{ controller_url: 'lb1' }, URL_VARIABLES],
    [{ controller_url: 'http://lb1' }, URL_VARIABLES],
    [{ controller_url: null, ansible_host: 'a b' }, 'ansible_host'],
    [
      { controller_url: null, ansible_host: 'lb1', ansible_httpapi_use_ssl: false },
      URL_VARIABLES,
      'the address is not https: "http://lb1"',
    ],
    [{ controller_url: null, ansible_host: 'lb1', ansible_port: 0 }, 'ansible_httpapi_port ansible_port'],
    [{ controller_url: null, ansible_host: 'lb1', ansible_httpapi_use_ssl: 5 }, 'ansible_httpapi_use_ssl'],
    [{ controller_username: null }, USERNAMES, 'no controller_username'],
    [{ controller_username: '' }, 'controller_username', 'controller_username is empty'],
    [{ controller_username: null, ansible_user: '' }, 'ansible_user', 'ansible_user is empty'],
    [{ controller_username: 'a:b' }, USERNAMES],
    [{ controller_username: [] }, USERNAMES],
    [{ controller_password: null }, PASSWORDS, 'no controller_password'],
    [{ controller_password: true }, PASSWORDS],
    [{ controller_password: '\ud800' }, 'controller_password'],
    [{ controller_token: 't' }, 'controller_token'],
    [{ controller_token: [] }, 'controller_token'],
    [{ controller_api_version: null }, 'controller_api_version', 'no controller_api_version'],
    [{ controller_api_version: '22' }, 'controller_api_version'],
    [{ controller_dialect: 'other' }, 'controller_dialect'],
    [{ controller_auth: 'other' }, 'controller_auth'],
    [{ controller_auth: 'session' }, 'controller_auth controller_dialect'],
    [{ controller_tenant: 'blue' }, 'controller_tenant controller_dialect'],
    [{ controller_dialect: 'avi', controller_tenant: ' blue' }, 'controller_tenant'],
    [{ controller_version_header: 'Host' }, 'controller_version_header'],
    [{ controller_headers: 5 }, 'controller_headers'],
    [{ controller_headers: { Host: 'x' } }, 'controller_headers'],
    [{ controller_headers: { 'X-A': [] } }, 'controller_headers'],
    [{ controller_verify_tls: 5 }, 'controller_verify_tls ansible_httpapi_validate_certs'],
    [{ ansible_httpapi_validate_certs: 5 }, 'controller_verify_tls ansible_httpapi_validate_certs'],
    [{ controller_allow_http: 5 }, 'controller_allow_http'],
    [{ controller_shared: 5 }, 'controller_shared'],
    [{ controller_timeout: 0 }, 'controller_timeout'],
    [{ controller_timeout: 86_401 }, 'controller_timeout'],
    [{ controller_write_settles: -1 }, 'controller_write_settles'],
    [{ controller_patience: -1 }, 'controller_patience'],
    [{ controller_max_requests: 0 }, 'controller_max_requests'],
    [{ controller_requests_per_second: 0 }, 'controller_requests_per_second'],
    [{ controller_proxy: 'x' }, 'controller_proxy'],
    [{ controller_route: 'x' }, 'controller_route'],
    [{ controller_route: 'madrid', controller_proxy: 'http://p' }, 'controller_proxy controller_route'],
    [{ controller_route: 'madrid', controller_proxy_username: [] }, 'controller_proxy_username'],
    [{ controller_route: 'madrid', controller_proxy_password: [] }, 'controller_proxy_password'],
    [{ evenkeel_site: 'x' }, 'evenkeel_site'],
  ] as readonly (readonly [given: Mapping, variables: string, general?: string])[])
    it(`names its variables: ${JSON.stringify(given)}`, () => {
      expect(problems(given)).to.deep.equal([[variables, general]]);
    });

  it('of an inventory name is that of its address', () => {
    const given: Mapping = { ...COMPLETE, controller_url: null, ansible_connection: 'httpapi' };
    const parsed = parseSettings((name) => given[name], 'a b', {});
    expect('problems' in parsed && parsed.problems).to.deep.equal([
      {
        message: 'the name "a b" is not a host',
        variables: URL_VARIABLES.split(' '),
        hint: 'set ansible_host or controller_url',
      },
    ]);
  });

  it('with a file of certificates names both variables for it', () => {
    const files = 'controller_ca_file ansible_httpapi_ca_path';
    const failing = (): string => {
      throw new Error('no');
    };
    expect(problems({ ansible_httpapi_ca_path: 'x' }, failing)).to.deep.equal([[files, undefined]]);
    expect(problems({ controller_ca_file: 'x' })).to.deep.equal([]);
    expect(() => caReader('/x')('~/no-such.pem')).to.throw(`${homedir()}/no-such.pem: there is no such file`);
    expect(() => caReader('/x')('no-such.pem')).to.throw('/x/no-such.pem: there is no such file');
  });
});

describe('settings', () => {
  it('have headers of any scalar, as text', () => {
    const variables: Mapping = { ...COMPLETE, controller_headers: { 'X-A': true, 'X-B': false, 'X-C': 5, 'X-D': 'd' } };
    const parsed = parseSettings((name) => variables[name], 'lb1');
    expect('settings' in parsed && parsed.settings.headers).to.deep.equal({
      'X-A': 'true',
      'X-B': 'false',
      'X-C': '5',
      'X-D': 'd',
    });
  });

  it('say what others on the way to the controller can read', () => {
    const risk = (url: string, more: Parameters<typeof settingsOf>[2] = {}) =>
      securityRisk(settingsOf(url, undefined, more));
    const clear = 'controller_allow_http: the password is sent in clear text';
    const posed = (way: string): string =>
      `controller_verify_tls is false: anyone on the network path${way} can pose as this controller and read the password`;
    expect(risk('https://lb1')).to.equal(undefined);
    expect(risk('https://lb1', { verifyTls: 'strict' })).to.equal(undefined);
    expect(risk('http://lb1')).to.equal(clear);
    expect(risk('http://lb1', { route: through() })).to.equal(clear);
    expect(risk('http://lb1', { route: through('http://p:1') })).to.equal(`${clear} through the proxy p:1`);
    expect(risk('https://lb1', { verifyTls: false })).to.equal(posed(''));
    expect(risk('https://lb1', { verifyTls: false, route: { name: 'madrid', proxies: ['http://p'] } })).to.equal(
      posed(' through route madrid'),
    );
  });
});
