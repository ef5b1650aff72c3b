import { expect } from 'chai';
import { storing, StoredValue } from '../../../src/core/model/values/stored.js';
import { LazyMapping, Unsafe, Vaulted, type Value } from '../../../src/core/model/values/value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { addProxySecrets, addSecrets, forEachSecret } from '../../../src/core/secrets/values.js';
import { learnEnvironment } from '../../../src/program/process.js';
import { dataIn } from '../../../src/project/document/cursor.js';
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
    [{ proxy: 'http://user:one@two@proxy:3128' }, ['one@two', 'one']],
    [{ url: 'https://user:one/t?w#o@lb1:8443/x@y' }, ['one/t?w#o']],
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

  it('are none in what is not decrypted or rendered yet', () => {
    const touched: string[] = [];
    const vaulted = new Vaulted(
      '$ANSIBLE_VAULT',
      () => ({ file: 'a.yml', line: 1, column: 1 }),
      () => {
        touched.push('decrypted');
        return 'one';
      },
    );
    class Lazy extends LazyMapping {
      get(key: string): string {
        touched.push(key);
        return 'two';
      }
      keys(): readonly string[] {
        touched.push('keys');
        return ['password'];
      }
    }
    const value = { password: vaulted, secret: new Lazy(), hosts: [new Lazy()], token: 'three' };
    expect([secretsIn(value), secretsIn(value, true), touched]).to.deep.equal([['three'], ['three'], []]);
  });

  it('are read from files again only where all of it is secret', () => {
    let reads = 0;
    const stored = new StoredValue('digest', 9, () => {
      reads += 1;
      return { password: 'one', text: 'two' };
    });
    const value = storing([
      ['big', stored],
      ['password', 'three'],
    ]);
    expect([secretsIn(value), reads]).to.deep.equal([['three'], 0]);
    expect([secretsIn(value, true).toSorted(), reads]).to.deep.equal([['one', 'three', 'two'], 1]);
    expect(secretsIn({ password: value }).toSorted()).to.deep.equal(['one', 'three', 'two']);
  });

  it('are found in a mapping that is also where no name marks it', () => {
    const both = { text: 'one', number: 123456 };
    for (const value of [{ a: both, password: both }, [both, { secret: [both] }], { token: both, b: both }])
      expect(secretsIn(value).toSorted()).to.deep.equal(['123456', 'one']);
  });

  it('are told with whether a name marks them', () => {
    const named = (value: Value, all = false): readonly string[] => {
      const found: string[] = [];
      forEachSecret(value, all, (text, isNamed) => found.push(`${text} ${isNamed ? 'named' : 'not'}`));
      return found;
    };
    expect(
      named({ a: 'one', password: 'two', url: 'http://me:three@x', n: 123_456, pin: 7, token: 8 }, true),
    ).to.deep.equal(['one not', 'two named', 'http://me:three@x not', 'three named', '123456 not', '8 named']);
    expect(named({ headers: { 'X-Auth': 'four', Accept: 'five' } })).to.deep.equal(['four named']);
    expect(named({ a: 'me:three@x', b: 'http://x', c: 'http://me@x' })).to.deep.equal([]);
    for (const list of ['https://lb1,https://me:swordfish@lb2', '["https://lb1","https://me:swordfish@lb2"]'])
      expect(named({ list })).to.deep.equal(['swordfish named']);
    const pair = Buffer.from('me:secret').toString('base64');
    expect(named({ headers: { 'X-Auth': `  Bearer ${pair}  ` } })).to.deep.equal([
      `  Bearer ${pair}   named`,
      `${pair} named`,
    ]);
  });

  it('of a proxy whose address is wrong are known, too', () => {
    const secrets = new Secrets();
    addProxySecrets('http://me:hunter22@[bad', secrets);
    expect(secrets.mask('hunter22')).to.equal('********');
  });

  it('of encrypted tasks are their values, and the text around templates', () => {
    const task = { name: 'Tell', when: 'a == b', debug: { msg: 'user:hunter22@{{ host }}' }, vars: { a: 'one' } };
    expect(dataIn([task])).to.deep.equal(['user:hunter22@{{ host }}', 'user:hunter22@', '', 'one']);
  });

  it('of the environment are found by name, and those of proxies in their URLs', () => {
    const secrets = new Secrets();
    learnEnvironment({ DB_PASSWORD: 'hunter22', LANG: 'de_DE', HTTPS_PROXY: 'http://me:swordfish@proxy' }, secrets);
    learnEnvironment({ no_proxy: 'a:b@c', ALL_PROXY: 'me:opensesame@proxy:3128' }, secrets);
    expect(secrets.mask('hunter22 swordfish opensesame de_DE')).to.equal('******** ******** ******** de_DE');
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
