import { expect } from 'chai';
import { declaration } from '../../../src/module/comparison/desired.js';

describe('the arguments of a resource', () => {
  it('are fields of its object, but for those that control the task', () => {
    const controls = {
      replace: true,
      secrets: 'always',
      match: { uuid: '1' },
      merge: { servers: ['ip'] },
      without: { servers: [{ ip: '10.0.0.1' }] },
      tenant: 'blue',
    } as const;
    const args = { ...controls, name: 'web', port: 80, allow: true };
    expect(declaration(args, ['allow', 'other'])).to.deep.equal({ ...controls, fields: { name: 'web', port: 80 } });
    expect(declaration(args).fields).to.deep.equal({ name: 'web', port: 80, allow: true });
    expect(declaration({ replace: false, secrets: 'on_create' })).to.deep.equal({
      replace: false,
      secrets: 'on_create',
      match: undefined,
      merge: undefined,
      without: undefined,
      tenant: undefined,
      fields: {},
    });
  });
});
