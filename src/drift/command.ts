import { checkPorts } from '../cli/check_progress.js';
import { colourWanted } from '../cli/colour.js';
import type { CommandContext } from '../cli/context.js';
import { reportRefusal } from '../cli/run_ports.js';
import type { ExecutionOptions } from '../cli/run_reporter.js';
import { maskText } from '../core/secrets/mask_text.js';
import type { Masked } from '../core/secrets/masked.js';
import { runRequest } from '../launch/request/run_request.js';
import { findDrift, keptDrift } from './find_drift.js';
import { driftJson } from './json.js';
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
