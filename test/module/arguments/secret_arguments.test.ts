import { expect } from 'chai';
import * as Type from 'typebox';
import cloudPresent from '../../../modules/cloud_present.js';
import groupBy from '../../../modules/group_by.js';
import systemConfig from '../../../modules/system_config.js';
import { secretArguments } from '../../../src/module/arguments/secret_arguments.js';
import { defineAction } from '../../../src/module/contract.js';

describe('secret arguments', () => {
  it('are declared as secret', () => {
    const args = Type.Object({ community: Type.String({ secret: true }), name: Type.String() });
    const module = defineAction({
      name: 'm',
      summary: '',
      args,
      examples: [],
      check: true,
      run: () => Promise.reject(new Error()),
    });
    expect(secretArguments(module, { community: 'hidden', name: 'shown' })).to.deep.equal(['hidden']);
  });

  it('exclude arguments that are declared as not secret, even with a secret name', () => {
    expect(secretArguments(groupBy, { key: 'gold', parents: ['metals'] })).to.deep.equal([]);
  });

  it('are the values of secret names in pairs of name and value, not the names', () => {
    const pairs = [
      { key: 'edge', value: 'shown' },
      { key: 'password', value: 'hidden' },
    ];
    expect(secretArguments(cloudPresent, { name: 'a', pairs })).to.deep.equal(['hidden']);
  });

  it('include known secret fields beyond the API document', () => {
    const keys = [
      { key: 'first', key_number: 1 },
      { key: 'second', key_number: 2 },
    ];
    expect(secretArguments(systemConfig, { ntp_configuration: { ntp_authentication_keys: keys } })).to.deep.equal([
      'first',
      'second',
    ]);
  });

  it('include arguments with secret names, at any depth', () => {
    const args = {
      name: 'edge',
      custom_tags: [{ tag_key: 'env', tag_val: 'prod' }],
      unheard_of: { list: [{ api_token: 't0ken', user: 'u' }], se_image_pull_secret: { a: ['s1', 2] } },
      password_strength_check: 'true',
    };
    expect(secretArguments(cloudPresent, args)).to.deep.equal(['t0ken', 's1', '2']);
  });
});
