import type { Surveyed } from '../controller/route/survey.js';
import type { Palette } from '../reporting/text/palette.js';
import { columnWidth, pad } from '../reporting/text/width.js';
import { count } from '../reporting/text/words.js';
import type { ProxyReport, RouteReport, RoutesReport } from './survey_routes.js';

/** A line for each route, and one for each of its proxies. */
export function routesText({ routes, direct }: RoutesReport, palette: Palette): string {
  const proxies = routes.flatMap((route) => route.proxies.map(({ proxy }) => proxy));
  const width = columnWidth(proxies, 60);
  const lines = [
    ...routes.flatMap((route) => routeLines(route, width, palette)),
    ...(direct.length === 0 && routes.length > 0
      ? []
      : [`${palette.strong('direct')}  ${count(direct.length, 'controller')}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function routeLines({ route, controllers, proxies }: RouteReport, width: number, palette: Palette): readonly string[] {
  return [
    `${palette.strong(route)}  ${count(controllers.length, 'controller')}`,
    ...proxies.map((one) => `  ${pad(one.proxy, width)}  ${stateText(one, palette)}`),
  ];
}

function stateText({ state, controller }: ProxyReport, palette: Palette): string {
  if ('failure' in state) return `${palette.bad('down')}  ${state.failure}`;
  const up = `${palette.good('up')}    ${shownTime(state)}`;
  if (controller === undefined) return up;
  const { name, state: reached } = controller;
  if ('failure' in reached) return `${up}  ${palette.bad(`${name}: ${reached.failure}`)}`;
  return `${up}  ${name} answers in ${shownTime(reached)}`;
}

function shownTime({ milliseconds }: Extract<Surveyed, { milliseconds: number }>): string {
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;
}

export function routesJson({ routes, direct }: RoutesReport): string {
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

function stateJson(state: Surveyed, good: string, bad: string): object {
  if ('failure' in state) {
    const { failure: message, hint } = state;
    return { status: bad, message, ...(hint !== undefined && { hint }) };
  }
  return { status: good, milliseconds: Math.round(state.milliseconds * 10) / 10 };
}
