import { randomInt } from 'node:crypto';

/** `20261120T185022Z-9f3a1c` */
const ID = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([\da-f]{6})$/;
const NUMBERS = 0x1000000;
/** Two runs of one second that begin at once in two processes must not take the same. */
const WIDEST_STEP = 0x1000;

/**
 * Sorts by time and is unique.
 *
 * @param after an id that the new one comes after, also if the clock was set back since or both are of one second
 */
export function newRunId(now = new Date(), after?: string): string {
  const id = idOf(now, randomInt(NUMBERS / 2));
  return after === undefined || id > after ? id : (next(after) ?? id);
}

export function isRunId(name: string): boolean {
  return ID.test(name);
}

function idOf(time: Date, number: number): string {
  const stamp = time
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${stamp}-${number.toString(16).padStart(6, '0')}`;
}

/** In the same second while there is room. Undefined if what it is to come after is no time that can be counted on from. */
function next(after: string): string | undefined {
  const [, year, month, day, hour, minute, second, hex = ''] = ID.exec(after) ?? [];
  const time = new Date(`${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour ?? ''}:${minute ?? ''}:${second ?? ''}Z`);
  if (Number.isNaN(time.getTime())) return undefined;
  const number = Number.parseInt(hex, 16) + randomInt(1, WIDEST_STEP);
  const id = number < NUMBERS ? idOf(time, number) : idOf(new Date(time.getTime() + 1000), randomInt(NUMBERS / 2));
  return isRunId(id) ? id : undefined;
}
