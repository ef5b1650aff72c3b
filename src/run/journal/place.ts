import type { Position } from '../play/position.js';

/** Where the steps of a play stand in the journal; with the position behind it, it is the place of a step. */
export function areaOf(play: number): string {
  return `${play}:`;
}

/** For what puts back what the play has written. */
export function rollbackArea(play: number): string {
  return `${areaOf(play)}rollback/`;
}

/** For the checks of a gate. */
export function gateArea(area: string): string {
  return `${area}gate/`;
}

/** For what cleans up after an interrupt: it is done again when the run goes on, so nobody looks for it there. */
export function cleanupArea(area: string): string {
  return `${area}cleanup/`;
}

export function placeIn(area: string, position: Position): string {
  return area + position.join('.');
}

/** Undefined if the place belongs to another area. */
export function positionIn(area: string, place: string): Position | undefined {
  const position = place.startsWith(area) ? place.slice(area.length) : '';
  return /^\d+(?:\.\d+)*$/.test(position) ? position.split('.').map(Number) : undefined;
}
