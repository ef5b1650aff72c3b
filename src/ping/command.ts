import { checkPorts } from '../cli/check_progress.js';
import { colourWanted } from '../cli/colour.js';
import type { CommandContext } from '../cli/context.js';
import { reportOutcome } from '../cli/run_ports.js';
import { EXIT } from '../core/model/exit_code.js';
import { jsonText } from '../core/model/values/json.js';
import { createPalette } from '../reporting/text/palette.js';
import { pingFleet, type PingedFleet, type PingFleetOptions } from './ping_fleet.js';
import { pingText } from './text.js';

export interface PingOptions extends PingFleetOptions {
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel ping`: whether each controller can be used, and what is in the way. */
export async function pingCommand(options: PingOptions, context: CommandContext): Promise<number> {
  const outcome = await pingFleet(options, await checkPorts(context, options));
  if (outcome.status !== 'pinged') return reportOutcome(outcome, options, context);
  const { stdout, env } = context;
  const { fleet } = outcome;
  const palette = createPalette(colourWanted(stdout, env, options.color));
  stdout.write(options.json === true ? pingJson(fleet) : pingText(fleet, palette));
  context.signals.workDone?.();
  return pingExitCode(fleet);
}

function pingJson({ reached, unreached }: PingedFleet): string {
  const controllers = [...reached.map((one) => ({ ...one, status: 'ok' })), ...unreached];
  return `${jsonText({ controllers }, undefined, 2)}\n`;
}

function pingExitCode({ unreached, interrupted }: PingedFleet): number {
  if (interrupted) return EXIT.interrupted;
  if (unreached.some(({ status }) => status === 'failed')) return EXIT.failed;
  return unreached.length > 0 ? EXIT.unreachable : EXIT.ok;
}
