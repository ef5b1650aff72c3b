import { isNumeric, toWholeNumber, type WholeNumber } from '../../../core/model/values/json.js';
import { isList, type Value } from '../../../core/model/values/value.js';
import { rounded } from '../../python/decimal.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { form, callable, type Family } from '../../runtime/callable.js';
import { describe, isUndefined, requireDefined } from '../../runtime/result.js';

export const numbers = {
  int: callable('value, default?, base?', toInteger),
  float: callable('value, default?', toFloat),
  /** As in Ansible, yes, on, 1 and true are true and everything else is false; null is false since ansible-core 2.19. */
  bool: callable('value', (args) => {
    const value = args.value(0);
    if (typeof value === 'boolean') return value;
    if (typeof value === 'string') return TRUE_WORDS.has(value.toLowerCase());
    return value === 1;
  }),
  /** Python's name of the type, as `type_debug` returns it: `int`, `str`, `dict`, … */
  type_debug: form('value', ({ slots: [value] }, frame) => {
    const result = value?.(frame) ?? null;
    return isUndefined(result) ? 'AnsibleUndefined' : typeName(requireDefined(result));
  }),
  round: callable('number, precision?, method?', round),
  abs: callable('number', (args) => absolute(args.whole(0))),
  pow: callable('number, exponent|y', (args) => finite(args, args.number(0) ** args.number(1))),
  root: callable('number, base?', (args) => finite(args, args.number(0) ** (1 / args.number(1, 2)))),
  log: callable('number, base?', (args) =>
    finite(args, args.optional(1) === undefined ? Math.log(args.number(0)) : logarithm(args.number(0), args.number(1))),
  ),
} satisfies Family;

function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (isNumeric(value)) return typeof value === 'bigint' || Number.isInteger(value) ? 'int' : 'float';
  return isList(value) ? 'list' : 'dict';
}

function absolute(number: WholeNumber): WholeNumber {
  if (typeof number === 'number') return Math.abs(number);
  return number < 0n ? -number : number;
}

function logarithm(number: number, base: number): number {
  if (base === 10) return Math.log10(number);
  return base === 2 ? Math.log2(number) : Math.log(number) / Math.log(base);
}

function finite(args: CallableArguments, result: number): number {
  if (Number.isFinite(result)) return result;
  throw args.error(`the result for ${args.number(0)} is not a finite number`);
}

/** A value that is not a number becomes the default (0), as in Jinja. */
function toInteger(args: CallableArguments): Value {
  const value = args.value(0);
  const fallback = args.optional(1) === undefined ? 0 : args.value(1);
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return fallback;
  const whole = parseInBase(withoutUnderscores(value), args.number(2, 10));
  if (whole !== undefined) return whole;
  const read = Math.trunc(readNumber(value));
  return Number.isFinite(read) ? read : fallback;
}

/** Underscores between digits. */
function withoutUnderscores(text: string): string {
  return text.trim().replaceAll(/(?<=[\da-z])_(?=[\da-z])/gi, '');
}

function readNumber(text: string): number {
  const plain = withoutUnderscores(text).replace(/^([-+]?)inf(?:inity)?$/i, '$1Infinity');
  return /^[-+]?(Infinity|(\d+\.?\d*|\.\d+)(e[-+]?\d+)?)$/i.test(plain) ? Number(plain) : NaN;
}

const PREFIXES: Readonly<Record<string, number>> = { '0x': 16, '0o': 8, '0b': 2 };

/** As Python's `int`. Base 0: the prefix says which. Undefined: the text is no whole number of that base. */
function parseInBase(text: string, base: number): WholeNumber | undefined {
  const [, sign = '', prefix = '', rest = ''] = /^([-+]?)(0[xob])?([^]*)$/i.exec(text.toLowerCase()) ?? [];
  const ofPrefix = PREFIXES[prefix];
  const isPrefixed = ofPrefix !== undefined && (base === 0 || base === ofPrefix);
  const digits = isPrefixed ? rest : prefix + rest;
  const radix = isPrefixed ? ofPrefix : base === 0 ? 10 : base;
  if (base === 0 && !isPrefixed && /^0+[1-9]/.test(digits)) return undefined;
  const allowed = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, radix);
  const fits = digits !== '' && Array.from(digits).every((digit) => allowed.includes(digit));
  return fits ? inBase(sign, digits, radix) : undefined;
}

function inBase(sign: string, digits: string, radix: number): WholeNumber {
  const number = Number.parseInt(sign + digits, radix);
  if (Number.isSafeInteger(number)) return number;
  const values = Array.from(digits, (digit) => BigInt(Number.parseInt(digit, radix)));
  const whole = values.reduce((sum, value) => sum * BigInt(radix) + value, 0n);
  return toWholeNumber(sign === '-' ? -whole : whole);
}

function toFloat(args: CallableArguments): Value {
  const value = args.value(0);
  if (typeof value === 'string' && /^\s*[-+]?nan\s*$/i.test(value)) return NaN;
  const read =
    typeof value === 'string'
      ? readNumber(value)
      : typeof value === 'boolean' || typeof value === 'bigint'
        ? Number(value)
        : value;
  if (typeof read === 'number' && !Number.isNaN(read)) return read;
  return args.optional(1) === undefined ? 0 : args.value(1);
}

const TRUE_WORDS: ReadonlySet<string> = new Set(['yes', 'on', '1', 'true']);

/** Halves go to the even neighbour, as in Python; `ceil` and `floor` are the other methods. */
function round(args: CallableArguments): Value {
  const number = args.value(0);
  if (typeof number === 'bigint' && args.number(1, 0) >= 0) return number;
  if (typeof number !== 'number')
    throw args.error(`a number is needed, not ${describe(number)}`, 'write value | float');
  const precision = args.number(1, 0);
  const method = args.text(2, 'common');
  if (!Number.isInteger(precision)) throw args.error(`the precision ${precision} is not a whole number`);
  const scale = 10 ** precision;
  if (method === 'ceil') return finite(args, Math.ceil(number * scale) / scale);
  if (method === 'floor') return finite(args, Math.floor(number * scale) / scale);
  if (method !== 'common') throw args.error(`there is no method "${method}"`, 'use one of common, ceil, floor');
  return rounded(number, precision);
}

/** Numbers of VLANs as switches write them: `1,10-13`. */
export const vlans = {
  vlan_parser: callable('vlans, first_line_len?, other_line_len?', written),
  vlan_expander: callable('text', expanded),
} satisfies Family;

const HIGHEST = 4094;

/** Returns one text per line of a switch's configuration, with maximum lengths for the first and the other lines. */
function written(args: CallableArguments): Value {
  const numbers = args.list(0).map(Number);
  if (!numbers.every((vlan) => vlan >= 1 && vlan <= HIGHEST))
    throw args.error(`VLANs have numbers from 1 to ${HIGHEST}`);
  if (numbers.length === 0) throw args.error('there is no VLAN in the list');
  const lines: string[] = [];
  for (const part of runs([...new Set(numbers)].sort((a, b) => a - b))) {
    const line = lines.at(-1);
    const room = lines.length > 1 ? args.number(2, 44) : args.number(1, 48);
    // The comma after the part may exceed the length, as in Ansible.
    if (line !== undefined && `${line},${part}`.length <= room) lines[lines.length - 1] = `${line},${part}`;
    else lines.push(part);
  }
  return lines;
}

/** Three or more in a row are written with a dash. */
function runs(numbers: readonly number[]): readonly string[] {
  const found: [number, number][] = [];
  for (const vlan of numbers) {
    const run = found.at(-1);
    if (run?.[1] === vlan - 1) run[1] = vlan;
    else found.push([vlan, vlan]);
  }
  return found.flatMap(([from, to]) => (to - from > 1 ? [`${from}-${to}`] : [...new Set([`${from}`, `${to}`])]));
}

function expanded(args: CallableArguments): Value {
  const found = args
    .text(0)
    .split(',')
    .flatMap((part) => {
      const [, from = '', to = from] = /^\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?$/.exec(part) ?? [];
      if (from === '')
        throw args.error(`"${part}" is not the number of a VLAN, or a range of numbers`, 'write 1,10-13');
      return Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, index) => Number(from) + index);
    });
  return found.sort((a, b) => a - b);
}
