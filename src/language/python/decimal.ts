/** Numbers in decimal notation as Python writes them: exact, with halves rounded to even. */

/** No number has more places after the point; further ones are zeros. */
const PLACES = 1100;

/** `Infinity`, `-Infinity` and `NaN` by their names in Python. */
export function specialName(number: number): string | undefined {
  if (Number.isNaN(number)) return 'nan';
  return Number.isFinite(number) ? undefined : number < 0 ? '-inf' : 'inf';
}

/** With that many places after the point: `2.50`. */
export function fixed(number: number, places: number): string {
  const known = Math.min(places, PLACES);
  const digits = scaled(number, known)
    .toString()
    .padStart(known + 1, '0');
  const whole = digits.slice(0, digits.length - known);
  const fraction = digits.slice(digits.length - known).padEnd(places, '0');
  return signText(number) + (fraction === '' ? whole : `${whole}.${fraction}`);
}

/** With that many places after the first digit: `2.50e+06`. */
export function exponential(number: number, places: number): string {
  const known = Math.min(places, PLACES);
  // The shortest notation of 9.88e-324 is 1e-323.
  let power = Number(Math.abs(number).toExponential(20).split('e')[1]);
  let digits = scaled(number, known - power).toString();
  // What is rounded up may have one digit more: 9.99e22 becomes 1e+23.
  if (number !== 0 && digits.length !== known + 1) {
    power += digits.length - known - 1;
    digits = scaled(number, known - power).toString();
  }
  const fraction = digits.slice(1).padEnd(places, '0');
  const exponent = Math.abs(power).toString().padStart(2, '0');
  return `${signText(number)}${digits.charAt(0)}${fraction === '' ? '' : `.${fraction}`}e${power < 0 ? '-' : '+'}${exponent}`;
}

/** With that many digits, in the shorter notation; `zeros`: keeps trailing zeros. */
export function general(number: number, precision: number, zeros: boolean): string {
  const digits = Math.max(1, precision);
  const written = exponential(number, digits - 1);
  const power = Number(written.split('e')[1]);
  const isShort = power >= -4 && power < digits;
  if (zeros) return isShort ? fixed(number, digits - 1 - power) : written;
  const [mantissa = '', exponent] = (isShort ? fixed(number, digits - 1 - power) : written).split('e');
  const plain = mantissa.includes('.') ? mantissa.replace(/\.?0*$/, '') : mantissa;
  return exponent === undefined ? plain : `${plain}e${exponent}`;
}

/** Rounded to that many places after the point; before it, if the number of places is negative. */
export function rounded(number: number, places: number): number {
  if (!Number.isFinite(number) || places > PLACES) return number;
  if (places < -PLACES) return 0;
  const magnitude = scaled(number, places).toString();
  return (number < 0 ? -1 : 1) * Number(places > 0 ? `${magnitude}e-${places}` : magnitude + '0'.repeat(-places));
}

/** The integer next to |number| × 10^places. */
function scaled(number: number, places: number): bigint {
  const [mantissa, power] = splitNumber(Math.abs(number));
  const above = mantissa * 10n ** BigInt(Math.max(0, places)) * 2n ** BigInt(Math.max(0, power));
  const below = 10n ** BigInt(Math.max(0, -places)) * 2n ** BigInt(Math.max(0, -power));
  const [whole, rest] = [above / below, (above % below) * 2n];
  return rest > below || (rest === below && whole % 2n === 1n) ? whole + 1n : whole;
}

/** The number as mantissa × 2^power. */
function splitNumber(number: number): readonly [mantissa: bigint, power: number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return exponent === 0 ? [fraction, -1074] : [fraction | 0x10000000000000n, exponent - 1075];
}

function signText(number: number): string {
  return number < 0 || Object.is(number, -0) ? '-' : '';
}
