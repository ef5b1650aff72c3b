import { compareFleet, type FleetComparison } from '../../app/capture/compare_fleet.js';
import type { FleetOptions } from '../../app/capture/read_fleet.js';
import { EXIT } from '../../model/exit_code.js';
import { createPalette } from '../../report/text/palette.js';
import { colourWanted } from '../terminal/colour.js';
import type { CommandContext } from '../terminal/context.js';
import { checkPorts } from '../terminal/check_progress.js';
import { reportOutcome } from '../terminal/run_ports.js';
import { comparisonJson, comparisonText } from '../text/comparison.js';

export interface CompareOptions extends FleetOptions {
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel compare`: shows which controllers differ from the others, and how. */
export async function compareCommand(options: CompareOptions, context: CommandContext): Promise<number> {
  const outcome = await compareFleet(options, await checkPorts(context, options));
  if (outcome.status !== 'compared') return reportOutcome(outcome, options, context);
  const { comparison } = outcome;
  const { stdout, env, secrets } = context;
  stdout.write(
    options.json === true
      ? comparisonJson(comparison, secrets)
      : comparisonText(comparison, secrets, createPalette(colourWanted(stdout, env, options.color))),
  );
  context.signals.workDone?.();
  return exitCodeOf(comparison);
}

/** A controller that was not read may differ. */
function exitCodeOf({ interrupted, unread, isEqual }: FleetComparison): number {
  if (interrupted) return EXIT.interrupted;
  if (unread.length > 0) return EXIT.unreachable;
  return isEqual ? EXIT.ok : EXIT.changes;
}
