import { expect } from 'chai';
import { found, foundIn } from '../../rig/rule.js';

const RULE = 'secret-in-clear-text';
const HINT = `encrypt it with "evenkeel vault encrypt-string", or take it from the environment: '{{env "NAME"}}'`;
const NOTHING = '- hosts: all\n  tasks: []\n';

/** As in a file; it is not decrypted. */
const ENVELOPE = `$ANSIBLE_VAULT;1.1;AES256
${Buffer.from(['ab'.repeat(32), 'cd'.repeat(32), 'ef'.repeat(16)].join('\n')).toString('hex')}`;

const SSH_KEY = `ssh-ed25519 AAAA${'C3'.repeat(30)} me`;

async function variables(text: string): Promise<readonly string[]> {
  return found(RULE, NOTHING, { 'inventory/group_vars/all.yml': text });
}

describe('secret-in-clear-text', () => {
  const harmless = [
    `password: '{{env "P"}}'`,
    'password: ""',
    'password:',
    'password: <sensitive>',
    'password_strength_check: true',
    'key: value',
    'items: [{key: a, value: b}]',
    'kv: [{key: /reset-password, value: web-pool}, {name: Your token, value: [required]}]',
    'match: {cookie: {name: session, match_case: SENSITIVE, value: a}}',
    'secrets: on_create',
    "avi_credentials: {controller: lb1.example.com, username: admin, password: '{{ p }}', api_version: 22.1.3}",
    "credentials: {vcenter: {username: admin, password: '{{ p }}', port: 443}}",
    "api_keys: [{key_id: A1, secret: '{{ s }}'}]",
    'auth: basic\nhttps_auth: digest\nuser_auth: ldap',
    "hdr: {name: Authorization, value: {var: HTTP_POLICY_VAR_USER, val: '{{ v }}'}}",
    'hdr: {name: X-Trace, value: {val: abc}}\nkey: {value: abc}',
    'settings: [{name: db_password, value: {key: length, value: 20}}, {name: mtu, value: {val: 9000}}]',
    'host: {type: URI_PARAM_TYPE_TOKENIZED, tokens: [{type: URI_TOKEN_TYPE_STRING, str_value: www.example.com}]}',
    `ssh_key: ${SSH_KEY}\nssh_keys: [${SSH_KEY}]`,
    'ssl_key: |\n  -----BEGIN CERTIFICATE-----\n  MIIB\n  -----END CERTIFICATE-----',
    `password: !vault |\n${ENVELOPE.replaceAll(/^/gm, '  ')}`,
  ];
  for (const text of harmless) {
    it(`accepts ${JSON.stringify(text)}`, async () => expect(await variables(text)).to.deep.equal([]));
  }

  const harmful: readonly (readonly [text: string, name: string, place: string])[] = [
    ['password: abc', 'password', '1:11'],
    ['controller_password: 12345', 'controller_password', '1:22'],
    ['a: {b: [{secret_key: x}]}', 'secret_key', '1:22'],
    ['tokens: [abc]', 'tokens', '1:10'],
    ['tokens: {lb1: abc}', 'lb1', '1:15'],
    ['api_keys: {lb1: abc}', 'lb1', '1:17'],
    ['db_password: {prod: abc}', 'prod', '1:21'],
    ['credential: {user: me, password: abc}', 'password', '1:34'],
    ['password: !unsafe abc', 'password', '1:19'],
    ['avi_credentials: {username: admin, password: abc}', 'password', '1:46'],
    ['credentials: {admin: abc}', 'admin', '1:22'],
    ['api_keys: [{key_id: A1, secret: abc}]', 'secret', '1:33'],
    ['account: {user: me, pass: abc}', 'pass', '1:27'],
    ['settings: [{name: db_password, value: abc}]', 'value', '1:39'],
    ['hdr: {name: X-Auth-Token, value: {var: HTTP_POLICY_VAR_USER, val: abc}}', 'val', '1:67'],
    ['settings: [{name: db_password, value: [{value: abc}]}]', 'value', '1:48'],
    ['password: {value: abc, length: 20}', 'value', '1:19'],
  ];
  for (const [text, name, place] of harmful) {
    it(`finds ${JSON.stringify(text)}`, async () => {
      expect(await variables(text)).to.deep.equal([
        `inventory/group_vars/all.yml:${place} "${name}" contains a secret in clear text — ${HINT}`,
      ]);
    });
  }

  it('leaves alone what modules declare as no secret, and where credentials are valid', async () => {
    const tasks = `- avi_pool:
    name: web
    avi_credentials: {controller: lb1, username: admin, api_version: 22.1.3, idp_class: x, password: abc}`;
    expect((await foundIn(RULE, tasks)).map((one) => one.split(' contains')[0])).to.deep.equal([
      'site.yml:5:106 "password"',
    ]);
  });

  it('takes the default of a prompt as a value of its variable', async () => {
    const prompts = '[{name: auth, default: basic}, {name: db_auth, default: abc}, {name: user_auth, default: abc}]';
    expect(
      (await found(RULE, `- hosts: all\n  vars_prompt: ${prompts}\n  tasks: []\n`)).map(
        (one) => one.split(' contains')[0],
      ),
    ).to.deep.equal(['site.yml:2:78 "user_auth"']);
  });

  it('looks at arguments, and at what modules declare', async () => {
    const tasks =
      '- cloud_present:\n    name: a\n    vcenter_configuration: {password: abc}\n- system_config:\n    ntp_configuration: {ntp_authentication_keys: [{key: abc, key_number: 1}]}';
    expect((await foundIn(RULE, tasks)).map((one) => one.split(' — ')[0])).to.deep.equal([
      'site.yml:5:43 "password" contains a secret in clear text',
      'site.yml:7:61 "key" contains a secret in clear text',
    ]);
  });

  it('looks at variables of plays, tasks, files, INI inventories and prompts', async () => {
    const playbook = `
- hosts: all
  vars: {token: a}
  vars_files: more.yml
  vars_prompt: [{name: secret, default: b}]
  tasks: [{debug: , vars: {password: c}}]
`;
    const files = {
      'more.yml': 'passphrase: d\n',
      'evenkeel.yml': 'inventory: hosts.ini\n',
      'hosts.ini': 'lb1 ansible_password=e\n',
    };
    const places = (await found(RULE, playbook, files)).map((one) => one.split(' contains')[0]);
    expect(places).to.have.members([
      'site.yml:3:17 "token"',
      'site.yml:5:17 "secret"',
      'site.yml:6:38 "password"',
      'more.yml:1:13 "passphrase"',
      'hosts.ini:1:5 "ansible_password"',
    ]);
  });
});
