import { checkPorts } from '../cli/check_progress.js';
import type { CommandContext } from '../cli/context.js';
import { reportRefusal } from '../cli/run_ports.js';
import type { ExecutionOptions } from '../cli/run_reporter.js';
import { EXIT } from '../core/model/exit_code.js';
import { changeObject, mapChange } from '../core/model/run/result.js';
import { pathText } from '../core/model/source/diagnostic.js';
import { jsonText } from '../core/model/values/value.js';
import { maskText, type Masked } from '../core/secrets/mask_text.js';
import { runRequest } from '../launch/request/run_request.js';
import { editTexts } from '../reporting/diff/change_groups.js';
import { generalDifferences } from '../reporting/diff/diff_text.js';
import { differences } from '../reporting/diff/differences.js';
import { colourWanted } from '../reporting/text/palette.js';
import { LOG_COLUMNS, wrapped } from '../reporting/text/width.js';
import { sortNames } from '../reporting/text/words.js';
import type { ActingControllers, DriftedTask, DriftGroup } from './collector.js';
import { findDrift, keptDrift, type Drift } from './find_drift.js';
import { driftLines } from './text.js';

export interface DriftCommandOptions extends ExecutionOptions {
  readonly playbooks: readonly string[];
  readonly unmanaged?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `evenkeel drift PLAYBOOK…`. */
export async function driftCommand(options: DriftCommandOptions, context: CommandContext): Promise<number> {
  const { playbooks, unmanaged, json, diff, verbosity, color } = options;
  const { stdout, stderr, env, cwd, secrets } = context;
  const request = { ...runRequest({ type: 'run', playbooks }, options), diff: undefined, verbosity: 0 };
  const raw = diff === 'host';
  const ports = await checkPorts(context, options);
  const outcome = await findDrift(request, ports, { unmanaged: unmanaged === true, raw });
  if (outcome.status !== 'compared') return reportRefusal(outcome, options, context);
  const { drift } = outcome;
  for (const warning of drift.warnings) stderr.write(`evenkeel: ${warning}\n`);
  const mask = (text: string): Masked<string> => maskText(text, secrets);
  const shown = { playbooks: playbooks.map(mask), mask, cwd };
  if (json === true) stdout.write(`${driftJson(drift, shown)}\n`, { json });
  else {
    const colour = colourWanted(stdout, env, color);
    const lines = driftLines(drift, { ...shown, colour, raw, whole: (verbosity ?? 0) > 0 });
    const fitted = raw ? lines : lines.flatMap((line) => wrapped(line, LOG_COLUMNS));
    stdout.write(fitted.map((line) => `${line}\n`).join(''));
  }
  return drift.exitCode;
}

/** The output of a kept run of `drift`, with long differences in full. Undefined for other runs. */
export async function keptDriftLines(
  stateDirectory: string,
  run: string,
  { secrets }: CommandContext,
): Promise<readonly Masked<string>[] | undefined> {
  const kept = await keptDrift(stateDirectory, run);
  if (kept === undefined) return undefined;
  const { drift, playbooks, cwd } = kept;
  const mask = (text: string): Masked<string> => maskText(text, secrets);
  return driftLines(drift, { playbooks, mask, cwd, colour: false, raw: false, whole: true }).map(mask);
}

/** Raised when the meaning of a field changes; additions do not raise it. */
const SCHEMA_VERSION = 1;

/** Drift as one JSON document (`docs/drift.md`). */
function driftJson(
  drift: Drift,
  { playbooks, mask }: { readonly playbooks: readonly string[]; readonly mask: (text: string) => string },
): string {
  const { run, exitCode, controllers, drifted, unread, tasks, notCompared, failures, unmanaged, warnings } = drift;
  return jsonText({
    schemaVersion: SCHEMA_VERSION,
    run,
    playbooks,
    exitCode,
    complete: unread.size === 0 && [EXIT.ok, EXIT.changes].some((code) => code === exitCode),
    controllers: controllers.size,
    drifted: sortNames(drifted),
    unread: sortNames(unread),
    drift: tasks.flatMap((task) => taskEntries(task, drift)),
    notCompared: notCompared.map((one) => ({
      ...one,
      controllers: sortNames(new Set([...one.controllers.values()].map(({ controller }) => controller))),
    })),
    failures: failures.map(({ status, task, module, source, message, controllers: names }) => ({
      status,
      task,
      module,
      source,
      message,
      controllers: sortNames(names.keys()),
    })),
    ...(unmanaged && {
      unmanaged: unmanaged.map((one) => ({
        ...one,
        name: mask(one.name),
        ...(one.tenant !== undefined && { tenant: mask(one.tenant) }),
        ...(one.cloud !== undefined && { cloud: mask(one.cloud) }),
      })),
    }),
    warnings: warnings.map(mask),
  });
}

function taskEntries(
  { task, module, source, groups, others, masked, invoked }: DriftedTask,
  drift: Drift,
): readonly object[] {
  const about = { task, module, source };
  const unnamed = [
    ...[...invoked].map(([object, found]) => ({ ...about, kind: 'invoke', object, controllers: inNameOrder(found) })),
    ...(masked.size === 0 ? [] : [{ ...about, kind: 'hidden', controllers: inNameOrder(masked) }]),
    ...(others.size === 0
      ? []
      : [{ ...about, kind: 'other', controllers: sortNames(others).map((name) => ({ name })) }]),
  ];
  return [...groups.map((group) => ({ ...about, ...groupEntry(group, drift) })), ...unnamed];
}

function inNameOrder(found: ActingControllers): readonly object[] {
  return sortNames(found.keys()).map((acting) => {
    const { controller: name, delegatedTo: target } = found.get(acting) ?? {};
    return { name, ...(target !== undefined && { target }) };
  });
}

function groupEntry({ changes, members }: DriftGroup, { judgeOrigin }: Drift): object {
  const { change, varied, general } = changes;
  const common = mapChange(change, general, (image) => editTexts(image, general));
  const all = members.length > 1 ? generalDifferences(common) : differences(change);
  return {
    kind: change.kind,
    object: changeObject(common),
    differences: all.map((one) => ({ ...one, path: general(pathText(one.path)) })),
    values: varied.map(({ template, values }) => ({
      template,
      values: values.map(([value, controllers]) => ({ value, controllers: sortNames(controllers) })),
    })),
    controllers: members.map((member) => ({
      name: member.controller,
      object: member.object,
      ...(member.target !== member.controller && { target: member.target }),
      ...(member.tenant !== undefined && { tenant: member.tenant }),
      origin: judgeOrigin(member),
    })),
  };
}
