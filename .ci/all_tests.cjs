// The configuration of `npm test`.
const path = require('node:path');
const common = require('../.mocharc.cjs');
const { TEST_FILES } = require('./test_files.cjs');

const beside = (name) => path.resolve(path.dirname(module.filename), name);

module.exports = {
  ...common,
  require: [...common.require, beside('test_costs.cjs')],
  reporter: require.resolve('./progress_reporter.cjs'),
  spec: [...TEST_FILES.keys()],
};
