// The place of a step in a journal: its area, then its position in the play, `2:4.0.1`. An area is a play (`2:`), or
// additional work for a play (`2:gate/`).

/** The area of a play's steps. Plays count from 0 through the whole run. */
export function playArea(play: number): string {
  return `${play}:`;
}

export function rollbackArea(play: number, batch: number): string {
  return `${playArea(play)}rollback/${batch}/`;
}

export function isRollback(place: string): boolean {
  return /^\d+:rollback\//.test(place);
}

export function gateArea(area: string): string {
  return `${area}gate/`;
}

export function isGate(place: string): boolean {
  return /^\d+:gate\//.test(place);
}

const CLEANUP = 'cleanup/';

/** The area of `always` steps that run because of an interrupt: a resume repeats them at the end of the block. */
export function cleanupArea(area: string): string {
  return area + CLEANUP;
}

export function isCleanupPlace(place: string): boolean {
  return areaName(place).endsWith(CLEANUP);
}

/** The place that the step has without an interrupt. */
export function usualPlace(place: string): string {
  return place.replace(CLEANUP, '');
}

export function placeIn(area: string, position: StepPosition): string {
  return area + position.join('.');
}

/** Undefined if the place belongs to another area. */
export function positionIn(area: string, place: string): StepPosition | undefined {
  const position = place.startsWith(area) ? place.slice(area.length) : '';
  return /^\d+(?:\.\d+)*$/.test(position) ? position.split('.').map(Number) : undefined;
}

/** The part of a place before its position. */
export function areaName(place: string): string {
  return place.slice(0, Math.max(place.indexOf(':'), place.lastIndexOf('/')) + 1);
}

export function isArea(place: string): boolean {
  return areaName(place) === place;
}

/** Whether a place equals another one or is inside it; `above` may be a whole area. */
export function isBelow(place: string, above: string): boolean {
  return place === above || place.startsWith(isArea(above) ? above : `${above}.`);
}

/** Whether a place comes after another one in the same area. */
export function isFurther(place: string, than: string): boolean {
  const area = areaName(than);
  return comparePositions(positionIn(area, place) ?? [], positionIn(area, than) ?? []) > 0;
}

/**
 * The position of a controller in a play: the number of the step, of the step inside it, and so on. Compared from left
 * to right, so the content of a step sorts between the step and the next one.
 */
export type StepPosition = readonly number[];

/** Negative if `a` comes first, 0 if the positions are equal. */
export function comparePositions(a: StepPosition, b: StepPosition): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    // The difference of two infinite ones is no number.
    if (a[index] !== b[index]) return (a[index] ?? 0) - (b[index] ?? 0);
  }
  return a.length - b.length;
}
