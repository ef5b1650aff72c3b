import { EXIT } from '../core/model/exit_code.js';
import { pathText } from '../core/model/source/source.js';
import { differences } from '../reporting/diff/differences.js';
import { safeJson } from '../reporting/text/plain.js';
import { inOrder } from '../reporting/text/words.js';
import type { DriftedTask, DriftGroup } from './collector.js';
import type { Drift } from './find_drift.js';

/** Raised when the meaning of a field changes; additions do not raise it. */
const SCHEMA_VERSION = 1;

/** Drift as one JSON document (`docs/drift.md`). */
export function driftJson(
  drift: Drift,
  { playbooks, mask }: { readonly playbooks: readonly string[]; readonly mask: (text: string) => string },
): string {
  const { run, exitCode, controllers, drifted, unread, tasks, notCompared, failures, unmanaged, warnings } = drift;
  return safeJson({
    schemaVersion: SCHEMA_VERSION,
    run,
    playbooks,
    exitCode,
    complete: unread.size === 0 && [EXIT.ok, EXIT.changes].some((code) => code === exitCode),
    controllers: controllers.size,
    drifted: inOrder(drifted),
    unread: inOrder(unread),
    drift: tasks.flatMap((task) => taskEntries(task, drift)),
    notCompared: notCompared.map((one) => ({ ...one, controllers: inOrder(one.controllers) })),
    failures: failures.map(({ status, task, module, source, message, controllers: names }) => ({
      ...{ status, task, module, source, message },
      controllers: inOrder(names),
    })),
    ...(unmanaged && { unmanaged: unmanaged.map((one) => ({ ...one, name: mask(one.name) })) }),
    warnings: warnings.map(mask),
  });
}

function taskEntries(
  { task, module, source, groups, others, masked, invoked }: DriftedTask,
  drift: Drift,
): readonly object[] {
  const about = { task, module, source };
  const unnamed = [
    ...[...invoked].map(([object, names]) => ({ ...about, kind: 'invoke', object, controllers: namesOf(names) })),
    ...(masked.size === 0 ? [] : [{ ...about, kind: 'hidden', controllers: namesOf(masked) }]),
    ...(others.size === 0 ? [] : [{ ...about, kind: 'other', controllers: namesOf(others) }]),
  ];
  return [...groups.map((group) => ({ ...about, ...groupEntry(group, drift) })), ...unnamed];
}

function namesOf(names: ReadonlySet<string>): readonly object[] {
  return inOrder(names).map((name) => ({ name }));
}

function groupEntry({ changes, members }: DriftGroup, { originOf }: Drift): object {
  const { change, varied } = changes;
  return {
    kind: change.kind,
    object: change.kind === 'none' ? '' : change.object,
    differences: differences(change).map((one) => ({ ...one, path: pathText(one.path) })),
    values: varied.map(({ template, values }) => ({
      template,
      values: values.map(([value, controllers]) => ({ value, controllers: inOrder(controllers) })),
    })),
    controllers: members.map((member) => ({
      name: member.controller,
      object: member.object,
      ...(member.target !== member.controller && { target: member.target }),
      ...(member.tenant !== undefined && { tenant: member.tenant }),
      origin: originOf(member),
    })),
  };
}
