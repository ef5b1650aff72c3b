// The configuration of `npm test`.
const path = require('node:path');
const common = require('../.mocharc.cjs');
const { TEST_FILES } = require('./test_files.cjs');
const { shuffled } = require('./test_order.cjs');

// How many of the slow tests run (test_shares.cjs): of those of the nightly and of a measured coverage all. The workers get it, too.
const isWhole = ['EVENKEEL_SEED', 'NODE_V8_COVERAGE'].some((name) => name in process.env);
process.env.EVENKEEL_TESTS ??= isWhole ? 'all' : 'change';

const beside = (name) => path.resolve(path.dirname(module.filename), name);

module.exports = {
  ...common,
  require: [...common.require, beside('test_costs.cjs'), beside('test_reached.cjs'), beside('test_shares.cjs')],
  reporter: require.resolve('./progress_reporter.cjs'),
  spec: shuffled([...TEST_FILES.keys()], (file) => path.relative(beside('..'), file)),
};
