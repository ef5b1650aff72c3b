const FACTORS: Readonly<Record<string, number>> = {
  Y: 2 ** 80,
  Z: 2 ** 70,
  E: 2 ** 60,
  P: 2 ** 50,
  T: 2 ** 40,
  G: 2 ** 30,
  M: 2 ** 20,
  K: 2 ** 10,
  B: 1,
};

/**
 * Parses `10M`, `1.5 GB` or `2 kilobytes` to bytes (`1Mb` to bits), like Ansible's `human_to_bytes`. Undefined for
 * other texts.
 */
export function parseSize(text: string, unit: 'bytes' | 'bits'): number | undefined {
  const found = /^\s*(\d+\.?\d*|\.\d+)\s*([A-Za-z]+)?/.exec(text);
  if (found === null) return undefined;
  const [, number = '', suffix = ''] = found;
  if (suffix === '') return Math.round(Number(number));
  const factor = FACTORS[suffix.charAt(0).toUpperCase()];
  const right = suffix.length === 1 || isUnit(suffix, unit);
  return factor === undefined || !right ? undefined : Math.round(Number(number) * factor);
}

/** A capital B is for bytes, a small one for bits. */
function isUnit(suffix: string, unit: 'bytes' | 'bits'): boolean {
  const word = unit === 'bytes' ? 'byte' : 'bit';
  return suffix.toLowerCase().includes(word) || suffix.charAt(1) === (unit === 'bytes' ? 'B' : 'b');
}
