import { expect } from 'chai';
import { builtinModules } from '../../modules/index.js';
import { ABSENT, describeContract, RESOURCES } from './contract_suite.js';
import { ABSENT_USES, USES } from './resource_uses.js';

const OF_KINDS = ['pool_absent', 'pool_present'];

describe('the contract of resource modules', () => {
  it('is tested with every built-in resource module', async () => {
    const modules = await Promise.all(Object.values(builtinModules).map(async (load) => (await load()).default));
    const resources = modules.filter(({ type }) => type === 'resource').map(({ name }) => name);
    const expected = [...resources, ...OF_KINDS].sort();
    expect([...RESOURCES, ...ABSENT].map(({ name }) => name).sort()).to.deep.equal(expected);
    const used = new Set([...USES, ...ABSENT_USES].map(({ module }) => module));
    expect([...used].sort()).to.deep.equal(expected);
  });

  describeContract('generic');
});
