// All tests, the longest first, so that all workers are busy until the end.
const { readdirSync } = require('node:fs');
const path = require('node:path');

const LONGEST = [
  'crash/crash',
  'workers/fleet',
  'run/remote/conformance',
  'secrets/planted',
  'faults/matrix',
  'docs/commands',
  'faults/transfers',
  'differential/linear',
  'schema/cases',
  'module/contract_avi',
  'run/resume_properties',
  'workers/site_secrets',
  'workers/plan_and_rollback',
  'workers/drift',
  'run/walk_properties',
  'run/resume_writes',
  'schema/arguments',
  'differential/host_pinned',
  'cli/fleet',
  'module/contract',
  'module/recovery_avi',
  'cli/lost_output',
  'cli/commands/capture',
  'web/report',
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
