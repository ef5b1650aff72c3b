// A mocha root hook: with EVENKEEL_SHUFFLE, a number, the tests and suites of each file run in an order that the number decides. A test that
// needs those before it fails then. `.ci/nightly` picks another number each day.
const { createHash } = require('node:crypto');
const { testName } = require('./test_files.cjs');

const seed = process.env.EVENKEEL_SHUFFLE;
/** What their tests do follows from one another: a page of the documentation is read from its beginning. */
const IN_ORDER = new Set([
  'capture/compare.test.ts',
  'cli/gate.test.ts',
  'core/secrets/planted.test.ts',
  'crash/crash.test.ts',
  'doc/from_openapi.test.ts',
  'docs/commands.test.ts',
]);

/** By the title, so that a new test does not change the order of the others. */
function shuffled(all, titleOf) {
  if (seed === undefined) return all;
  const places = new Map(
    all.map((one) => [
      one,
      createHash('sha256')
        .update(`${seed} ${titleOf(one)}`)
        .digest('hex'),
    ]),
  );
  return [...all].sort((a, b) => (places.get(a) < places.get(b) ? -1 : 1));
}
exports.shuffled = shuffled;

exports.mochaHooks = {
  beforeAll() {
    for (const suite of this.test.parent.suites) {
      if (!IN_ORDER.has(testName(suite.file))) shuffle(suite);
    }
  },
};

function shuffle(suite) {
  suite.tests = shuffled(suite.tests, (test) => test.title);
  suite.suites = shuffled(suite.suites, (inner) => inner.title);
  for (const inner of suite.suites) shuffle(inner);
}
