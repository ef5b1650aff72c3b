const { availableParallelism } = require('node:os');

module.exports = {
  'node-option': ['import=tsx'],
  // On a busy machine the start of a command takes seconds: what hangs is found all the same.
  timeout: 60_000,
  slow: 2000,
  'forbid-only': true,
  reporter: 'dot',
  // Half of a test's time is that of the commands it starts. Mocha's own default leaves one core out.
  parallel: true,
  jobs: Math.max(2, availableParallelism()),
};
