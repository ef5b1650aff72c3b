import { describeRecovery } from './recovery_suite.js';

describe('The object of a resource module', () => {
  describeRecovery('generic');
});
