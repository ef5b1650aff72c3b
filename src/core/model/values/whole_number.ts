/**
 * A whole number. It is a bigint exactly if a number cannot hold it (2⁵³ + 1), or would change its digits when JSON is
 * written: 2⁶⁴ would become 18446744073709552000. So equal whole numbers are identical values.
 */
export type WholeNumber = number | bigint;

/** @param text decimal digits with a sign at most, or digits after `0x`, `0o` or `0b` */
export function wholeNumber(text: string): WholeNumber {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : toWholeNumber(BigInt(text));
}

export function toWholeNumber(value: bigint): WholeNumber {
  const number = Number(value);
  return isWhole(number) && BigInt(number) === value ? number : value;
}

/** Numbers from here on were written as fractions: `1e20`. */
const END_OF_WHOLE = 2 ** 64;

/** Whether it is computed with all its digits. Other large numbers were written as fractions: `6.161843400996529e16`. */
export function isWhole(value: unknown): value is WholeNumber {
  if (typeof value !== 'number') return typeof value === 'bigint';
  if (Number.isSafeInteger(value)) return true;
  return Number.isInteger(value) && Math.abs(value) < END_OF_WHOLE && String(value) === String(BigInt(value));
}

/** Whether it is read back from its digits. -0 is not, nor is a fraction such as `1e20`, whose digits are a whole number. */
export function isReadBack(number: number): boolean {
  if (Number.isSafeInteger(number)) return !Object.is(number, -0);
  return Number.isFinite(number) && (isWhole(number) || /[.e]/.test(String(number)));
}

/** Whether it is a number, of either type. */
export function isNumeric(value: unknown): value is WholeNumber {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Negative, zero or positive. Exact, also for infinite numbers and for those of both types; NaN differs from every number. */
export function compareNumbers(a: WholeNumber, b: WholeNumber): number {
  return a < b ? -1 : a > b ? 1 : Number.isNaN(a) || Number.isNaN(b) ? NaN : 0;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
