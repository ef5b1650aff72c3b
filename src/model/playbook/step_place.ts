import { comparePositions, type Position } from './position.js';

// The place of a step in a journal: its area, then its position in the play, `2:4.0.1`. An area is a play (`2:`), or what is
// done for it besides its tasks (`2:gate/`).

/** Of the steps of a play, counted from 0 through the whole run. */
export function playArea(play: number): string {
  return `${play}:`;
}

/** For what puts back what the play has written. */
export function rollbackArea(play: number): string {
  return `${playArea(play)}rollback/`;
}

/** For the checks of a gate. */
export function gateArea(area: string): string {
  return `${area}gate/`;
}

const CLEANUP = 'cleanup/';

/** For steps of an `always` that runs because of an interrupt: a resume repeats them at the end of the block. */
export function cleanupArea(area: string): string {
  return area + CLEANUP;
}

export function isCleanup(place: string): boolean {
  return areaOf(place).endsWith(CLEANUP);
}

/** The place of a step when no interrupt is the reason why it runs: it is the same step. */
export function usualPlace(place: string): string {
  return place.replace(CLEANUP, '');
}

export function placeIn(area: string, position: Position): string {
  return area + position.join('.');
}

/** Undefined if the place belongs to another area. */
export function positionIn(area: string, place: string): Position | undefined {
  const position = place.startsWith(area) ? place.slice(area.length) : '';
  return /^\d+(?:\.\d+)*$/.test(position) ? position.split('.').map(Number) : undefined;
}

/** The part of a place before its position. */
export function areaOf(place: string): string {
  return place.slice(0, Math.max(place.indexOf(':'), place.lastIndexOf('/')) + 1);
}

export function isArea(place: string): boolean {
  return areaOf(place) === place;
}

/** Whether it is that place, or inside of it; `above` may be a whole area. */
export function isBelow(place: string, above: string): boolean {
  return place === above || place.startsWith(isArea(above) ? above : `${above}.`);
}

/** Whether a place comes after another one of the same area. */
export function isFurther(place: string, than: string): boolean {
  const area = areaOf(than);
  return comparePositions(positionIn(area, place) ?? [], positionIn(area, than) ?? []) > 0;
}
