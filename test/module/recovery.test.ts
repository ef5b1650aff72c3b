import { describeRecovery } from './recovery_suite.js';

describe('what a resource module has written', () => {
  describeRecovery('generic');
});
