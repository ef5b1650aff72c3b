import { describeContract } from './contract_suite.js';

describe('the contract of resource modules, with controllers of the dialect avi', () => {
  describeContract('avi');
});
