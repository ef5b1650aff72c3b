/** Each is 1024 times the one before. */
const UNITS = 'BKMGTPEZY';

/**
 * Parses `10M`, `1.5 GB` or `2 kilobytes` to bytes (`1Mb` to bits), like Ansible's `human_to_bytes`. Undefined for
 * other texts.
 */
export function parseSize(text: string, unit: 'bytes' | 'bits'): number | undefined {
  const found = /^\s*(\d+\.?\d*|\.\d+)\s*([A-Za-z]+)?/.exec(text);
  if (found === null) return undefined;
  const [, number = '', suffix = ''] = found;
  if (suffix === '') return Math.round(Number(number));
  const power = UNITS.indexOf(suffix.charAt(0).toUpperCase());
  const right = suffix.length === 1 || isUnit(suffix, unit);
  return power < 0 || !right ? undefined : Math.round(Number(number) * 1024 ** power);
}

const MOST_BYTES = 2 ** 40;

/** A size that limits something, from 1 byte to 1 TB. Unlike `parseSize`, refuses what follows it: `9e99TB`. */
export function parseLimit(text: string): number | undefined {
  const bytes = /^\s*(?:\d+\.?\d*|\.\d+)\s*[A-Za-z]*\s*$/.test(text) ? parseSize(text, 'bytes') : undefined;
  return bytes === undefined || bytes < 1 || bytes > MOST_BYTES ? undefined : bytes;
}

/** A capital B is for bytes, a small one for bits. */
function isUnit(suffix: string, unit: 'bytes' | 'bits'): boolean {
  const word = unit === 'bytes' ? 'byte' : 'bit';
  return suffix.toLowerCase().includes(word) || suffix.charAt(1) === (unit === 'bytes' ? 'B' : 'b');
}
