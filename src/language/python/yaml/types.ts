import type { ScalarTag, Tags } from 'yaml';
import { wholeNumber, type WholeNumber } from '../../../core/model/values/whole_number.js';

/*
 * What PyYAML reads as something other than text (YAML 1.1, as in Ansible). The parser's own YAML 1.1 rules differ:
 * they read `e5` and a single dot as numbers.
 */
const BOOLEAN = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
const NULL = /^(?:~|null|Null|NULL|)$/;
const INTEGER = /^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][\d_]*|0x[\da-fA-F_]+|[1-9][\d_]*(?::[0-5]?\d)+)$/;
const FLOAT =
  /^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const DATE =
  /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/;
const SPECIAL = /^(?:<<|=)$/;

const TYPES = [BOOLEAN, NULL, INTEGER, FLOAT, DATE, SPECIAL];

/** Whether a plain scalar would not be read as text, so that text must be quoted. */
export function isOtherType(text: string): boolean {
  return TYPES.some((type) => type.test(text));
}

/** The tags other than those of text, lists and mappings. Dates stay text: there is no date type. */
export const SCALAR_TAGS: Tags = [
  tag('null', NULL, () => null),
  tag('bool', BOOLEAN, (text) => /^(?:yes|true|on)$/i.test(text)),
  tag('int', INTEGER, integer),
  tag('float', FLOAT, float),
];

function tag(name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve };
}

function integer(text: string): WholeNumber {
  const digits = text.replaceAll('_', '').replace(/^[-+]/, '');
  const sign = text.startsWith('-') ? -1 : 1;
  if (digits.includes(':')) return sign * sexagesimal(digits);
  const plain = /^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const value = wholeNumber(plain);
  return typeof value === 'bigint' ? value * BigInt(sign) : value * sign;
}

function float(text: string): number {
  const digits = text.replaceAll('_', '').replace(/^[-+]/, '').toLowerCase();
  const sign = text.startsWith('-') ? -1 : 1;
  if (digits === '.inf') return sign * Infinity;
  if (digits === '.nan') return NaN;
  return sign * (digits.includes(':') ? sexagesimal(digits) : Number(digits));
}

/** `1:30` is 90. */
function sexagesimal(digits: string): number {
  return digits.split(':').reduce((total, part) => total * 60 + Number(part), 0);
}
