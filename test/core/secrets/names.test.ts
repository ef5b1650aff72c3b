import path from 'node:path';
import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { holdsSecret, isNoSecret, isPluralOfSecret, isSecretName } from '../../../src/core/secrets/names.js';

const SECRET = `password vca_password nuage_password marathon_password controller_password ansible_ssh_pass ansible_httpapi_pass
  secret secret_key secret_access_key se_image_pull_secret client_secret token service_account_token access-token key api_key apiKey
  private_key privateKey Authorization Set-Cookie password2 PASSWORD password_hash secret_value new_password password_confirm
  api_keys private_keys ssh_keys apiKeys pwd DB_PWD db_pwd psk wifi_psk ipsec_psk ssh_key sshKey db_pw adminPw pw passwd_list
  password_list passwords_map token_list userpass azure_userpass dbpass dbpassword clientsecret authtoken otp sms_otp bearer auth basic_auth
  proxy_auth snmp_community snmpv2_community community_string snmp_ro_community trap_community license_key licence_key aes_key pass_phrase
  key_content aws_secret_access pass\u200bword snmp_community_string pin_password ssh_key_2 ssl_key sslKey tls_key sslkey
  password_string controller_passwrod db_pasword pssword passord client_priv_key md5_key radius_key tacacs_key session_key sshkey authkey bindpw rootpw`;

const OPEN = `key_number tag_key tag_val keys authentication_keys ntp_authentication_keys sslkeyandcertificate_refs public_key
  password_strength_check minimum_password_length allow_basic_authentication secrets pass passes token_ttl tokens_per_second
  host_key_algorithm_exclude name uuid monkey passwordless tokenizer sslkeyandcertificate secretary compass
  auth_type authentication_order authentication auth_profile_ref auth_username client_auth require_auth use_keystone_auth force_basic_auth
  password_ref secret_ref ssl_key_and_certificate_ref api_key_ref key_size key_params encryption_keys ssh_public_key authorized_keys
  ssh_key_name key_file bypass se_pcap_qdisc_bypass SSH_ASKPASS PWD OLDPWD SSH_AUTH_SOCK access_key_id host_attribute_key community
  send_community ip_communities community_list license_type license license_tier_key_count pwd_length opwd_x otp_enabled bearer_format
  token_expiration_date group_key sort_key cache_key proxy_pass_through pass_through tcp_passive passport compassword_ref psks_enabled keyboard turnkey hockey`;

describe('names of secrets', () => {
  for (const name of SECRET.split(/\s+/)) {
    it(`${name} is one`, () => {
      expect(isSecretName(name)).to.equal(true);
    });
  }

  for (const name of OPEN.split(/\s+/)) {
    it(`${name} is none`, () => {
      expect(isSecretName(name)).to.equal(false);
    });
  }

  it('plurals hold secrets, keys do not', () => {
    expect(['passwords', 'tokens', 'client_secrets', 'keys', 'names', 'key'].map(isPluralOfSecret)).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('mark an entry by its value and by what is beside it', () => {
    const holds = (name: string, among: Mapping) => holdsSecret(name, among[name], among);
    for (const [name, among, expected] of [
      ['password', { password: 'x' }, true],
      ['mtu', { mtu: 'x' }, false],
      ['pass', { pass: 'x', user: 'a' }, true],
      ['pass', { pass: 'x', Login: 'a' }, true],
      ['pass', { pass: 'x' }, false],
      ['pass', { pass: 123_456, username: 'a' }, true],
      ['pass', { pass: 12_345, username: 'a' }, false],
      ['pass', { pass: true, username: 'a' }, false],
      ['key', { key: 'x' }, true],
      ['key', { key: 'x', value: 'y' }, false],
      ['passwd', { passwd: ['files', 'sss'], group: ['files'] }, false],
      ['passwd', { passwd: ['files', 'horse'], group: ['files'] }, true],
      ['passwd', { passwd: ['files', 'sss'] }, true],
      ['passwd', { passwd: 'files', group: ['files'] }, true],
      ['value', { key: 'password', value: 'x' }, true],
      ['value', { key: 'password', name: 'mtu', value: 'x' }, true],
      ['value', { key: 'mtu', value: 'x' }, false],
      ['value', { key: ['password'], value: 'x' }, true],
      ['value', { key: 'x.users[0].password', value: 'x' }, true],
      ['rejected_value', { field: '/user/password', rejected_value: 'x' }, true],
      ['value', { name: 'Admin password', value: 'x' }, true],
      ['value', { key: 5, value: 'x' }, false],
      ['value', { value: 'x' }, false],
      ['community', { community: 'public' }, true],
      ['community', { community: '65001:100' }, false],
      ['community', { community: ['public'] }, false],
      ['auth', { auth: 'horse' }, true],
      ['auth', { auth: 'Basic' }, false],
      ['auth', { auth: ['horse'] }, true],
      ['auth', { auth: { user: 'a' } }, false],
      ['password', { password: { a: 'x' } }, true],
      ['passwords', { passwords: ['x'] }, true],
      ['passwords', { passwords: { a: 'x' } }, true],
      ['passwords', { passwords: 'x' }, false],
      ['tokens', { tokens: [{ str_value: 'x' }], type: 'URI_PARAM_TYPE_TOKENIZED' }, false],
      ['tokens', { tokens: [{ str_value: 'x' }], type: 'bearer' }, true],
      ['cookie', { cookie: { name: 'SESSION', match_criteria: 'HDR_EXISTS' } }, false],
      ['cookie', { cookie: { name: 'SESSION', value: 'x' } }, true],
      ['names', { names: ['x'] }, false],
    ] as readonly (readonly [string, Mapping, boolean])[])
      expect(holds(name, among), `${name} in ${JSON.stringify(among)}`).to.equal(expected);
  });

  it('may name a file, which is no secret', () => {
    const file = path.join(import.meta.dirname, 'names.test.ts');
    const far = `${import.meta.dirname}/${'./'.repeat(520)}names.test.ts`;
    expect([
      isNoSecret(file),
      isNoSecret(`${file}\n`),
      isNoSecret(`${file}x`),
      isNoSecret('package.json'),
    ]).to.deep.equal([true, false, false, false]);
    expect([isNoSecret('./package.json'), isNoSecret('~/'), isNoSecret(far)]).to.deep.equal([true, true, false]);
  });
});
