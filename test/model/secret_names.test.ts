import { expect } from 'chai';
import { isPluralOfSecret, isSecretName } from '../../src/model/secret_names.js';

const SECRET = `password vca_password nuage_password marathon_password controller_password ansible_ssh_pass ansible_httpapi_pass
  secret secret_key secret_access_key se_image_pull_secret client_secret token service_account_token access-token key api_key apiKey
  private_key privateKey Authorization Set-Cookie password2 PASSWORD password_hash secret_value new_password password_confirm`;

const OPEN = `key_number tag_key tag_val keys authentication_keys ntp_authentication_keys sslkeyandcertificate_refs public_key
  password_strength_check minimum_password_length allow_basic_authentication secrets pass passes token_ttl tokens_per_second
  host_key_algorithm_exclude name uuid monkey passwordless tokenizer sslkeyandcertificate secretary compass`;

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
});
