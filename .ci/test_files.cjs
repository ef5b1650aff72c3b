// All test files, the longest first, so that all workers are busy until the end.
const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** What any other file takes. */
const OTHERS = 0.2;

const folder = path.resolve(path.dirname(module.filename), '../test');
/**
 * What the longest take of the processors, in seconds. To measure it anew:
 * EVENKEEL_TESTS=all EVENKEEL_TEST_COSTS=costs npm test; sort -gr costs | awk '$1 >= 0.3' >.ci/test_seconds.txt
 */
const SECONDS = new Map(
  readFileSync(path.resolve(path.dirname(module.filename), 'test_seconds.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([seconds, name]) => [name, Number(seconds)]),
);
const seconds = (name) => SECONDS.get(name) ?? OTHERS;

/** Name → seconds. A name is the path from the folder of tests, with slashes. */
exports.TEST_FILES = new Map(
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
    .sort((a, b) => seconds(b) - seconds(a))
    .map((name) => [name, seconds(name)]),
);

/** Where `compiled_tests.mjs` puts what `npm test` loads. */
const COMPILED = path.resolve(folder, '../dist.tests');
exports.COMPILED = COMPILED;
/** What to load for a file of the folder of tests. */
exports.compiled = (name) => path.join(COMPILED, 'test', name.replace(/\.ts$/, '.js'));

/** The name of a test file that mocha has loaded, or compiled. */
exports.testName = (file = '') =>
  path
    .relative(file.startsWith(COMPILED) ? path.join(COMPILED, 'test') : folder, file)
    .replaceAll(path.sep, '/')
    .replace(/\.js$/, '.ts');
