// All test files, the longest first, so that all workers are busy until the end.
const { readdirSync } = require('node:fs');
const path = require('node:path');

/** What the longest take of the processors, in seconds, as `.ci/run` prints it. */
const SECONDS = {
  'crash/crash': 83,
  'core/secrets/planted': 53,
  'docs/commands': 48,
  'differential/linear': 41,
  'faults/transfers': 30,
  'faults/matrix': 29,
  'reporting/text/shorten': 26,
  'schema/cases': 24,
  'engine/resume_properties': 23,
  'module/contract_avi': 21,
  'cli/lost_output': 20,
  'schema/arguments': 20,
  'launch/start/preflight': 20,
  'differential/host_pinned': 19,
  'completion/completion': 18,
  'modules/kinds/null_fields': 17,
  'web/report': 16,
  'plan/plan_connections': 16,
  'init/command': 16,
  'resume/resume': 16,
  'cli/fleet': 16,
  'module/contract': 15,
  'engine/resume_writes': 15,
  'cli/owners': 15,
  'capture/command': 15,
  'differential/plan': 14,
  'project/robustness': 14,
  'module/recovery_avi': 14,
  'docs/ci': 13,
  'plan/plan': 13,
};
/** What any other file takes. */
const OTHERS = 1.5;

const folder = path.resolve(path.dirname(module.filename), '../test');
const seconds = (name) => SECONDS[name.replace(/\.test\.ts$/, '').replaceAll(path.sep, '/')] ?? OTHERS;

/** Absolute path → seconds. */
exports.TEST_FILES = new Map(
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .sort((a, b) => seconds(b) - seconds(a))
    .map((name) => [path.join(folder, name), seconds(name)]),
);
