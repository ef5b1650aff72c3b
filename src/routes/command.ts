import { colourWanted } from '../cli/colour.js';
import type { CommandContext } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { refuse, show } from '../cli/refusal.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { NO_EXEC } from '../core/programs/programs.js';
import { loadTarget } from '../launch/load/target.js';
import type { TargetOptions } from '../launch/request/run_request.js';
import { createPalette } from '../reporting/text/palette.js';
import { surveyRoutes, type RoutesReport } from './survey_routes.js';
import { routesJson, routesText } from './text.js';

export interface RoutesOptions extends TargetOptions {
  readonly check?: boolean;
  readonly json?: boolean;
  readonly color?: boolean;
}

/** `evenkeel routes`: the proxies that lead to the controllers, and whether they work. */
export async function routesCommand(options: RoutesOptions, context: CommandContext): Promise<number> {
  const { stdout, cwd, env, secrets, signals } = context;
  const diagnostics = new Diagnostics();
  const target = await loadTarget(options, loadingPorts(context), diagnostics);
  diagnostics.raiseToErrors(NO_EXEC);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  const survey = { check: options.check === true, cwd, env, signal: signals.drain };
  signals.takeOver?.();
  const report = await surveyRoutes(target, survey, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  show(diagnostics.list, context, options.color);
  if (signals.drain.aborted) return EXIT.interrupted;
  const palette = createPalette(colourWanted(stdout, env, options.color));
  stdout.write(secrets.mask(options.json === true ? routesJson(report) : routesText(report, palette)));
  return isWell(report) ? EXIT.ok : EXIT.unreachable;
}

function isWell({ routes }: RoutesReport): boolean {
  const states = routes.flatMap(({ proxies }) =>
    proxies.flatMap(({ state, controller }) => (controller === undefined ? [state] : [state, controller.state])),
  );
  return states.every((state) => !('failure' in state));
}
