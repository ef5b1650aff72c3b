import { expect } from 'chai';
import * as Type from 'typebox';
import cloudPresent from '../../../modules/cloud_present.js';
import groupBy from '../../../modules/group_by.js';
import systemConfig from '../../../modules/system_config.js';
import { publicArguments, secretArguments, textsIn } from '../../../src/module/arguments/secret_arguments.js';
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

  it('are known from hints, also in lists of lists, and are no paths of files', () => {
    const module = defineAction({
      name: 'm',
      summary: '',
      args: Type.Object({
        open: Type.Object({}, { secret: false }),
        pass: Type.Array(Type.String(), { secret: true }),
      }),
      examples: [],
      check: true,
      hintsFor: () => [
        {
          type: 'object',
          properties: {
            codes: { type: 'array', items: { type: 'array', items: { properties: { pin: { secret: true } } } } },
            words: { type: 'array' },
          },
        },
      ],
      run: () => Promise.reject(new Error()),
    });
    const args = {
      pass: ['p1', 2, { a: ['p3', true, null] }],
      open: { password: 'p4', text: 'x' },
      codes: [[{ pin: 'p5', x: 'x' }], [{ pin: 6 }]],
      words: ['x'],
      password: '/',
      api_key: ['/', 'p7'],
    };
    expect(secretArguments(module, args)).to.deep.equal(['p1', '2', 'p3', 'p4', 'p5', '6', 'p7']);
    expect(secretArguments(module, 'password=x')).to.deep.equal([]);
    expect(publicArguments(module)).to.deep.equal(['open']);
    expect(textsIn({ a: [1, 'b', [2n]], c: null, d: { e: false } })).to.deep.equal(['1', 'b', '2']);
  });
});
