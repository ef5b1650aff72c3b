import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Change } from '../../../src/core/model/run/result.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { maskChange, SECRET_CHANGED } from '../../../src/core/secrets/mask_event.js';
import { maskValue } from '../../../src/core/secrets/mask_value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { forEachSecret } from '../../../src/core/secrets/values.js';
import { inFolder } from '../../rig/folder.js';
import { runText } from '../../rig/run_text.js';

const none = new Secrets();
const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ ann@example.com';
const PEM = '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n';
const PRIVATE_PEM = '-----BEGIN PRIVATE KEY-----\nMFkw\n-----END PRIVATE KEY-----\n';

const SECRET_MEMBERS = {
  password: 'hunter22',
  token: 'hunter33',
  csrf_token: 'hunter44',
  csrftoken: 'hunter55',
  session_id: 'hunter66',
  anything: 'hunter77',
};
const PARTS = {
  controller: 'lb1.example.com',
  username: 'ann',
  tenant: 'blue',
  tenant_uuid: 'tenant-1',
  port: 443,
  api_version: '22.1.3',
  ...SECRET_MEMBERS,
};
const SECRET_PARTS = Object.values(SECRET_MEMBERS);
const SHOWN_PARTS = { ...PARTS, ...Object.fromEntries(Object.keys(SECRET_MEMBERS).map((name) => [name, '********'])) };

function learned(value: Value): readonly string[] {
  const found: string[] = [];
  forEachSecret(value, false, (text) => found.push(text));
  return found;
}

describe('what is public beside secrets', () => {
  it('is where credentials are valid, and for whom', () => {
    for (const name of ['avi_credentials', 'credentials', 'vendor_credential', 'aviCredentials']) {
      expect(maskValue({ [name]: PARTS }, none)).to.deep.equal({ [name]: SHOWN_PARTS });
      expect(maskValue({ [name]: [PARTS, { lab: PARTS }] }, none)).to.deep.equal({
        [name]: [SHOWN_PARTS, { lab: SHOWN_PARTS }],
      });
      expect(maskValue([{ key: name, value: PARTS }], none)).to.deep.equal([{ key: name, value: SHOWN_PARTS }]);
    }
    expect(maskValue({ credentials: { user: 'ann', pass: 'hunter88' } }, none)).to.deep.equal({
      credentials: { user: 'ann', pass: '********' },
    });
    expect(learned({ avi_credentials: PARTS })).to.deep.equal(SECRET_PARTS);
    expect(learned([{ key: 'avi_credentials', value: PARTS }])).to.deep.equal(SECRET_PARTS);
  });

  it('is nothing of credentials by account or system, and nothing below another secret', () => {
    const hidden = { server: '********', user: '********', port: '********' };
    const values = { server: 'hunter22', user: 'hunter33', port: 123 };
    for (const name of ['credentials', 'avi_credentials'])
      expect(maskValue({ [name]: values }, none)).to.deep.equal({ [name]: hidden });
    expect(maskValue({ credential: 'hunter22', credentials: ['hunter22', 7] }, none)).to.deep.equal({
      credential: '********',
      credentials: ['********', '********'],
    });
    for (const name of ['password', 'tokens', 'secret'])
      expect(maskValue({ [name]: { credentials: { username: 'ann' } } }, none)).to.deep.equal({
        [name]: { credentials: { username: '********' } },
      });
    expect(learned({ tokens: { controller: 'one', username: 'two' } })).to.deep.equal(['one', 'two']);
  });

  it('shows in changes which part of credentials differs', () => {
    const after = { avi_credentials: { ...PARTS, api_version: '22.1.4', password: 'hunter33' } };
    const change: Change = { kind: 'update', object: 'x', before: { avi_credentials: PARTS }, after };
    expect(maskChange(change, none)).to.deep.equal({
      kind: 'update',
      object: 'x',
      before: { avi_credentials: SHOWN_PARTS },
      after: { avi_credentials: { ...SHOWN_PARTS, api_version: '22.1.4', password: SECRET_CHANGED } },
    });
  });

  it('is a public key, and the id of a key', () => {
    const keys = { key_id: 'AKIA1', accessKeyId: 'AKIA2', public_key: 'MFkw', secret: 'hunter22', other: 'y' };
    const shown = { ...keys, secret: '********', other: '********' };
    expect(maskValue({ api_key: keys, ssh_key: SSH_KEY, private_key: PEM, tokens: [keys] }, none)).to.deep.equal({
      api_key: shown,
      ssh_key: SSH_KEY,
      private_key: PEM,
      tokens: [shown],
    });
    expect(learned({ api_key: keys })).to.deep.equal(['hunter22', 'y']);
    expect(maskValue({ ssh_key: `${PEM}${PEM}` }, none)).to.deep.equal({ ssh_key: `${PEM}${PEM}` });
    for (const text of [`${SSH_KEY}\nhunter22`, `${PEM}${PRIVATE_PEM}`, `${PRIVATE_PEM}${PEM}`, 'ssh-rsa hunter22'])
      expect(maskValue({ ssh_key: text, public_key: { token: text } }, none)).to.deep.equal({
        ssh_key: '********',
        public_key: { token: '********' },
      });
  });

  it('is `pass`, unless an account is beside it', () => {
    const login = { user: 'ann', pass: 'hunter22' };
    const given = {
      auth: login,
      logins: [{ username: 'bob', pass: 'hunter23' }],
      test: { name: 'ann', pass: 'yes it is' },
    };
    expect(maskValue(given, none)).to.deep.equal({
      ...given,
      auth: { user: 'ann', pass: '********' },
      logins: [{ username: 'bob', pass: '********' }],
    });
    expect(learned(given)).to.deep.equal(['hunter22', 'hunter23']);
    expect(maskValue({ User: 'ann', PASS: 20241128 }, none)).to.deep.equal({ User: 'ann', PASS: '********' });
    expect(maskValue({ user: 'ann', pass: 3 }, none)).to.deep.equal({ user: 'ann', pass: 3 });
  });

  it('is nothing in a task with no_log', () => {
    const found: string[] = [];
    forEachSecret({ api_key: { key_id: 'AKIA1' }, avi_credentials: PARTS }, true, (text) => found.push(text));
    expect(found).to.have.members(['AKIA1', ...Object.values(PARTS).filter((one) => one !== 443)]);
  });

  it('stays readable in the rest of the output', () =>
    inFolder({ x: '' }, async (folder) => {
      const secret = path.join(folder, 'secrets');
      await mkdir(secret);
      await writeFile(path.join(secret, 'token'), 'x');
      const variables: Mapping = {
        secret,
        token: path.join(secret, 'token'),
        ssh_key: SSH_KEY,
        api_key: { key_id: 'AKIA1234', secret: 'hunter88' },
        avi_credentials: PARTS,
        password: '/no/such/folder',
      };
      const { tasks, secrets } = await runText(
        `- hosts: all
  tasks:
    - debug: { msg: '{{ secret }}/x.yml {{ token }} {{ ssh_key }} {{ api_key.key_id }}' }
    - set_fact: { passed: '{{ avi_credentials }}', secret: '{{ secret }}' }
    - debug: { msg: '{{ passed.controller }} {{ passed.username }} {{ passed.api_version }} {{ passed.tenant }} {{ secret }}' }
    - debug: { msg: 'S {{ api_key.secret }} {{ passed.password }} {{ passed.session_id }} {{ passed.anything }} {{ password }}' }
`,
        { extraVars: variables },
      );
      expect(tasks.map(({ message = '' }) => secrets.mask(message))).to.deep.equal([
        `${secret}/x.yml ${secret}/token ${SSH_KEY} AKIA1234`,
        '',
        `lb1.example.com ann 22.1.3 blue ${secret}`,
        'S ******** ******** ******** ******** ********',
      ]);
    }));
});
