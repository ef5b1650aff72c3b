import { expect } from 'chai';
import { Unsafe, type Value } from '../../../src/core/model/values/value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { addSecrets, forEachSecret } from '../../../src/core/secrets/values.js';
import { learnEnvironment } from '../../../src/program/process.js';
import { dataIn } from '../../../src/project/document/texts.js';
import { settingsOf, through } from '../../rig/controllers.js';

function secretsIn(value: Value, all = false): readonly string[] {
  const found: string[] = [];
  forEachSecret(value, all, (text) => found.push(text));
  return found;
}

describe('secrets in values', () => {
  const cases: readonly (readonly [Value, readonly string[]])[] = [
    [{ name: 'edge', password: 'one', list: [{ api_key: 'two' }] }, ['one', 'two']],
    [{ token: { a: ['one', new Unsafe('two')], b: null, c: true } }, ['one', 'two']],
    [{ pin: 123_456, token: 123_456, port: 8443 }, ['123456']],
    [{ proxy: 'http://user:p%40ss@proxy:3128/x' }, ['p%40ss', 'p@ss']],
    [{ controller_headers: { 'X-Auth': 'Bearer abc', Accept: 'text/plain' } }, ['Bearer abc', 'abc']],
    [
      { headers: { Authorization: `Basic ${Buffer.from('me:secret').toString('base64')}` } },
      ['Basic bWU6c2VjcmV0', 'bWU6c2VjcmV0', 'secret'],
    ],
    [
      { headers: { Authorization: 'Basic bWU=', 'X-Auth': 'basic bm9uZQ==' } },
      ['Basic bWU=', 'bWU=', 'basic bm9uZQ==', 'bm9uZQ=='],
    ],
    [{ controller_headers: { 'X-Api-Key': 1_234_567_890, 'X-Pin': 9_876_543 } }, ['1234567890']],
    [{ headers: { 'X-Auth-Token': ['one', 22, { at: 'two' }], 'X-Trace': ['three'] } }, ['one', '22', 'two']],
    [{ headers: { 'X-Trace': { password: 'one' }, 'X-Session': null, Accept: 'http://me:two@proxy' } }, ['one', 'two']],
    [{ headers: [{ name: 'Authorization', value: 'one' }, 'X-Token: two'] }, ['one']],
    [{ list: [[{ api_keys: [1, ['two'], { three: 3 }] }]], otp: -4.5 }, ['1', 'two', '3', '-4.5']],
    [{ passwd_list: { joe: 1, ann: [new Unsafe('two')] } }, ['1', 'two']],
    [{ map: { passwd: ['files', 'systemd'], group: ['files'] }, passwd: ['one'], group: 'ops' }, ['one']],
    [{ passwd: ['hunter2'], group: ['ops'] }, ['hunter2']],
    [{ auth: { username: 'me', password: 1 }, userpass: 'me:two' }, ['1', 'me:two']],
    [{ proxy: 'http://user:50%zz%@proxy:3128' }, ['50%zz%']],
    [{ snmp_configuration: { version: 'SNMP_VER2', community: 'one' } }, ['one']],
    [{ bgp_profile: { community: ['one'], send_community: true }, community: '65001:100' }, []],
    [{ ip_communities: [{ community: ['no-export'] }], a: { community: 'NO_EXPORT' } }, []],
    [{ key: 'mtu', value: 1500 }, []],
    [{ key: 'otp', value: 1500 }, ['1500']],
  ];
  for (const [value, expected] of cases) {
    it(JSON.stringify(value), () => {
      expect(secretsIn(value)).to.deep.equal(expected);
    });
  }

  it('are all texts and long numbers where all of it is secret', () => {
    expect(secretsIn({ a: 'one', b: 8443, c: 123_456, d: [true, null] }, true)).to.deep.equal(['one', '123456']);
  });

  it('of encrypted tasks are their values, and the text around templates', () => {
    const task = { name: 'Tell', when: 'a == b', debug: { msg: 'user:hunter22@{{ host }}' }, vars: { a: 'one' } };
    expect(dataIn([task])).to.deep.equal(['user:hunter22@{{ host }}', 'user:hunter22@', '', 'one']);
  });

  it('of the environment are found by name, and those of proxies in their URLs', () => {
    const secrets = new Secrets();
    learnEnvironment({ DB_PASSWORD: 'hunter22', LANG: 'de_DE', HTTPS_PROXY: 'http://me:swordfish@proxy' }, secrets);
    expect(secrets.mask('hunter22 swordfish de_DE')).to.equal('******** ******** de_DE');
  });

  it('of settings are the password, headers that sign in, and the credentials of a proxy', () => {
    const secrets = new Secrets();
    const settings = settingsOf('https://lb1', '', {
      password: 'hunter22',
      headers: { 'X-Api-Key': '1234567890', Accept: 'text/plain' },
      route: through('http://us%er:50%zz%40@proxy:3128'),
    });
    addSecrets(settings, secrets);
    for (const text of ['hunter22', '1234567890', '50%zz%40', Buffer.from('us%er:50%zz%40').toString('base64')])
      expect(secrets.mask(text), text).to.equal('********');
    expect(secrets.mask('text/plain')).to.equal('text/plain');
  });

  it('of a proxy are known as they are written and as they are sent', () => {
    const secrets = new Secrets();
    addSecrets(settingsOf('https://lb1', '', { route: through('http://me%40x:p%40ss%20word@proxy:3128') }), secrets);
    for (const text of ['p%40ss%20word', 'p@ss word', Buffer.from('me@x:p@ss word').toString('base64')])
      expect(secrets.mask(text), text).to.equal('********');
  });

  it('are learned just before the first text is shown', () => {
    const secrets = new Secrets();
    let learned = 0;
    secrets.learnLater(() => {
      learned += 1;
      secrets.add('hunter22');
    });
    expect(learned).to.equal(0);
    expect([secrets.mask('hunter22'), secrets.mask('hunter22')]).to.deep.equal(['********', '********']);
    expect(learned).to.equal(1);
  });
});
