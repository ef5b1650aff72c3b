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
const seconds = (name) => SECONDS.get(name.replaceAll(path.sep, '/')) ?? OTHERS;

/** Absolute path → seconds. */
exports.TEST_FILES = new Map(
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .sort((a, b) => seconds(b) - seconds(a))
    .map((name) => [path.join(folder, name), seconds(name)]),
);
