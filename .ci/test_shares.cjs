// A mocha root hook: of the slow test files `npm test` and `.ci/run` run a share of the tests, `.ci/nightly` all. Only its title decides
// whether a test runs: a new test does not change which others do. `npm test` keeps at least one test of a file, `.ci/run` one of a `describe`.
const { createHash } = require('node:crypto');
const { TEST_FILES, testName } = require('./test_files.cjs');

/** Roughly how much of a slow file is left, in seconds of CPU. */
const SECONDS_LEFT = { change: 0.07, gate: 0.2 };
/** Of these all tests run: they follow from one another, or share their cases themselves (`shareOf`). */
const WHOLE = new Set([
  'capture/compare.test.ts',
  'cli/gate.test.ts',
  'core/secrets/planted.test.ts',
  'crash/crash.test.ts',
  'differential/host_pinned.test.ts',
  'differential/linear.test.ts',
  'doc/from_openapi.test.ts',
  'docs/commands.test.ts',
  'engine/resume_properties.test.ts',
  'faults/matrix.test.ts',
  'faults/transfers.test.ts',
  'modules/kinds/null_fields.test.ts',
  'schema/arguments.test.ts',
  'schema/playbook.test.ts',
]);

/** Which part of the tests of a file runs, from 0 to 1. */
function partOf(name) {
  const left = SECONDS_LEFT[process.env.EVENKEEL_TESTS];
  if (left === undefined || WHOLE.has(name)) return 1;
  return Math.min(1, left / (TEST_FILES.get(name) ?? left));
}
exports.partOf = partOf;

exports.mochaHooks = {
  // In parallel mode this runs before each file.
  beforeAll() {
    for (const suite of this.test.parent.suites) {
      const part = partOf(testName(suite.file));
      if (process.env.EVENKEEL_TESTS === 'change') keep(suite, Math.max(part, firstIn(suite)));
      else keep(suite, part, true);
    }
  },
};

/** @param first whether to keep the first of each suite, whatever its place */
function keep(suite, part, first = false) {
  const most = first ? Math.max(part, Math.min(...suite.tests.map(placeOf))) : part;
  suite.tests = suite.tests.filter((test) => placeOf(test) <= most);
  for (const inner of suite.suites) keep(inner, part, first);
}

/** The place of the test that comes first in a suite and those in it. */
function firstIn(suite) {
  return Math.min(...suite.tests.map(placeOf), ...suite.suites.map(firstIn));
}

/** From 0 to 1. */
function placeOf(test) {
  return createHash('sha256').update(test.fullTitle()).digest().readUInt32BE() / 2 ** 32;
}
