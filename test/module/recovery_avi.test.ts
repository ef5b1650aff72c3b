import { describeRecovery } from './recovery_suite.js';

describe('The object of a resource module on controllers of the dialect avi', () => {
  describeRecovery('avi');
});
