// The configuration of `npm test`.
const path = require('node:path');
const common = require('../.mocharc.cjs');
const { TEST_FILES, compiled } = require('./test_files.cjs');
const { shuffled } = require('./test_order.cjs');

// How many of the slow tests run (test_shares.cjs): of those of the nightly and of a measured coverage all. The workers get it, too.
const isWhole = ['EVENKEEL_SEED', 'NODE_V8_COVERAGE'].some((name) => name in process.env);
process.env.EVENKEEL_TESTS ??= isWhole ? 'all' : 'change';

const beside = (name) => path.resolve(path.dirname(module.filename), name);

/** What the loader of TypeScript needs. */
const WITH_LOADER = ['import=tsx', 'no-experimental-require-module'];

module.exports = {
  ...common,
  'node-option': common['node-option'].filter((option) => !WITH_LOADER.includes(option)),
  require: [
    ...['rig/seed.ts', 'rig/warnings.ts'].map(compiled),
    ...['test_order.cjs', 'test_costs.cjs', 'test_reached.cjs', 'test_shares.cjs'].map(beside),
  ],
  reporter: require.resolve('./progress_reporter.cjs'),
  spec: shuffled([...TEST_FILES.keys()], (name) => `test/${name}`).map(compiled),
};
