// All tests, those that take longest first: whichever is the last to start, the others are still at work when it ends.
const { readdirSync } = require('node:fs');
const path = require('node:path');

const LONGEST = [
  'crash/crash',
  'docs/commands',
  'secrets/planted',
  'differential/precedence',
  'differential/host_pinned',
  'differential/linear',
  'cli/rerun',
  'faults/matrix',
  'docs/writing_a_module',
  'cli/fleet',
  'differential/generated',
  'differential/patterns',
  'run/resume_properties',
  'run/resume_writes',
  'cli/resume',
  'differential/recordings',
];

const folder = path.resolve(path.dirname(module.filename), '../test');
const all = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .sort();
const rank = (name) => {
  const place = LONGEST.indexOf(name.replace(/\.test\.ts$/, '').replaceAll(path.sep, '/'));
  return place < 0 ? LONGEST.length : place;
};

module.exports = {
  ...require('../.mocharc.cjs'),
  require: [...require('../.mocharc.cjs').require, path.resolve(path.dirname(module.filename), 'test_costs.cjs')],
  spec: all.toSorted((a, b) => rank(a) - rank(b)).map((name) => path.join(folder, name)),
};
