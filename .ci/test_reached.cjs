// A mocha root hook: appends which functions of the sources each test file calls, a line of JSON for each, to the file that
// EVENKEEL_TEST_REACHED names. What runs while a module loads counts for the file that loaded it first.
const { appendFileSync, existsSync } = require('node:fs');
const { Session } = require('node:inspector');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { COMPILED, testName } = require('./test_files.cjs');

const target = process.env.EVENKEEL_TEST_REACHED;
const root = path.resolve(path.dirname(module.filename), '..');
const prefix = pathToFileURL(`${COMPILED}${path.sep}`).href;

exports.mochaHooks = target === undefined ? {} : hooks(new Session());

function hooks(session) {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    // In parallel mode this runs at the end of each file. To take the counts sets them to zero.
    afterAll() {
      const file = this.test.parent.suites.find((suite) => suite.file)?.file;
      session.post('Profiler.takePreciseCoverage', (_, { result }) => {
        const called = result.flatMap(({ url, functions }) => calledIn(url, functions));
        if (file !== undefined)
          appendFileSync(target, `${JSON.stringify([`test/${testName(file)}`, Object.fromEntries(called)])}\n`);
      });
    },
  };
}

/** The path of a source file with the names of its functions that were called. */
function calledIn(url, functions) {
  if (!url.startsWith(prefix) || !/^(?:src|modules)\//.test(url.slice(prefix.length))) return [];
  const compiled = url.slice(prefix.length);
  const sources = ['.ts', '.tsx'].map((extension) => compiled.replace(/\.js$/, extension));
  const source = sources.find((file) => existsSync(path.join(root, file)));
  const names = functions.filter(({ ranges }) => ranges[0].count > 0).map(({ functionName }) => functionName);
  return names.length === 0 ? [] : [[source, [...new Set(names)].filter((name) => name !== '')]];
}
