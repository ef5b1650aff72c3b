// All tests, the longest first, so that all workers are busy until the end.
const { readdirSync } = require('node:fs');
const path = require('node:path');

const LONGEST = [
  'crash/crash',
  'secrets/planted',
  'differential/linear',
  'docs/commands',
  'faults/transfers',
  'faults/matrix',
  'run/resume_properties',
  'schema/cases',
  'module/contract_avi',
  'cli/lost_output',
  'run/walk_properties',
  'differential/host_pinned',
  'cli/setup/completion',
  'cli/resume',
  'schema/arguments',
  'run/resume_writes',
  'module/contract',
  'module/recovery_avi',
  'cli/fleet',
  'cli/commands/capture',
  'cli/avi',
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
