import { builtinModules } from '../../../modules/index.js';
import { readHeader } from '../../journal/disk/run_header.js';
import type { Module } from '../../module/contract.js';
import { FailureLog } from '../../report/run/failures.js';
import { runDetail } from '../history/run_detail.js';
import { DriftCollector } from './collector.js';
import { driftIn, type Drift } from './find_drift.js';

/** The drift that a kept run of `drift` found. */
export interface KeptDrift {
  readonly drift: Drift;
  readonly playbooks: readonly string[];
  readonly cwd: string;
}

/**
 * Reads the drift from the journal. The journal has no playbook, so values are not replaced by the variables that
 * they come from, and unmanaged objects are not listed.
 *
 * @returns undefined unless it is a finished run of `drift`
 * @throws JournalError if there is no such run
 */
export async function keptDrift(stateDirectory: string, id: string): Promise<KeptDrift | undefined> {
  const { header } = await readHeader(stateDirectory, id);
  const { command, playbooks, cwd, simulated } = header;
  if (command !== 'drift') return undefined;
  const collector = new DriftCollector({ written: () => undefined, raw: false });
  const failures = new FailureLog();
  await runDetail(stateDirectory, id, (event) => {
    collector.handle(event);
    failures.handle(event);
  });
  const { finished } = collector;
  if (finished === undefined) return undefined;
  const by = { load: loadModule, playbooks: [], state: stateDirectory, simulated };
  const drift = await driftIn({ id, collector, failures, finished }, by);
  return { drift: { ...drift, unmanaged: undefined }, playbooks, cwd };
}

/** Counts project modules as resources: their failures must not look like agreement. */
async function loadModule(name: string): Promise<Pick<Module, 'type'>> {
  const builtIn = Object.hasOwn(builtinModules, name) ? builtinModules[name] : undefined;
  return builtIn === undefined ? { type: 'resource' } : (await builtIn()).default;
}
