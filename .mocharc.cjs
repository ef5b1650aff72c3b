const { availableParallelism } = require('node:os');
const path = require('node:path');

module.exports = {
  // All cores are busy with tests: helper threads of V8 and more frequent collections cost them a tenth, and optimising
  // code that runs a few times more another.
  // Import the test files: if they are required, modules that the sources import later are loaded twice, and `instanceof` fails between the copies.
  'node-option': [
    'import=tsx',
    'no-experimental-require-module',
    'single-threaded',
    'max-semi-space-size=64',
    'interrupt-budget=270336',
    // No package is a link, and to look for one at each import is a twelfth of what loading costs.
    'preserve-symlinks',
  ],
  require: ['test/rig/seed.ts', 'test/rig/warnings.ts', '.ci/test_order.cjs'].map((name) =>
    path.resolve(path.dirname(module.filename), name),
  ),
  // On a busy machine the start of a command takes seconds: what hangs is found all the same.
  timeout: 60_000,
  slow: 2000,
  'forbid-only': true,
  reporter: 'dot',
  // As many processes as there are cores: one more ends a little earlier, but costs a quarter more of the processors, because each loads
  // all sources, and compiles them, again. Mocha's default leaves a core unused.
  parallel: true,
  jobs: Math.max(2, availableParallelism()),
};
