import { expect } from 'chai';
import { routeFor } from '../../../src/controller/route/environment.js';
import { parseSettings } from '../../../src/controller/settings/settings.js';
import { controllerFault, hostFault, proxyFault } from '../../../src/core/model/inventory/address.js';
import type { Mapping } from '../../../src/core/model/values/value.js';

const ACCOUNT = { controller_username: 'admin', controller_password: 'secret', controller_api_version: '22.1.3' };
const PORT = 31_000;

function parse(variables: Mapping, name = 'lb1') {
  return parseSettings((key) => ({ ...ACCOUNT, ...variables })[key], name);
}

function urlOf(variables: Mapping, name?: string): string | undefined {
  const parsed = parse(variables, name);
  return 'settings' in parsed ? parsed.settings.url : undefined;
}

function problems(variables: Mapping, name?: string) {
  const parsed = parse(variables, name);
  return 'problems' in parsed ? parsed.problems : [];
}

function proxyProblems(proxy: string) {
  return problems({ controller_url: 'https://lb1', controller_proxy: proxy });
}

/** Each is read by `new URL('https://…')` as a host, as another one, or with more than a host. */
const HOSTILE = [
  'localhost/',
  'localhost//',
  '/localhost',
  'localhost\\',
  '\\localhost',
  'localhost/x',
  'localhost:443',
  'localhost:',
  ':443',
  'localhost ',
  ' localhost',
  'local host',
  'local\thost',
  'local\nhost',
  'localhost\n',
  'localhost\r\n',
  'local\u00adhost',
  'local\u200bhost',
  'localhost\0',
  'https:localhost',
  'https://localhost',
  '//localhost',
  'admin@localhost',
  'admin:pw@localhost',
  'localhost@evil.example.com',
  'localhost?',
  'localhost?a=b',
  'localhost#',
  'localhost#a',
  'localhost%2f',
  'local%68ost',
  'localhost;a',
  'localhost,evil',
  'lb1..example.com',
  '.example.com',
  '-lb1',
  'lb1-',
  '*',
  '[localhost]',
  '[fd00::7',
  'fd00::7]',
  '[fd00::7]:443',
  '[[fd00::7]]',
  'fd00::g',
  'fe80::1%eth0',
  '[fe80::1%eth0]',
  '10.0.0.300',
  '10.0.0',
  '010.0.0.1',
  '127.1',
  '75',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  'lb.1',
  'lb1.0x',
  '1.2.3.4.5',
  '\u2460\u2461\u2466.0.0.1',
  '\uff4c\uff42\uff11',
  'lb1\u3002example',
  'xn--a',
  '\ud800',
  '\u{1f600}.example.com',
];

const HOSTS = [
  ['lb1', 'lb1'],
  ['LB1.Example.COM', 'lb1.example.com'],
  ['lb1.example.com.', 'lb1.example.com.'],
  ['lb_1.example', 'lb_1.example'],
  ['1lb', '1lb'],
  ['10.0.0.7', '10.0.0.7'],
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ['M\u00fcnchen.de', 'xn--mnchen-3ya.de'],
] as const;
const IPV6 = [
  ['fd00::7', '[fd00::7]'],
  ['FD00:0::7', '[fd00::7]'],
  ['::ffff:10.0.0.7', '[::ffff:a00:7]'],
] as const;

/** Texts that are no port. */
const PORTS = ['0', '-1', '65536', '99999', '1e3', '0x1bb', '443x', '44 3', '4.5', 'https', '4\n43'];

describe('the address of a controller', () => {
  for (const [host, sent] of [...HOSTS, ...IPV6])
    it(`is the host ${JSON.stringify(host)}, with its port`, () => {
      expect(urlOf({ ansible_host: host, ansible_port: PORT })).to.equal(`https://${sent}:${PORT}`);
      const written = host.includes(':') ? `[${host}]` : host;
      expect(urlOf({ controller_url: `https://${written}:${PORT}/lb/7/` })).to.equal(`https://${sent}:${PORT}/lb/7`);
      expect(urlOf({ ansible_connection: 'httpapi', ansible_httpapi_port: PORT }, host)).to.equal(
        `https://${sent}:${PORT}`,
      );
    });

  for (const host of HOSTILE) {
    const shown = JSON.stringify(host);
    it(`is not ${shown} in ansible_host`, () => {
      const [problem, ...others] = problems({ ansible_host: host, ansible_port: PORT });
      expect(others).to.deep.equal([]);
      expect(problem?.variables).to.deep.equal(['ansible_host']);
      expect(problem?.message).to.match(/^ansible_host (?:is not a host|is not an address|has an IPv6 zone|contains)/);
      expect(problem?.hint).to.be.a('string');
    });

    it(`is not the name ${shown} with httpapi`, () => {
      const found = problems({ ansible_connection: 'httpapi', ansible_port: PORT }, host);
      expect(found.map(({ message }) => message)).to.have.length(1);
      expect(found[0]?.message).to.match(/^the name ".*" (?:is not a host|is not an address|has an IPv6 zone)/s);
    });

    // These are a URL with a path or a port.
    if (!/^(?:localhost\/+(?:x)?|localhost:443|\[fd00::7\]:443)$/.test(host))
      for (const text of [`https://${host}`, `https://${host}:${PORT}`, `http://${host}`])
        it(`is not ${JSON.stringify(text)} in controller_url`, () => {
          const found = problems({ controller_url: text, controller_allow_http: true });
          expect(found, JSON.stringify(found)).to.have.length(1);
          expect(found[0]?.variables[0]).to.equal('controller_url');
          expect(found[0]?.message).to.match(/^controller_url /);
          expect(found[0]?.hint).to.be.a('string');
        });
  }

  for (const port of PORTS) {
    it(`has no port ${JSON.stringify(port)}`, () => {
      const message = (name: string): string => `${name} must be a whole number of at least 1 and at most 65535`;
      for (const name of ['ansible_port', 'ansible_httpapi_port']) {
        const [problem] = problems({ ansible_host: 'lb1', [name]: port });
        expect(problem?.message).to.equal(message(name));
      }
      expect(problems({ controller_url: `https://lb1:${port}` })).to.have.length(1);
      expect(problems({ controller_proxy: `http://proxy:${port}`, controller_url: 'https://lb1' })).to.have.length(1);
    });
  }

  for (const text of [
    'https:localhost',
    'https:/localhost',
    'https:///localhost',
    'https:\\\\localhost',
    'https://localhost\\',
    'https://localhost\\@evil',
    ' https://localhost',
    'https://localhost ',
    'https://localhost\n',
    'ht\ntps://localhost',
    'https://localhost/a b',
    'https://localhost/a\tb',
    'https://localhost/\n',
    'https://localhost/a/../b',
    'https://localhost/a/%2e%2e/b',
    'https://localhost/./a',
    'https://localhost/a\\b',
    'https://localhost/\u00fc',
    'https://localhost/"',
    'https://localhost/?',
    'https://localhost/#',
    'https://localhost:',
    'https://localhost:443:443',
    'https://fd00::7',
    'https://fd00::7:443',
    'https://@localhost',
    'https://:@localhost',
    'https://a@b@localhost',
    'https://',
    'https://:443',
    'https://[]',
    'file://localhost',
    'javascript://localhost',
  ])
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(problems({ controller_url: text })).to.have.length(1);
      const isProxy = /^https:\/\/(?::?@|a@b@)localhost$/.test(text);
      expect(proxyProblems(text), 'proxy').to.have.length(isProxy ? 0 : 1);
    });

  it('says of an IPv6 zone what to do', () => {
    const [problem] = problems({ ansible_host: 'fe80::1%eth0' });
    expect(problem).to.include({
      message: 'ansible_host has an IPv6 zone, which a URL cannot contain: "fe80::1%eth0"',
      hint: 'use a name, or an address that needs no "%eth0"',
    });
    expect(problems({ controller_url: 'https://[fe80::1%25eth0]' })[0]?.message).to.include('has an IPv6 zone');
  });

  it('says where a port belongs', () => {
    expect(problems({ ansible_host: 'lb1:8443' })[0]?.hint).to.equal('write the port in ansible_port');
  });
});

describe('the address of a proxy', () => {
  for (const proxy of ['http://p', 'http://p:3128/', 'https://[fd00::7]:3128', 'http://u:p%40ss@10.0.0.7:3128', ''])
    it(`is ${JSON.stringify(proxy)}`, () => {
      expect(proxyProblems(proxy)).to.deep.equal([]);
    });

  for (const proxy of [
    ...HOSTILE.filter((host) => !/^localhost(?:\/|:443)?$|@localhost$|^localhost@|^\[fd00::7\]:443$/.test(host)).map(
      (host) => `http://${host}`,
    ),
    'http://p:3128/x',
    'http://u:50%@p',
    'http://u:a b@p',
    'http://u:a\tb@p',
    'socks4://p',
    'p:3128',
  ])
    it(`is not ${JSON.stringify(proxy)}, in a variable or in the environment`, () => {
      expect(proxyProblems(proxy)).to.have.length(1);
      expect(proxyProblems(proxy)[0]?.variables).to.deep.equal(['controller_proxy']);
      if (proxy === 'p:3128' || proxy.trim() !== proxy) return; // curl's form without a scheme is usual there.
      const url = 'https://lb1';
      for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']) {
        expect(() => routeFor(url, undefined, { [name]: proxy })).to.throw(`the environment variable ${name} `);
        expect(routeFor(url, undefined, { [name]: proxy, NO_PROXY: '*' })).to.equal(undefined);
      }
    });
});

describe('what is wrong with an address', () => {
  const faults: readonly (readonly [url: string, what: string | undefined, hint?: string])[] = [
    ['https://lb1', undefined],
    ['http://[fd00::7]:8443/a', undefined],
    ['lb1', 'is not a URL', 'it looks like https://lb1.example.com:8443'],
    ['ftp://lb1', 'is not a URL', 'it looks like https://lb1.example.com:8443'],
    ['https://a@lb1', 'must not contain credentials', 'set controller_username and controller_password'],
    ['https://fd00::7', 'is not a URL', 'an IPv6 address is in brackets: https://[fd00::7]:8443'],
    [
      'https://lb 1',
      'names a host that is not a host',
      'a host is a name such as lb1.example.com, or an IPv4 or IPv6 address, and nothing else',
    ],
    [
      'https://10.0.0.256',
      'names a host that is not an address',
      'an IPv4 address has four numbers from 0 to 255; a name does not end with a number',
    ],
    [
      'https://[fe80::1%eth0]',
      'names a host that has an IPv6 zone, which a URL cannot contain',
      'use a name, or an address that needs no "%eth0"',
    ],
    ['https://lb1:0', 'has the port "0"', 'a port is a number from 1 to 65535'],
    ['https://lb1:65536', 'has the port "65536"', 'a port is a number from 1 to 65535'],
    ['https://lb1:', 'has the port ""', 'a port is a number from 1 to 65535'],
    ['https://lb1/a?b', 'must not have a query or a fragment', 'leave out what follows the path'],
    [
      'https://lb1/a/../b',
      'has a path that is not valid in a URL',
      'leave out blanks, line breaks, "\\" and "..", and write other characters as in %C3%BC',
    ],
  ];
  for (const [url, what, hint] of faults)
    it(`${url}: ${what ?? 'nothing'}`, () => {
      expect(controllerFault(url)).to.deep.equal(what === undefined ? undefined : { what, hint });
    });

  it('of a proxy may have credentials, and no path', () => {
    const fault = (url: string) => proxyFault(url, ['http', 'socks5h']);
    expect(fault('socks5h://a:b%40@proxy:1080/')).to.equal(undefined);
    expect(fault('http://a:b%zz@proxy')).to.deep.equal({
      what: 'has credentials that are not encoded',
      hint: 'in a user name and a password, write "@" as %40, "/" as %2F, "%" as %25, and so on',
    });
    expect(fault('http://a:ü@proxy')?.what).to.equal('has credentials that are not encoded');
    expect(fault('http://proxy/a')).to.deep.equal({ what: 'has a path', hint: 'leave out what follows the port' });
    expect(fault('https://proxy')?.what).to.equal('is not a URL');
  });

  it('of a host is none for names, and IPv4 and IPv6 addresses', () => {
    for (const host of ['lb1', 'lb1.example.com', '10.0.0.1', 'fd00::7', 'bücher.example', '1a'])
      expect(hostFault(host), host).to.equal(undefined);
    for (const host of ['ａ.example', '10.0.0', 'a.1'])
      expect(hostFault(host)?.what, host).to.match(/^is not a(?:n address| host)$/);
  });
});
