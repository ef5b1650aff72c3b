// A mocha root hook: appends what each test file took of the processors, with the programs that it started and waited for, to
// the file that EVENKEEL_TEST_COSTS names. Time on the clock says little where several files run at once.
const { appendFileSync, readFileSync } = require('node:fs');
const { testName } = require('./test_files.cjs');

const target = process.env.EVENKEEL_TEST_COSTS;
let before = 0;

exports.mochaHooks =
  target === undefined || process.platform !== 'linux'
    ? {}
    : {
        // In parallel mode this runs at the end of each file. Loading the file counts as well: it came after the last one's end.
        afterAll() {
          const file = this.test.parent.suites.find((suite) => suite.file)?.file;
          if (file === undefined) return;
          const now = spentSeconds();
          appendFileSync(target, `${(now - before).toFixed(1).padStart(6)}  ${testName(file)}\n`);
          before = now;
        },
      };

/** Of this process and of its children that have ended. */
function spentSeconds() {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
  return (user + system + childrenUser + childrenSystem) / 100;
}
