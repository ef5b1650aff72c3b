import { expect } from 'chai';
import { maskText } from '../../../src/core/secrets/mask_text.js';
import { maskAnswer, maskDocument } from '../../../src/core/secrets/mask_value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';

const none = new Secrets();
const SECRET = 'topsecret-xyz';

/** Each with the secret, whose name alone marks it. */
const DOCUMENTS = [
  `{"password":"${SECRET}"}`,
  `{"error":{"password":["${SECRET}"]}}`,
  `{"password":"","password":"${SECRET}"}`,
  `{"password":"${SECRET}","password":""}`,
  `{"a":1,"password":"${SECRET}","b":"cu`,
  `{"password":"${SECRET}`,
  `{"passwords": ["x", "${SECRET}"], "b": "cu`,
  `{"password": {"new": "${SECRET}"}, "b": "cu`,
  `{'password': '${SECRET}', 'a': `,
  `{:password=>"${SECRET}"}`,
  `{\\"password\\":\\"${SECRET}\\"`,
  `<b>password</b>: ${SECRET}`,
  `<password>${SECRET}</password>`,
  `<ns:api_key type="x"><![CDATA[${SECRET}]]></ns:api_key>`,
  `<input type="text" name="password" value="${SECRET}">`,
  `<input value=${SECRET} id=user_token>`,
  `<td>PASSWORD</td>\n<td class="code"><pre>${SECRET}</pre></td>`,
  `<name>password</name><value><string>${SECRET}</string></value>`,
  `<pre>{&quot;password&quot;: &quot;${SECRET}&quot;}</pre>`,
  `%7B%22password%22%3A%22${SECRET}%22%7D`,
  `password: ${SECRET}`,
  `failed: db_password = ${SECRET}`,
  `tokens="password=${SECRET}"`,
  `user=a&password=${SECRET}&x=1`,
  `connect(host="x", password="${SECRET}")`,
  `-----BEGIN RSA PRIVATE KEY-----\n${SECRET.replaceAll('-', '+')}\n-----END RSA PRIVATE KEY-----`,
];

/** Those that are secrets in any text, also in messages and in texts inside of JSON. */
const TEXTS = [
  `{u'username': u'admin', u'password': u'${SECRET}'}`,
  `{U"password": B"${SECRET}", b'x': rb'y'}`,
  `{'password': "${SECRET}'s"}`,
  `{u'passwords': [u'a', u'${SECRET}']}`,
  `OrderedDict([(u'username', u'admin'), (u'password', u'${SECRET}')])`,
  `User(password=u'${SECRET}')`,
  `{u'Authorization': u'Basic ${SECRET}'}`,
  `Authorization: Token ${SECRET}`,
  `{:authorization=>"Basic ${SECRET}"}`,
  `{"detail":[{"field":"avi_password","value":"${SECRET}"}]}`,
  `{"value":"${SECRET}","code":3,"parameter":"avi_password"}`,
  `{'param': 'api_key', 'code': 3, 'val': '${SECRET}'}`,
  `{"key":"api_key","val":"${SECRET}"}`,
  `{"name":"token","rejectedValue":"${SECRET}","cut":"x`,
  `<field>password</field><value>${SECRET}</value>`,
  `<param field="password" value="${SECRET}"/>`,
  `curl -u admin:${SECRET} https://lb1/`,
  `wget --user=admin:${SECRET} --proxy-user "me:${SECRET} two"`,
  `deploy --password ${SECRET} --api-token '${SECRET}'`,
  `Command '['curl', '-u', u'admin:${SECRET}', '--password', '${SECRET}']' returned 1`,
  `deploy --password "${SECRET}"`,
  `connect(x="y", password="${SECRET}")`,
  `{:user=>"admin", :password=>"${SECRET}"}`,
  `{"user" => "admin", "password" => "${SECRET}"}`,
  `bad db_password = "${SECRET}"`,
  `{"ssl_key":"${SECRET}"}`,
  `Invalid password "${SECRET}" for user admin`,
  `the API key '${SECRET}' is unknown, and so is the token \`${SECRET}\``,
  `password was “${SECRET}”`,
  `bad db_password: "${SECRET}`,
];

describe('a text of another program', () => {
  for (const text of TEXTS)
    it(`shows no secret in a form of any text: ${text}`, () => {
      const inJson = (shown: string): string => maskAnswer(JSON.stringify({ error: { x: shown } }), none);
      const quoted = (shown: string): string => maskText(JSON.stringify({ error: shown }), none);
      for (const mask of [maskText, maskDocument, maskAnswer, inJson, quoted]) {
        expect(mask(text, none)).to.include('********');
        expect(mask(text, none)).not.to.match(/topsecret.xyz/);
      }
    });

  it('keeps the name, and what is before the value', () => {
    for (const [text, shown] of [
      [`{u'password': u'${SECRET}', u'a': u'b'}`, `{u'password': u'********', u'a': u'b'}`],
      [`{"key":"api_key","val":"${SECRET}"}`, '{"key":"api_key","val":"********"}'],
      [`curl -u admin:${SECRET} https://lb1/`, 'curl -u admin:******** https://lb1/'],
      [`Invalid password "${SECRET}" for user admin`, 'Invalid password "********" for user admin'],
    ] as const)
      for (const mask of [maskText, maskAnswer]) expect(mask(text, none)).to.equal(shown);
  });

  it('keeps what only looks like such a form', () => {
    for (const text of [
      'use --ask-pass, or the option --token is required',
      'docker run -u 1000:1000 x, curl -u https://lb1/token',
      `Unexpected token "a" in JSON, no key "x", duplicate key 'y', auth 'basic'`,
      'password: "{{ db_password }}"',
      '{"ssl_key_and_certificate_refs":["/api/x"],"ssl_key_name":"web","ssl_public_key":"abc","public_key":"abc"}',
      '{"key":"mtu","value":1500,"field":"name","values":["x"]}',
      `[('name', 'x')], lookup('password', '/tmp/x')`,
    ])
      expect(maskText(text, none)).to.equal(text);
  });

  for (const text of DOCUMENTS)
    it(`shows no secret that its name marks: ${text}`, () => {
      for (const mask of [maskDocument, maskAnswer]) {
        expect(mask(text, none)).to.include('********');
        expect(mask(text, none)).not.to.match(/topsecret.xyz/);
      }
    });

  it('keeps what is no secret as it was written', () => {
    for (const text of [
      '{"count": 0, "results": [], "count": 1}',
      'tag_key: web, key_number: 5, auth_type: x',
      '<h1>Token</h1><p>Your session expired</p>',
      'password is wrong &amp; 100%25',
      'API key: not found; password: is empty; token: no such entry',
    ])
      expect(maskAnswer(text, none)).to.equal(text);
  });

  it('is masked more strictly than a message of ours', () => {
    expect(maskDocument('controller_password: undefined', none)).to.equal('controller_password: ********');
    expect(maskDocument('password: not\nuser: x', none)).to.equal('password: ********\nuser: x');
    expect(maskText('controller_password: undefined', none)).to.equal('controller_password: undefined');
  });

  it('takes no time that grows faster than the text', () => {
    for (const part of [
      '<',
      'a.',
      '"password":"',
      'password: ',
      '<td>password</td>',
      '"',
      "'[",
      '<password ',
      '%2522',
      '-u a:',
      '--password ',
      'password "',
      '{"key":"token",',
      '"token":[',
      "('token', ",
    ])
      for (const text of [part.repeat(16_000 / part.length), `${part}${' '.repeat(16_000)}`]) {
        const started = process.cpuUsage();
        maskAnswer(text, none);
        expect(process.cpuUsage(started).user, part).to.be.below(1_000_000);
      }
  });
});
