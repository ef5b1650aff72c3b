import { expect } from 'chai';
import { learnEnvironment } from '../../src/commands/environment_secrets.js';
import { dataIn } from '../../src/load/variables/encrypted_texts.js';
import { forEachSecret } from '../../src/model/secret_values.js';
import { Secrets } from '../../src/model/secrets.js';
import { Unsafe, type Value } from '../../src/model/value.js';

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
    [{ key: 'mtu', value: 1500 }, []],
  ];
  for (const [value, expected] of cases) {
    it(JSON.stringify(value), () => {
      expect(secretsIn(value)).to.deep.equal(expected);
    });
  }

  it('are all texts and long numbers where all of it is secret', () => {
    expect(secretsIn({ a: 'one', b: 8443, c: 123_456, d: [true, null] }, true)).to.deep.equal(['one', '123456']);
  });

  it('of encrypted tasks are what they are given, and what stands around templates', () => {
    const task = { name: 'Tell', when: 'a == b', debug: { msg: 'user:hunter22@{{ host }}' }, vars: { a: 'one' } };
    expect(dataIn([task])).to.deep.equal(['user:hunter22@{{ host }}', 'user:hunter22@', '', 'one']);
  });

  it('of the environment go by name, and those of proxies by their place', () => {
    const secrets = new Secrets();
    learnEnvironment({ DB_PASSWORD: 'hunter22', LANG: 'de_DE', HTTPS_PROXY: 'http://me:swordfish@proxy' }, secrets);
    expect(secrets.mask('hunter22 swordfish de_DE')).to.equal('******** ******** de_DE');
  });

  it('are learned before the first text is shown, and not before', () => {
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
