import { type CommandContext, refuse, show } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import type { RouteCheckResult } from '../controller/route/route_check.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { equalAddressErrors } from '../launch/load/addresses_in_files.js';
import { loadTarget } from '../launch/load/target.js';
import type { RequestedTarget } from '../launch/request/run_request.js';
import { variableWarnings } from '../launch/start/preflight.js';
import { colourWanted, createPalette, type Palette } from '../reporting/text/palette.js';
import { columnWidth, pad } from '../reporting/text/width.js';
import { count } from '../reporting/text/words.js';
import { surveyRoutes, type ProxyReport, type RoutesReport } from './survey_routes.js';

export interface RoutesOptions extends RequestedTarget {
  readonly check?: boolean;
  readonly json?: boolean;
  readonly color?: boolean;
}

/** `evenkeel routes`: the proxies that lead to the controllers, and whether they work. */
export async function routesCommand(options: RoutesOptions, context: CommandContext): Promise<number> {
  const { stdout, cwd, env, signals } = context;
  const diagnostics = new Diagnostics();
  const target = await loadTarget(options, loadingPorts(context), diagnostics);
  diagnostics.requireExecution();
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  diagnostics.add(variableWarnings(target, cwd));
  diagnostics.add(
    equalAddressErrors(target.inventory, target.library, {
      cwd,
      routes: target.project.routes,
      extraVars: target.extraVars,
      selected: target.limit,
    }),
  );
  const survey = { check: options.check === true, cwd, env, signal: signals.drain };
  signals.takeOver?.();
  const report = await surveyRoutes(target, survey, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  show(diagnostics.list, context, options.color);
  if (signals.drain.aborted) return EXIT.interrupted;
  const palette = createPalette(colourWanted(stdout, env, options.color));
  stdout.write(options.json === true ? routesJson(report) : routesText(report, palette), options);
  return isWell(report) ? EXIT.ok : EXIT.unreachable;
}

function isWell({ routes }: RoutesReport): boolean {
  const states = routes.flatMap(({ proxies }) =>
    proxies.flatMap(({ state, controller }) => (controller === undefined ? [state] : [state, controller.state])),
  );
  return states.every((state) => !('failure' in state));
}

/** A line for each route, and one for each of its proxies. */
function routesText({ routes, direct }: RoutesReport, palette: Palette): string {
  const proxies = routes.flatMap((route) => route.proxies.map(({ proxy }) => proxy));
  const width = columnWidth(proxies, 60);
  const lines = [
    ...routes.flatMap((route) => [
      `${palette.strong(route.route)}  ${count(route.controllers.length, 'controller')}`,
      ...route.proxies.map((one) => `  ${pad(one.proxy, width)}  ${stateText(one, palette)}`),
    ]),
    ...(direct.length === 0 && routes.length > 0
      ? []
      : [`${palette.strong('direct')}  ${count(direct.length, 'controller')}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function stateText({ state, controller }: ProxyReport, palette: Palette): string {
  if ('failure' in state) return `${palette.bad('down')}  ${state.failure}`;
  const up = `${palette.good('up')}    ${shownTime(state)}`;
  if (controller === undefined) return up;
  const { name, state: reached } = controller;
  if ('failure' in reached) return `${up}  ${palette.bad(`${name}: ${reached.failure}`)}`;
  return `${up}  ${name} answers in ${shownTime(reached)}`;
}

function shownTime({ milliseconds }: Extract<RouteCheckResult, { milliseconds: number }>): string {
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;
}

function routesJson({ routes, direct }: RoutesReport): string {
  const shown = routes.map(({ route, isNamed, controllers, proxies }) => ({
    route,
    named: isNamed,
    controllers,
    proxies: proxies.map(({ proxy, state, controller }) => ({
      proxy,
      ...stateJson(state, 'up', 'down'),
      ...(controller !== undefined && {
        controller: { name: controller.name, ...stateJson(controller.state, 'reached', 'unreachable') },
      }),
    })),
  }));
  return `${JSON.stringify({ routes: shown, direct }, undefined, 2)}\n`;
}

function stateJson(state: RouteCheckResult, good: string, bad: string): object {
  if ('failure' in state) {
    const { failure: message, hint } = state;
    return { status: bad, message, ...(hint !== undefined && { hint }) };
  }
  return { status: good, milliseconds: Math.round(state.milliseconds * 10) / 10 };
}
