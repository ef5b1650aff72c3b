import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { caReader, parseSettings } from '../../../src/controller/settings/settings.js';
import { DIALECTS } from '../../../src/core/model/dialect.js';
import { CONNECTION_VARIABLES } from '../../../src/core/model/inventory/connection_variables.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { serverCertificate } from '../../rig/certificates.js';

const COMPLETE = {
  controller_url: 'https://lb1.example.com:8443/',
  controller_username: 'admin',
  controller_password: 'secret',
  controller_api_version: '22.1.3',
};

const PEM = '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n';

const parse = (variables: Mapping, name = 'lb1') => parseSettings((key) => variables[key], name, { readCa: () => PEM });

function settings(variables: Mapping, name?: string) {
  const parsed = parse(variables, name);
  if ('settings' in parsed) return parsed.settings;
  throw new Error(parsed.problems.map(({ message }) => message).join('; '));
}

function problems(variables: Mapping): readonly string[] {
  const parsed = parse(variables);
  return 'problems' in parsed
    ? parsed.problems.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`))
    : [];
}

describe('connection settings', () => {
  it('come from controller_* variables, otherwise from defaults', () => {
    expect(settings(COMPLETE)).to.deep.equal({
      controller: 'lb1',
      url: 'https://lb1.example.com:8443',
      isToken: false,
      isDialectAssumed: true,
      dialect: DIALECTS.get('generic'),
      auth: 'basic',
      tenant: undefined,
      username: 'admin',
      password: 'secret',
      apiVersion: '22.1.3',
      versionHeader: 'X-Vendor-Version',
      ca: undefined,
      verifyTls: true,
      timeout: 30,
      writeSettles: 60,
      patience: 15,
      headers: {},
      maxRequests: 1,
      requestsPerSecond: undefined,
      route: undefined,
      shared: false,
    });
  });

  it('accept everything that can be set', () => {
    const all = settings({
      ...COMPLETE,
      controller_url: 'http://lb1/lb/7/',
      controller_allow_http: true,
      controller_version_header: 'X-Api-Version',
      controller_ca_file: 'ca.pem',
      controller_verify_tls: 'no',
      controller_timeout: '2.5',
      controller_headers: { 'X-Tenant': 'blue', 'X-Number': 7 },
      controller_max_requests: 4,
      controller_requests_per_second: 10,
      controller_proxy: 'http://proxy:3128',
    });
    expect(all).to.deep.include({
      url: 'http://lb1/lb/7',
      versionHeader: 'X-Api-Version',
      ca: PEM,
      verifyTls: false,
      timeout: 2.5,
      headers: { 'X-Tenant': 'blue', 'X-Number': '7' },
      maxRequests: 4,
      requestsPerSecond: 10,
      route: { name: undefined, proxies: ['http://proxy:3128'] },
    });
  });

  it('let a write settle for as long as a request may take, and for a minute at least', () => {
    expect(settings({ ...COMPLETE, controller_timeout: 90 }).writeSettles).to.equal(90);
    expect(settings({ ...COMPLETE, controller_timeout: 90, controller_write_settles: 5 }).writeSettles).to.equal(5);
  });

  describe('of a dialect', () => {
    const AVI = { ...COMPLETE, controller_dialect: 'avi' };

    it('have its headers, its sign-in and its default tenant', () => {
      expect(settings(AVI)).to.deep.include({
        dialect: DIALECTS.get('avi'),
        auth: 'session',
        tenant: 'admin',
        versionHeader: 'X-Avi-Version',
      });
      expect(settings({ ...AVI, controller_auth: 'basic' }).auth).to.equal('basic');
      expect(settings({ ...AVI, controller_version_header: 'X-Api' }).versionHeader).to.equal('X-Api');
    });

    it('report only the name of a dialect that does not exist, not a missing version', () => {
      const found = problems({ ...COMPLETE, controller_dialect: 'avy', controller_api_version: null });
      expect(found).to.deep.equal(['controller_dialect must be one of generic, avi, not "avy" (did you mean "avi"?)']);
    });

    it('need no API version if controllers show theirs', () => {
      expect(settings({ ...AVI, controller_api_version: null }).apiVersion).to.equal(undefined);
      expect(settings(AVI).apiVersion).to.equal('22.1.3');
    });

    it('accept a tenant and sign-in by session, with a colon in the user name', () => {
      const found = settings({
        ...AVI,
        controller_auth: 'session',
        controller_tenant: 'blue team',
        controller_username: 'a:b',
      });
      expect(found).to.deep.include({ auth: 'session', tenant: 'blue team', username: 'a:b' });
    });

    it('refuse names that do not exist', () => {
      expect(problems({ ...COMPLETE, controller_dialect: 'avy', controller_auth: 'sesion' })).to.deep.equal([
        'controller_dialect must be one of generic, avi, not "avy" (did you mean "avi"?)',
        'controller_auth must be one of basic, session, not "sesion" (did you mean "session"?)',
      ]);
    });

    it('report only the name of a dialect that does not exist', () => {
      const given = { ...COMPLETE, controller_dialect: 'avy', controller_auth: 'session', controller_tenant: 'blue' };
      expect(problems(given)).to.deep.equal([
        'controller_dialect must be one of generic, avi, not "avy" (did you mean "avi"?)',
      ]);
    });

    it('refuse features that the dialect does not have', () => {
      expect(problems({ ...COMPLETE, controller_auth: 'session', controller_tenant: 'blue' })).to.deep.equal([
        'controller_auth: session is not possible with the dialect "generic", which has Basic authentication only (set controller_dialect to the dialect of the controller, such as avi)',
        'controller_tenant is not possible with the dialect "generic", which has no tenants (set controller_dialect to the dialect of the controller, such as avi; or set the header in controller_headers)',
      ]);
    });

    it('refuse a tenant that cannot be a header, and headers that the dialect sets', () => {
      const headers = { 'x-avi-tenant': 'blue', Cookie: 'a=b', 'X-CSRFToken': 'c' };
      const given = { ...AVI, controller_auth: 'session', controller_tenant: 'bl\nue', controller_headers: headers };
      expect(problems(given)).to.deep.equal([
        'controller_tenant cannot be sent as a header: "bl\nue"',
        'controller_headers cannot set "x-avi-tenant" (set controller_tenant instead)',
        'controller_headers cannot set "Cookie"',
        'controller_headers cannot set "X-CSRFToken"',
      ]);
      expect(problems({ ...COMPLETE, controller_headers: headers })).to.deep.equal([]);
    });
  });

  describe("fall back to Ansible's httpapi names", () => {
    const ANSIBLE = {
      ansible_host: '10.0.0.7',
      ansible_user: 'admin',
      ansible_password: 'pw',
      controller_api_version: '22.1.3',
    };

    it('each alone, and the stronger of two', () => {
      const alone: readonly (readonly [setting: 'username' | 'password', names: readonly string[]])[] = [
        ['username', ['controller_username', 'ansible_user']],
        ['password', ['controller_password', 'ansible_httpapi_password', 'ansible_httpapi_pass', 'ansible_password']],
      ];
      const { ansible_user, ansible_password, ...address } = ANSIBLE;
      const others = { username: { ansible_password }, password: { ansible_user } };
      for (const [setting, names] of alone)
        for (const [place, name] of names.entries()) {
          const given = { ...address, ...others[setting] };
          expect(settings({ ...given, [name]: 'one' })[setting], name).to.equal('one');
          const weaker = Object.fromEntries(names.slice(place + 1).map((weak) => [weak, 'other']));
          expect(settings({ ...given, ...weaker, [name]: 'one' })[setting], name).to.equal('one');
        }
    });

    it('for address, credentials, certificate', () => {
      const found = settings({
        ...ANSIBLE,
        ansible_port: '8443',
        ansible_httpapi_use_ssl: true,
        ansible_httpapi_validate_certs: false,
        ansible_httpapi_ca_path: 'ca.pem',
      });
      expect(found).to.deep.include({
        url: 'https://10.0.0.7:8443',
        username: 'admin',
        password: 'pw',
        verifyTls: false,
        ca: PEM,
      });
    });

    it('but not for a strict check of certificates, which is no value of Ansible', () => {
      expect(
        settings({ ...ANSIBLE, controller_verify_tls: 'strict', ansible_httpapi_validate_certs: false }),
      ).to.include({
        verifyTls: 'strict',
      });
    });

    it('and use https unless they name another scheme', () => {
      expect(settings(ANSIBLE).url).to.equal('https://10.0.0.7');
      expect(problems({ ...ANSIBLE, ansible_httpapi_use_ssl: false })).to.deep.equal([
        'the address of lb1 is not https: "http://10.0.0.7" (credentials would be sent in clear text; controller_allow_http: true allows it)',
      ]);
    });

    it('with the inventory name as address if httpapi would use it so', () => {
      const named = { ...ANSIBLE, ansible_host: null };
      expect(settings({ ...named, ansible_connection: 'ansible.netcommon.httpapi' }, 'lb1.example.com').url).to.equal(
        'https://lb1.example.com',
      );
      expect(problems(named)).to.deep.equal([
        'lb1 has no controller_url (set it to https:// and the address of the controller)',
      ]);
    });

    it('with IPv6 addresses', () => {
      expect(settings({ ...ANSIBLE, ansible_host: 'fd00::7', ansible_port: 8443 }).url).to.equal(
        'https://[fd00::7]:8443',
      );
    });

    it('but controller_* variables override them', () => {
      expect(settings({ ...ANSIBLE, ...COMPLETE })).to.include({
        url: 'https://lb1.example.com:8443',
        password: 'secret',
      });
    });
  });

  it('report everything that is missing at once', () => {
    expect(problems({})).to.deep.equal([
      'lb1 has no controller_url (set it to https:// and the address of the controller)',
      'lb1 has no controller_username (set it in the inventory, or pass -u)',
      'lb1 has no controller_password (set it in the inventory, or pass -k)',
      'lb1 has no controller_api_version (set it to the API version to speak, such as "22.1.3"; with controller_dialect: avi, controllers are asked for it)',
    ]);
  });

  const wrong: readonly [Mapping, string][] = [
    [
      { controller_password: '' },
      'controller_password of lb1 is empty (set it in the inventory, or pass -k; if it comes from the environment, export that variable)',
    ],
    [
      { controller_username: '' },
      'controller_username of lb1 is empty (set it in the inventory, or pass -u; if it comes from the environment, export that variable)',
    ],
    [
      { controller_url: 'lb1.example.com' },
      'controller_url is not a URL: "lb1.example.com" (it looks like https://lb1.example.com:8443)',
    ],
    [
      { controller_url: 'ftp://lb1' },
      'controller_url is not a URL: "ftp://lb1" (it looks like https://lb1.example.com:8443)',
    ],
    [{ controller_url: 7 }, 'controller_url is not a URL: "7" (it looks like https://lb1.example.com:8443)'],
    [{ controller_url: [] }, 'controller_url must be text'],
    [
      { controller_url: 'https://admin:pw@lb1' },
      'controller_url must not contain credentials: "https://********@lb1" (set controller_username and controller_password)',
    ],
    [
      { controller_url: 'https://lb1/?a' },
      'controller_url must not have a query or a fragment: "https://lb1/?a" (leave out what follows the path)',
    ],
    [
      { controller_url: 'https://lb1/api/' },
      'controller_url must end before /api: "https://lb1/api/" (requests add /api/ themselves)',
    ],
    [
      { controller_url: 'http://lb1' },
      'controller_url is not https: "http://lb1" (credentials would be sent in clear text; controller_allow_http: true allows it)',
    ],
    [
      { controller_username: 'a:b' },
      'controller_username must not contain a colon: Basic authentication does not allow one',
    ],
    [{ controller_password: ['x'] }, 'controller_password must be text'],
    [{ controller_api_version: 22.1 }, 'controller_api_version must be three numbers, such as "22.1.3", not "22.1"'],
    [
      { controller_api_version: '22.1.3-p1' },
      'controller_api_version must be three numbers, such as "22.1.3", not "22.1.3-p1"',
    ],
    [
      { controller_version_header: 'X Version' },
      'controller_version_header is not a header that can be set: "X Version"',
    ],
    [{ controller_version_header: 'Host' }, 'controller_version_header is not a header that can be set: "Host"'],
    [{ controller_verify_tls: 'maybe' }, 'controller_verify_tls must be true, false or strict'],
    [{ ansible_httpapi_validate_certs: 'strict' }, 'ansible_httpapi_validate_certs must be true, false or strict'],
    [{ controller_timeout: 0 }, 'controller_timeout must be a number of at least 0.001 and at most 86400'],
    [{ controller_timeout: 3e6 }, 'controller_timeout must be a number of at least 0.001 and at most 86400'],
    [{ controller_patience: 'long' }, 'controller_patience must be a number of at least 0 and at most 86400'],
    [{ controller_write_settles: -1 }, 'controller_write_settles must be a number of at least 0 and at most 86400'],
    [{ controller_max_requests: 1.5 }, 'controller_max_requests must be a whole number of at least 1'],
    [{ controller_headers: 'X: y' }, 'controller_headers must be a mapping of header names to texts'],
    [{ controller_headers: { Authorization: 'x' } }, 'controller_headers cannot set "Authorization"'],
    [{ controller_headers: { 'x-vendor-version': '1' } }, 'controller_headers cannot set "x-vendor-version"'],
    [
      { controller_headers: { 'X-A': 'a\r\nX-B: b' } },
      'the header "X-A" in controller_headers must be one line of text',
    ],
    [
      { controller_proxy: 'proxy:3128' },
      'controller_proxy must be a URL such as socks5h://bastion.example.com:1080 or http://proxy.example.com:3128, or a list of them',
    ],
  ];
  for (const [variables, problem] of wrong) {
    it(`refuse ${JSON.stringify(variables)}`, () => {
      expect(problems({ ...COMPLETE, ...variables })).to.deep.equal([problem]);
      const parsed = parse({ ...COMPLETE, ...variables });
      const blamed = 'problems' in parsed ? parsed.problems.flatMap((one) => one.variables) : [];
      for (const name of Object.keys(variables)) expect(blamed).to.include(name);
    });
  }

  it('of a simulated controller lead to no other address', () => {
    const refused = (own: Mapping): readonly string[] => problems({ ...COMPLETE, ...own });
    const url = 'https://127.0.0.1:9000';
    expect(refused({ controller_url: `${url}/`, controller_simulated_url: url, controller_proxy: '' })).to.deep.equal(
      [],
    );
    const hint =
      '(an inventory of simulated controllers allows no others: pass it last, limit the run to them, or use "run --simulate" without it)';
    for (const simulated of [url, 'none'])
      expect(refused({ controller_simulated_url: simulated })).to.deep.equal([
        `https://lb1.example.com:8443 is not the simulated controller of lb1 ${hint}`,
      ]);
    const proxied = { controller_url: url, controller_simulated_url: url, controller_proxy: 'http://p:3128' };
    expect(refused(proxied)).to.deep.equal([`${url} via p:3128 is not the simulated controller of lb1 ${hint}`]);
  });

  describe('that are empty text', () => {
    const MEANT: ReadonlySet<string> = new Set(['controller_proxy']);
    const names = CONNECTION_VARIABLES.map(({ name }) => name);
    const ours = names.filter((name) => name.startsWith('controller_'));

    for (const name of ours.filter((one) => !MEANT.has(one)))
      for (const dialect of ['generic', 'avi'])
        it(`are refused at ${name} (${dialect})`, () => {
          const proxy = name.startsWith('controller_proxy_') ? { controller_proxy: 'http://p' } : {};
          const parsed = parse({ ...COMPLETE, ...proxy, controller_dialect: dialect, [name]: '' });
          const found = 'problems' in parsed ? parsed.problems : [];
          expect(found.map(({ message, variables }) => [message, ...variables])).to.deep.equal([
            [`${name} of lb1 is empty`, name],
          ]);
        });

    it("are refused at Ansible's names where ours are absent, and mean nothing beside ours", () => {
      const theirs = names.filter((name) => name.startsWith('ansible_'));
      const empty = Object.fromEntries(theirs.map((name) => [name, '']));
      expect(
        settings({
          ...{ ...empty, ...COMPLETE, controller_proxy: '' },
          ...{ controller_ca_file: 'ca.pem', controller_verify_tls: true },
        }).url,
      ).to.equal('https://lb1.example.com:8443');
      const found = problems({ ...empty, controller_api_version: '22.1.3' });
      expect(found.map((text) => text.replace(/ of lb1 is empty.*$/, ''))).to.deep.equal([
        'ansible_httpapi_use_ssl',
        'ansible_host',
        'ansible_httpapi_port',
        'ansible_user',
        'ansible_httpapi_password',
        'ansible_httpapi_ca_path',
        'ansible_httpapi_validate_certs',
        'ansible_httpapi_use_proxy',
      ]);
    });

    it('do not give way to a weaker name, but to null they do', () => {
      const weaker = { ansible_user: 'root', ansible_host: '10.0.0.9' };
      expect(problems({ ...COMPLETE, ...weaker, controller_username: '', controller_url: '' })).to.deep.equal([
        'controller_url of lb1 is empty (set it to https:// and the address of the controller; if it comes from the environment, export that variable)',
        'controller_username of lb1 is empty (set it in the inventory, or pass -u; if it comes from the environment, export that variable)',
      ]);
      const given = settings({ ...COMPLETE, ...weaker, controller_username: null, controller_url: null });
      expect(given).to.include({ username: 'root', url: 'https://10.0.0.9' });
    });
  });

  it('count whole numbers as text, and no fractions, whose last zeros are lost', () => {
    expect(settings({ ...COMPLETE, controller_password: 12_345 }).password).to.equal('12345');
    expect(problems({ ...COMPLETE, controller_password: 12.5, controller_api_version: 22.1 })).to.deep.equal([
      'controller_password must be text (quote it: zeros at the end of a number are lost)',
      'controller_api_version must be three numbers, such as "22.1.3", not "22.1"',
    ]);
  });

  it('name the variables that are to blame', () => {
    const blamed = (variables: Mapping) => {
      const parsed = parse(variables);
      return 'problems' in parsed ? parsed.problems.map((one) => one.variables) : [];
    };
    const user = ['controller_username', 'ansible_user'];
    for (const [change, names] of [
      [{ controller_token: 'x', controller_auth: 'basic' }, [['controller_token']]],
      [{ controller_tenant: 'x' }, [['controller_tenant', 'controller_dialect']]],
      [{ controller_dialect: 'avi', controller_tenant: 'a\nb' }, [['controller_tenant']]],
      [{ controller_auth: 'token' }, [['controller_auth']]],
      [{ controller_auth: 'session' }, [['controller_auth', 'controller_dialect']]],
      [{ controller_dialect: 'avj' }, [['controller_dialect']]],
      [{ controller_username: 'a:b' }, [user]],
    ] as const) {
      const found = blamed({ ...COMPLETE, ...change });
      expect(
        found.map((one) => one.slice(0, 2)),
        JSON.stringify(change),
      ).to.deep.equal(names);
    }
  });

  it('never show a password in a problem', () => {
    for (const url of ['https://admin:hu/sh@lb1', 'https://admin:hu#sh@lb1', 'https://admin:hu?sh@lb1'])
      expect(problems({ ...COMPLETE, controller_url: url })).to.deep.equal([
        'controller_url must not contain credentials: "https://********@lb1" (set controller_username and controller_password)',
      ]);
    for (const url of ['https:admin:p/w@lb1', 'https:\\\\admin:p/w@lb1', 'admin:p/w@lb1', 'https://admin:p/w@lb1@x'])
      expect(problems({ ...COMPLETE, controller_url: url }).join()).not.to.include('p/w');
    expect(problems({ ...COMPLETE, controller_url: null, ansible_host: 'admin:p/w@lb1' }).join()).not.to.include('p/w');
    expect(problems({ ...COMPLETE, controller_url: 'https://admin:p/w@lb1' }).join()).not.to.include('p/w');
    expect(problems({ ...COMPLETE, controller_proxy: 'ftp://a:hush@proxy' }).join()).not.to.include('hush');
  });

  describe('with a CA file', () => {
    let directory: string;
    let ca: string;
    before(async () => {
      directory = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-ca-'));
      ({ ca } = await serverCertificate());
      await writeFile(path.join(directory, 'ca.pem'), ca);
      await writeFile(path.join(directory, 'ca.der'), new X509Certificate(ca).raw);
      await writeFile(path.join(directory, 'not.pem'), 'hello');
      const damaged = ca.replace(/MII?/, 'AAAA');
      await writeFile(path.join(directory, 'damaged.pem'), damaged);
      await writeFile(path.join(directory, 'half.pem'), `${ca}\n${damaged}`);
      await writeFile(path.join(directory, 'two.pem'), `# Ours\n${ca}\n${ca}`);
      await writeFile(path.join(directory, 'joined.pem'), `${ca.trimEnd()}${ca.replaceAll(' CERT', ' X509 CERT')}`);
    });
    after(() => rm(directory, { recursive: true }));

    const parseWith = (file: string) =>
      parseSettings((key) => ({ ...COMPLETE, controller_ca_file: file })[key], 'lb1', { readCa: caReader(directory) });

    it('read it from the given directory, in PEM or DER', () => {
      expect(parseWith('ca.pem')).to.have.nested.property('settings.ca', ca);
      expect(parseWith('ca.der'))
        .to.have.nested.property('settings.ca')
        .that.matches(/^-----BEGIN CERTIFICATE-----\n/);
    });

    it('trust each certificate, also if files were joined whose last line had no end', () => {
      const parsed = parseWith('joined.pem');
      const joined = 'settings' in parsed ? parsed.settings.ca : undefined;
      expect(joined?.split('\n')).to.include.members([
        '-----END CERTIFICATE-----',
        '-----BEGIN X509 CERTIFICATE-----',
        '-----END X509 CERTIFICATE-----',
      ]);
    });

    it('report what is wrong with it', () => {
      const variables = ['controller_ca_file', 'ansible_httpapi_ca_path'];
      expect(parseWith('two.pem')).to.have.property('settings');
      for (const [name, why] of [
        ['not.pem', 'it has no certificate in PEM or DER'],
        ['damaged.pem', 'certificate 1 of 1 in it is damaged'],
        ['half.pem', 'certificate 2 of 2 in it is damaged'],
      ] as const) {
        const message = `controller_ca_file cannot be read: ${path.join(directory, name)}: ${why}`;
        expect(parseWith(name)).to.deep.equal({ problems: [{ message, variables }] });
      }
      expect(parseWith('none.pem')).to.deep.equal({
        problems: [
          {
            message: `controller_ca_file cannot be read: ${path.join(directory, 'none.pem')}: there is no such file`,
            variables,
          },
        ],
      });
    });
  });
});
