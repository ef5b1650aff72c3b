import { expect } from 'chai';
import { maskText, maskTitle } from '../../../src/core/secrets/mask_text.js';
import { MASK, Secrets } from '../../../src/core/secrets/secrets.js';

describe('a text whose secrets nobody knows', () => {
  it('has masked what follows the name of one, in each way that programs write it', () => {
    const table: readonly (readonly [text: string, masked?: string])[] = [
      ['curl -u admin:x1 https://h', `curl -u admin:${MASK} https://h`],
      ['curl -uadmin:x1 h', `curl -uadmin:${MASK} h`],
      ['curl -U "me:pass word" h', `curl -U "me:${MASK}" h`],
      ["curl --user 'me:x' h", `curl --user 'me:${MASK}' h`],
      ['curl --proxy-user=me:x h', `curl --proxy-user=me:${MASK} h`],
      ['curl --user me'],
      ['sort -u 10:20'],
      ['login --password x', `login --password ${MASK}`],
      ['login --password=x', `login --password=${MASK}`],
      ['login --password "x y"', `login --password "${MASK}"`],
      ["['login', '--password', 'x']", `['login', '--password', '${MASK}']`],
      ['login --ask-password x'],
      ['login --password is required'],
      ['login --password --user x'],
      ['login --token {{ t }}'],
      ['tool -p x'],
      ['--no-password x'],
      ['--api-key abc --name y', `--api-key ${MASK} --name y`],
      ['x--password y'],
      ['invalid password "x"', `invalid password "${MASK}"`],
      ["the API key 'x'", `the API key '${MASK}'`],
      ['password: "x"', `password: "${MASK}"`],
      ['password is "x"', `password is "${MASK}"`],
      ['password was `x`', 'password was `********`'],
      ['token “x” is wrong', `token “${MASK}” is wrong`],
      ['token ‘x’', `token ‘${MASK}’`],
      ['unexpected token "x"'],
      ['expected token "x"'],
      ['key "x"'],
      ['the password "{{ x }}"'],
      ['password x'],
      ['his password and "x"'],
      ['user "x"'],
      ['the password "x', `the password "${MASK}"`],
      ['https://h/?token=abc&x=1', `https://h/?token=${MASK}&x=1`],
      ['a=1&password=b&c=d', `a=1&password=${MASK}&c=d`],
      ['token=>x', `token=>${MASK}`],
      ['key=x'],
      ['password="a b" c', `password=${MASK} c`],
      ["password='a'", `password=${MASK}`],
      ['password={{ x }}'],
      ['url=https://h/?token=x', `url=https://h/?token=${MASK}`],
      ['tokens_per_second=5'],
      ['Authorization: Bearer abc', `Authorization: Bearer ${MASK}`],
      ['authorization: "Basic YWJj"', `authorization: "${MASK}"`],
      ['Authorization: abc', `Authorization: ${MASK}`],
      ["{'Authorization': 'Digest abc'}", `{'Authorization': '${MASK}'}`],
      ['https://me:pw@h/x', `https://me:${MASK}@h/x`],
      ['https://lb1,https://me:pw@lb2', `https://lb1,https://me:${MASK}@lb2`],
      ['https://me:@h'],
      ['https://me@h'],
      ['https://me:p@ss@h/x', `https://me:${MASK}@h/x`],
      ['https://me@corp:pw@h/x', `https://me@corp:${MASK}@h/x`],
      ['{"a":"https://me:pa/ss@h","b":"c@d"}', `{"a":"https://me:${MASK}@h","b":"c@d"}`],
      ['https://me:pa#s"s@h', `https://me:${MASK}@h`],
      ['https://h:8443/x@y https://[fd00::1]:8443/x@y https://me@h:8443/x@y'],
      ['postgres://u:p@h:5/x and ftp://:p@h', `postgres://u:${MASK}@h:5/x and ftp://:${MASK}@h`],
      ['{"password": "x", "mtu": 5}', `{"password": "${MASK}", "mtu": 5}`],
      ['{"password": 5}', `{"password": "${MASK}"}`],
      ['{"password": ["a", "b"]}', `{"password": "${MASK}"}`],
      ['{"passwords": ["a"]}', `{"passwords": "${MASK}"}`],
      ['{"password": null}'],
      ["{'password': u'x'}", `{'password': u'${MASK}'}`],
      ['{"key": "password", "value": "x"}', `{"key": "password", "value": "${MASK}"}`],
      ['{"key": "mtu", "value": "x"}'],
      ['{"field": "/user/password", "value": "x"}', `{"field": "/user/password", "value": "${MASK}"}`],
      ['{"value": "x", "name": "Admin password"}', `{"value": "${MASK}", "name": "Admin password"}`],
      ['{"value": "x", "name": "Invalid password, admin"}'],
      ['{"value": "x", "n": 3, "field": "password"}', `{"value": "${MASK}", "n": 3, "field": "password"}`],
      ["[('password', 'x')]", `[('password', '${MASK}')]`],
      ["[('mtu', 'x')]"],
      [String.raw`"{\"password\": \"x\"}"`, String.raw`"{\"password\": \"${MASK}\"}"`],
      ['{"password": "cut', `{"password": "${MASK}"`],
      ['{"password" => "x"}', `{"password" => "${MASK}"}`],
      ['{"a": {"token": "x"}}', `{"a": {"token": "${MASK}"}}`],
      [String.raw`{"password": "a\"b", "c": 1}`, `{"password": "${MASK}", "c": 1}`],
      ['<password>x</password>', `<password>${MASK}</password>`],
      ['<a:password b="c">x</a:password>', `<a:password b="c">${MASK}</a:password>`],
      ['<mtu>x</mtu>'],
      ['<td>password</td><td>x</td>', `<td>password</td><td>${MASK}</td>`],
      ['<dt>Password:</dt> <dd>x</dd>', `<dt>Password:</dt> <dd>${MASK}</dd>`],
      ['<input name="password" value="x">', `<input name="password" value="${MASK}">`],
      ['<input value=x id=token>', `<input value="${MASK}" id=token>`],
      ['<input name="mtu" value="x">'],
      ['<password> </password>'],
      [`-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- z`, `${MASK} z`],
      [`-----BEGIN CERTIFICATE-----\nabc`],
      ['&lt;password&gt;x&lt;/password&gt;', `<password>${MASK}</password>`],
      ['%22password%22%3A%20%22x%22', `"password": "${MASK}"`],
      ['auth "basic"'],
      ['auth "horse"', `auth "${MASK}"`],
      ['community "no-export"'],
      ['community "public"', `community "${MASK}"`],
      ["password=u'x'", `password=u${MASK}`],
      [
        '{"name": "mtu", "field": "password", "value": "x"}',
        `{"name": "mtu", "field": "password", "value": "${MASK}"}`,
      ],
      ['{"password": "x", "value": "y"}', `{"password": "${MASK}", "value": "y"}`],
      ['{"key": "x", "value": "y"}'],
      ['{"key": "x", "other": "y"}', `{"key": "${MASK}", "other": "y"}`],
      ['%2522password%2522%253A%2520%2522x%2522', `"password": "${MASK}"`],
      ['%252522password%252522%25253A%252520%252522x%252522', `"password": "${MASK}"`],
      ['nothing to see'],
      ['pass\u200bword=abc', `password=${MASK}`],
      ['no\u200bthing'],
    ];
    const secrets = new Secrets();
    for (const [text, masked = text] of table) {
      expect(maskText(text, secrets), text).to.equal(masked);
      expect(maskText(text, secrets), text).to.equal(masked);
    }
  });

  it('is clear once it was looked at, until another secret is known', () => {
    const secrets = new Secrets();
    const text = 'the horse99 said password "x"';
    const shown = `the horse99 said password "${MASK}"`;
    expect([maskText('a horse99', secrets), secrets.isKnownClear('a horse99')]).to.deep.equal(['a horse99', true]);
    expect([maskText(text, secrets), secrets.isKnownClear(text)]).to.deep.equal([shown, false]);
    secrets.add('horse99');
    expect([maskText('a horse99', secrets), maskText(text, secrets)]).to.deep.equal([
      `a ${MASK}`,
      `the ${MASK} said password "${MASK}"`,
    ]);
  });

  it('is a title that stays if it is a word of ours', () => {
    const secrets = new Secrets();
    for (const secret of ['debug', 'horse99']) secrets.add(secret);
    expect(maskText('debug', secrets)).to.equal(MASK);
    expect(['debug', 'Debug', 'horse99', 'password=x'].map((title) => maskTitle(title, secrets))).to.deep.equal([
      'debug',
      'Debug',
      MASK,
      `password=${MASK}`,
    ]);
  });
});
