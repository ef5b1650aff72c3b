/** The part of a place before its position: `2:`, `2:gate1/`. */
export function areaOf(place: string): string {
  return place.slice(0, Math.max(place.indexOf(':'), place.lastIndexOf('/')) + 1);
}

/** A step, or an item of its loop (`…#…`), by what it is. */
export function stepOfKey(key: string): string {
  return key.split('#', 1)[0] ?? key;
}

/** Whether a place of the same area comes after another in the play. */
export function isFurther(place: string, than: string): boolean {
  const [a, b] = [positionOf(place), positionOf(than)];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return a.length > b.length;
}

/** Whether it is that place, or inside of it; `above` may be a whole area. */
export function isBelow(place: string, above: string): boolean {
  return place === above || place.startsWith(isArea(above) ? above : `${above}.`);
}

export function isArea(place: string): boolean {
  return areaOf(place) === place;
}

function positionOf(place: string): readonly number[] {
  return place.slice(areaOf(place).length).split('.').map(Number);
}
