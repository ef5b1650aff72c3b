import type { ScalarTag, Tags } from 'yaml';
import { parseWholeNumber, type WholeNumber } from '../../../core/model/values/json.js';

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

/** A plain scalar that matches one would not be read as text, so such a text must be quoted. */
const TYPES = [BOOLEAN, NULL, INTEGER, FLOAT, DATE, SPECIAL];

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
  const plain = /^0[0-7]/.test(digits) ? `0o${digits}` : digits;
  const value = parseWholeNumber(plain);
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

const BREAK = /[\r\n\u0085\u2028\u2029]/;
const OUTER_BLANK = /^[ \r\n\u0085\u2028\u2029]|[ \r\n\u0085\u2028\u2029]$/;
const BLANK_BEFORE_BREAK = / [\r\n\u0085\u2028\u2029]/;
const BLANK_AFTER_BREAK = /[\r\n\u0085\u2028\u2029] /;
/** Not printable for libyaml: only double quotes can hold it, as an escape. */
const UNPRINTABLE = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const INDICATOR =
  /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t\r\n\u0085\u2028\u2029\0]|$)|:(?:[ \t\r\n\u0085\u2028\u2029\0]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/;
const FLOW_INDICATOR = /^[?:]|.[,?[\]{}:]/su;

export function hasBreak(text: string): boolean {
  return BREAK.test(text);
}

/** Where a text is written. */
export interface ScalarPosition {
  /** As the name of an entry, which stays on one line. */
  readonly key: boolean;
  /** Within `[a, b]` or `{a: b}`. */
  readonly flow: boolean;
}

/** How libyaml, which writes for PyYAML, quotes a text. */
export function chooseStyle(text: string, { key, flow }: ScalarPosition): 'plain' | 'single' | 'double' {
  const special = UNPRINTABLE.test(text) || BLANK_BEFORE_BREAK.test(text);
  const plain = !special && !OUTER_BLANK.test(text) && !BREAK.test(text) && !INDICATOR.test(text);
  if (plain && text !== '' && !(flow && FLOW_INDICATOR.test(text)) && !TYPES.some((type) => type.test(text)))
    return 'plain';
  return special || BLANK_AFTER_BREAK.test(text) || (key && BREAK.test(text)) ? 'double' : 'single';
}
