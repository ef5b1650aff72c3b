// All tests, those that take longest first: whichever is the last to start, the others are still at work when it ends.
const { readdirSync } = require('node:fs');
const path = require('node:path');

const LONGEST = [
  'crash/crash',
  'secrets/planted',
  'differential/linear',
  'run/resume_properties',
  'differential/host_pinned',
  'docs/commands',
  'cli/run',
  'module/recovery',
  'module/recovery_avi',
  'module/contract',
  'module/contract_avi',
  'faults/matrix',
  'cli/lost_output',
  'cli/resume',
  'differential/generated',
  'differential/precedence',
  'cli/trust',
  'run/resume_writes',
  'cli/fleet',
  'cli/no_exec',
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
