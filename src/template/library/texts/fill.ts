import type { Value } from '../../../model/values/value.js';
import { step } from '../../runtime/access.js';
import { TemplateError } from '../../runtime/errors.js';
import { asString } from '../../runtime/text.js';
import { LONGEST } from '../../runtime/arguments.js';
import { formatText } from './format.js';

const FIELD = /\{\{|\}\}|\{([^{}:!]*)(?:![rsa])?(?::([^{}]*))?\}/g;

/** `[[fill]align][sign][0][width][.precision][type]` */
const SPECIFICATION = /^(?:(.)?([<>^]))?(\+?)(0?)(\d*)((?:\.\d+)?)([sdfxXoeEg%]?)$/;

/** Python's `"{} and {name:>5}".format(…)`: fields by order, number or name, with lookups inside them. */
export function fillText(format: string, values: readonly Value[], named: Value): string {
  let next = 0;
  return format.replaceAll(FIELD, (all: string, field: string | undefined, specification: string | undefined) => {
    if (field === undefined) return all.charAt(0);
    const [name = '', ...inside] = field.split(/[.[\]]+/).filter((part, index) => index === 0 || part !== '');
    const start = /^\d*$/.test(name) ? values[name === '' ? next++ : Number(name)] : step(named, name);
    const value = inside.reduce<Value | undefined>((one, part) => (one === undefined ? one : step(one, part)), start);
    if (value === undefined) throw new TemplateError(`the format "${format}" has no value for "${all}"`);
    return specification === undefined || specification === '' ? asString(value) : shape(value, specification);
  });
}

function shape(value: Value, specification: string): string {
  const match = SPECIFICATION.exec(specification);
  if (match === null)
    throw new TemplateError(`"${specification}" is no format`, { hint: 'write it like :>10 or :.2f' });
  const [, fill = ' ', align, sign = '', zero = '', width = '', precision = '', type = ''] = match;
  if (Number(width) > LONGEST)
    throw new TemplateError(`"${specification}" makes a text of more than ${LONGEST} characters`);
  const numeric = typeof value === 'number';
  const text = write(value, sign, precision, type === '' ? (numeric && precision !== '' ? 'g' : '') : type);
  return pad(text, Number(width), zero === '' ? fill : '0', align ?? (zero !== '' ? '=' : numeric ? '>' : '<'));
}

function write(value: Value, sign: string, precision: string, type: string): string {
  if (type === '') return (sign !== '' && typeof value === 'number' && value >= 0 ? '+' : '') + asString(value);
  if (type === '%') return `${formatText(`%${sign}${precision}f`, [Number(value) * 100], null)}%`;
  return formatText(`%${sign}${precision}${type}`, [value], null);
}

function pad(text: string, width: number, fill: string, align: string): string {
  const space = Math.max(0, width - text.length);
  if (align === '<') return text + fill.repeat(space);
  if (align === '^') return fill.repeat(Math.floor(space / 2)) + text + fill.repeat(Math.ceil(space / 2));
  const signed = align === '=' && /^[+-]/.test(text) ? 1 : 0;
  return text.slice(0, signed) + fill.repeat(space) + text.slice(signed);
}
