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

describe('a text of another program', () => {
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
    ])
      expect(maskAnswer(text, none)).to.equal(text);
  });

  it('is masked more strictly than a message of ours', () => {
    expect(maskDocument('controller_password: undefined', none)).to.equal('controller_password: ********');
    expect(maskText('controller_password: undefined', none)).to.equal('controller_password: undefined');
  });

  it('takes no time that grows faster than the text', () => {
    for (const part of ['<', 'a.', '"password":"', 'password: ', '<td>password</td>', '"', "'[", '<password ', '%2522'])
      for (const text of [part.repeat(16_000 / part.length), `${part}${' '.repeat(16_000)}`]) {
        const started = process.cpuUsage();
        maskAnswer(text, none);
        expect(process.cpuUsage(started).user, part).to.be.below(1_000_000);
      }
  });
});
