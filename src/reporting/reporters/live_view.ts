import type { ActiveTask, ControllerProgress } from '../run/controller_progress.js';
import { gateNow } from '../run/gate_text.js';
import type { PlayProgress } from '../run/progress.js';
import { routeCounts, routeProgress, type RouteProgress } from '../run/route_progress.js';
import { inRoutes } from '../run/routes.js';
import type { Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { shownStart, titleText } from '../text/shorten.js';
import { columnWidth, displayWidth, distinctNames, pad, resultText, truncate } from '../text/width.js';
import { count, duration, grouped } from '../text/words.js';

/** Batches of up to this many controllers get one row per controller. */
const MOST_ROWS = 10;
const MOST_SLOWEST = 3;
const MOST_TROUBLES = 5;
const WIDEST_BAR = 30;
const NARROW = 60;
const MOST_ROUTES = 8;
/** An estimate of the remaining time is shown from this share on. */
const FIRST_ESTIMATE = 0.05;

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly palette: Palette;
}

/** Renders a running play, title first, within the size of the screen. */
export function liveLines(progress: PlayProgress, screen: Screen): readonly string[] {
  const names = progress.batch?.controllers ?? [];
  const withRows = names.length <= MOST_ROWS && names.length + 3 <= screen.rows;
  const several = progress.total > names.length;
  const counters = withRows && !several ? [] : [...counterLines(progress, screen), ...routeLines(progress, screen)];
  const body = withRows
    ? [...counters.slice(0, screen.rows - names.length - 3), ...rowLines(progress, names, screen)]
    : [...counters, ...slowestLines(progress, screen), ...troubleLines(progress, screen)];
  return [titleLine(progress, screen), ...gateLines(progress, screen), ...body].slice(0, Math.max(1, screen.rows - 2));
}

function titleLine({ play, place, batch, startedAt, mask }: PlayProgress, { columns, now, palette }: Screen): string {
  const wide = columns >= NARROW;
  const parts = [
    ...(wide && place !== undefined ? [`play ${place.number} of ${place.plays}`] : []),
    ...(wide && batch !== undefined && batch.batches > 1 ? [`batch ${batch.batch} of ${batch.batches}`] : []),
    duration((now - startedAt) / 1000),
  ];
  const tail = parts.map((part) => ` · ${part}`).join('');
  return `${palette.strong(truncate(titleText(play, mask), Math.max(8, columns - tail.length)))}${palette.faint(tail)}`;
}

function gateLines({ gate }: PlayProgress, { columns, now, palette }: Screen): readonly string[] {
  return gate === undefined ? [] : [palette.warning(truncate(gateNow(gate, now), columns))];
}

function counterLines(progress: PlayProgress, { columns, now, palette }: Screen): readonly string[] {
  const { fraction, finished, total, active, outcomes } = progress;
  const counts = `${Math.floor(fraction * 100)} %  ${grouped(finished)} of ${grouped(total)} controllers`;
  const left = estimate(progress.overall, (now - progress.runStartedAt) / 1000);
  // As wide as the text can become, so that the bar keeps its length.
  const room = `100 %  ${grouped(total)} of ${grouped(total)} controllers  about 59 min 59 s left`.length;
  const width = columns < NARROW ? 0 : Math.min(WIDEST_BAR, columns - room - 1);
  const bar = width <= 0 ? '' : `${progressBar(fraction, width, palette)} `;
  const text = truncate(left === undefined ? counts : `${counts}  ${left}`, columns - (width <= 0 ? 0 : width + 1));
  const parts = [
    `${grouped(outcomes.ok)} ok`,
    `${grouped(outcomes.changed)} changed`,
    ...(outcomes.failed > 0 ? [`${grouped(outcomes.failed)} failed`] : []),
    ...(outcomes.unreachable > 0 ? [`${grouped(outcomes.unreachable)} unreachable`] : []),
    ...(outcomes['cut off'] > 0 ? [`${grouped(outcomes['cut off'])} cut off`] : []),
    `${grouped(active)} active`,
  ];
  return [bar + text, palette.faint(truncate(parts.join(' · '), columns))];
}

/** `madrid  80 of 200 · 2 failed · 30 active`: one line per route if there are several, finished routes last. */
function routeLines(progress: PlayProgress, { columns, palette }: Screen): readonly string[] {
  const routes = routeProgress(progress).toSorted((a, b) => Number(isThrough(a)) - Number(isThrough(b)));
  const shown = routes.slice(0, routes.length > MOST_ROUTES ? MOST_ROUTES - 1 : MOST_ROUTES);
  const names = shown.map(({ name }) => oneLine(name));
  const width = columnWidth(names, Math.max(8, Math.floor(columns / 4)));
  const lines = shown.map((route) => {
    const { active } = route;
    const counts = [...routeCounts(route), ...(active > 0 ? [`${grouped(active)} active`] : [])].join(' · ');
    const line = truncate(`${pad(truncate(oneLine(route.name), width), width)}  ${counts}`, columns);
    return route.failed + route.unreachable > 0 ? palette.bad(line) : palette.faint(line);
  });
  const hidden = routes.slice(shown.length);
  const through = hidden.filter(isThrough).length;
  const rest = `and ${count(hidden.length, 'more route')}, ${grouped(through)} through`;
  return hidden.length === 0 ? lines : [...lines, palette.faint(truncate(rest, columns))];
}

function isThrough({ finished, total }: RouteProgress): boolean {
  return finished === total;
}

function progressBar(fraction: number, width: number, palette: Palette): string {
  const full = Math.floor(fraction * width);
  return palette.good('█'.repeat(full)) + palette.faint('░'.repeat(width - full));
}

/** How long all plays will still take. */
function estimate(fraction: number, elapsed: number): string | undefined {
  if (fraction < FIRST_ESTIMATE || fraction >= 1) return undefined;
  const seconds = Math.max(1, Math.round((elapsed * (1 - fraction)) / fraction));
  return `about ${seconds < 10 ? `${seconds} s` : duration(seconds)} left`;
}

function slowestLines(progress: PlayProgress, { columns, now, palette }: Screen): readonly string[] {
  return progress.slowest(MOST_SLOWEST).map((running) => {
    const { controller, since } = running;
    const why = waitText(progress, running, now);
    const who = `${oneLine(controller)}${viaRoute(progress, controller)}`;
    const text = `slowest  ${duration((now - since) / 1000)}  ${who}  ${taskText(progress, running)}${why}`;
    return palette.faint(truncate(text, columns));
  });
}

/** ` via madrid`; nothing if it has no route. */
function viaRoute({ routes }: PlayProgress, controller: string): string {
  const route = routes.get(controller);
  return route === undefined ? '' : ` via ${oneLine(route)}`;
}

/** The latest causes of the batch. */
function troubleLines({ results, routes }: PlayProgress, { columns, palette }: Screen): readonly string[] {
  const { shown, hidden } = results.causes(MOST_TROUBLES);
  const lines = shown.map(({ task, text, status, controllers }) => {
    const [first = ''] = controllers;
    const name = controllers.size === 1 ? oneLine(first) : `${grouped(controllers.size)} controllers`;
    const who = `${name}${inRoutes(new Set([...controllers].flatMap((one) => routes.get(one) ?? [])))}`;
    const begin = `✖ ${truncate(who, Math.max(8, Math.floor(columns / 3)))}  `;
    const room = columns - displayWidth(begin);
    return palette.bad(begin + resultText(oneLine(task), oneLine(text === '' ? status : text), room));
  });
  return hidden === 0 ? lines : [palette.bad(truncate(`✖ and ${count(hidden, 'earlier cause')}`, columns)), ...lines];
}

function rowLines(progress: PlayProgress, names: readonly string[], screen: Screen): readonly string[] {
  const width = columnWidth(names, Math.max(8, Math.floor(screen.columns / 3)));
  const routes = names.map((name) => oneLine(progress.routes.get(name) ?? ''));
  const routeWidth = columnWidth(routes, Math.max(6, Math.floor(screen.columns / 8)));
  const shown = distinctNames(names.map(oneLine), width);
  return names.map((name, index) => {
    const route = pad(truncate(routes[index] ?? '', routeWidth), routeWidth);
    const who = `${pad(shown[index] ?? '', width)}${routeWidth === 0 ? '' : `  ${route}`}`;
    return rowLine(progress, progress.controller(name), who, screen);
  });
}

/** @param name the controller and its route, padded to the width of all rows */
function rowLine(progress: PlayProgress, one: ControllerProgress, name: string, screen: Screen): string {
  const { palette, columns } = screen;
  const { mask } = progress;
  const text = (detail: string): string => truncate(`${name}  ${detail}`, Math.max(4, columns - 2));
  if (one.state === 'waiting') return palette.faint(`· ${text('waiting')}`);
  if (one.state === 'active') return `${palette.place('●')} ${text(activeText(progress, one, screen))}`;
  const done = `${count(one.tasks, 'task')}${one.changes > 0 ? `, ${grouped(one.changes)} changed` : ''}`;
  switch (one.outcome) {
    case 'ok':
      return `${palette.good('✔')} ${text(done)}`;
    case 'changed':
      return `${palette.changed('✔')} ${text(done)}`;
    case 'cut off':
    case 'not started':
      return `${palette.warning('■')} ${text(done)}`;
    case 'failed':
    case 'unreachable':
      return palette.bad(
        `✖ ${name}  ${resultText(titleText(one.task ?? '', mask), oneLine(shownStart(one.message ?? one.outcome, mask)), columns - 4 - displayWidth(name))}`,
      );
  }
}

function activeText(progress: PlayProgress, one: ControllerProgress, { now }: Screen): string {
  const running = progress.runningOn(one.name);
  if (running === undefined) return `${count(one.tasks, 'task')} done`;
  const seconds = (now - running.since) / 1000;
  const why = waitText(progress, running, now);
  return `${taskText(progress, running)}${seconds >= 1 ? `  ${duration(seconds)}` : ''}${why}`;
}

/** `2/3 Create the cloud` */
function taskText({ mask }: PlayProgress, { place, task }: ActiveTask): string {
  return `${place === undefined ? '' : `${place} `}${titleText(task, mask)}`;
}

function waitText(progress: PlayProgress, { controller, waiting, until }: ActiveTask, now: number): string {
  const pause = progress.pause(controller, now);
  const before = pause === undefined ? '' : `  ${pause}`;
  if (waiting === undefined || until <= now) return before;
  return `${before}  ${oneLine(shownStart(waiting, progress.mask))}${until > now ? `, ${Math.ceil((until - now) / 1000)} s left` : ''}`;
}
