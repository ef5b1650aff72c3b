/** From here on, a whole number is written as a float, because JavaScript does not distinguish the two. */
const LONGEST_WHOLE = 1e21;

/** A number as Python writes it: fractions with exponents from 1e+16 on and below 1e-04, with two digits at least. */
export function pythonNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Number.isInteger(value) && Math.abs(value) < LONGEST_WHOLE) return BigInt(value).toString();
  const size = Math.abs(value);
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  if (size >= 1e-4 && size < 1e16) return String(value);
  const power = Number(exponent);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
