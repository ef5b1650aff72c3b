import { findDrift, keptDrift } from '../../app/drift/find_drift.js';
import { runRequest } from '../../app/request/run_request.js';
import { maskText } from '../../secrets/mask_text.js';
import type { Masked } from '../../secrets/masked.js';
import type { CommandContext } from '../terminal/context.js';
import { colourWanted } from '../terminal/colour.js';
import { checkPorts } from '../terminal/check_progress.js';
import type { ExecutionOptions } from '../terminal/run_reporter.js';
import { reportRefusal } from '../terminal/run_ports.js';
import { driftJson } from '../text/drift_json.js';
import { driftLines } from '../text/drift.js';

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
    stdout.write(lines.map((line) => `${line}\n`).join(''));
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
