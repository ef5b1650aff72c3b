// All test files, the longest first, so that all workers are busy until the end.
const { readdirSync } = require('node:fs');
const path = require('node:path');

/** What the longest take of the processors, in seconds, as `.ci/run` prints it. */
const SECONDS = {
  'crash/crash': 90,
  'secrets/planted': 40,
  'differential/linear': 35,
  'docs/commands': 25,
  'faults/transfers': 25,
  'faults/matrix': 20,
  'run/resume_properties': 18,
  'schema/cases': 15,
  'module/contract_avi': 14,
  'cli/lost_output': 12,
  'run/walk_properties': 12,
  'differential/host_pinned': 12,
  'cli/setup/completion': 10,
  'cli/resume': 10,
  'schema/arguments': 10,
  'run/resume_writes': 9,
  'module/contract': 9,
  'module/recovery_avi': 9,
  'cli/fleet': 9,
  'cli/commands/capture': 8,
  'cli/avi': 8,
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
