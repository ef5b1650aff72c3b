import { describeRecovery } from './recovery_suite.js';

describe('what a resource module has written to controllers of the dialect avi', () => {
  describeRecovery('avi');
});
