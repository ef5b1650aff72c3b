import { captureFleet, type CaptureOptions, type CaptureResult } from '../../app/capture/capture_fleet.js';
import { EXIT } from '../../model/exit_code.js';
import { createPalette } from '../../report/text/palette.js';
import { colourWanted } from '../terminal/colour.js';
import type { CommandContext } from '../terminal/context.js';
import { checkPorts } from '../terminal/check_progress.js';
import { reportOutcome } from '../terminal/run_ports.js';
import { captureText } from '../text/capture.js';

/** `evenkeel capture`: writes the fleet as it is, as a playbook with its variables. */
export async function captureCommand(
  options: CaptureOptions & { readonly color?: boolean | undefined },
  context: CommandContext,
): Promise<number> {
  const outcome = await captureFleet(options, await checkPorts(context, options));
  if (outcome.status !== 'captured') return reportOutcome(outcome, options, context);
  const { stdout, env, secrets } = context;
  const palette = createPalette(colourWanted(stdout, env, options.color));
  stdout.write(captureText(outcome.result, options, secrets, palette));
  context.signals.workDone?.();
  return exitCodeOf(outcome.result);
}

function exitCodeOf({ interrupted, unread }: CaptureResult): number {
  if (interrupted) return EXIT.interrupted;
  return unread.length > 0 ? EXIT.unreachable : EXIT.ok;
}
