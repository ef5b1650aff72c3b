import { isList, jsonText, valueAt, type Mapping, type Value } from '../../src/module/contract.js';

/** What to wait for, and what ends the wait with a failure. */
export interface WaitCondition {
  readonly field?: string | undefined;
  readonly value?: Wanted;
  readonly fail_on?: Wanted;
  /** The list whose elements must all meet the condition. */
  readonly all?: string | undefined;
  /** The list of which one element must meet it. */
  readonly any?: string | undefined;
}

type Scalar = string | number | boolean;
/** A value or a comparison, or a list of them, of which one is enough. Undefined: anything that is not empty. */
type Wanted = Scalar | readonly Scalar[] | undefined;

/** What the object has. */
export interface Judgement {
  readonly verdict: 'reached' | 'not yet' | 'failed';
  readonly message: string;
  /** With `all` or `any`: those of the elements. */
  readonly value?: Value;
}

export function judgeCondition(condition: WaitCondition, object: Mapping): Judgement {
  const { all, any, field } = condition;
  const list = all ?? any;
  if (list !== undefined) return judgeElements(condition, list, valueAt(object, list));
  const value = field === undefined ? object : valueAt(object, field);
  const shown = value === undefined ? `the object has no ${field}` : `${field} is ${text(value)}`;
  const seen = value === undefined ? {} : { value };
  if (isBad(value, condition)) return { verdict: 'failed', message: shown, ...seen };
  if (isGood(value, condition)) return { verdict: 'reached', message: shown, ...seen };
  return { verdict: 'not yet', message: shown + expected(condition), ...seen };
}

/** A list without elements fulfils nothing: usually the controller does not show them yet. */
function judgeElements(condition: WaitCondition, list: string, elements: Value | undefined): Judgement {
  const { field, all } = condition;
  if (!isList(elements)) return { verdict: 'not yet', message: `the object has no list ${list}` };
  const values = elements.map((element) => (field === undefined ? element : (valueAt(element, field) ?? null)));
  const title = field === undefined ? list : `${field} of ${list}`;
  const message = values.length === 0 ? `${list} is empty` : `${title} is ${counts(values)}`;
  const good = values.filter((value) => isGood(value, condition)).length;
  if (values.some((value) => isBad(value, condition))) return { verdict: 'failed', message, value: values };
  if (good > 0 && (all === undefined || good === values.length)) return { verdict: 'reached', message, value: values };
  const wanted = values.length === 0 ? '' : expected(condition, all === undefined ? 'any ' : 'all ');
  return { verdict: 'not yet', message: message + wanted, value: values };
}

/** `OPER_UP (3), OPER_DOWN (1)` */
function counts(values: readonly Value[]): string {
  const found = new Map<string, number>();
  for (const value of values) found.set(text(value), (found.get(text(value)) ?? 0) + 1);
  if (found.size === 1) return [...found.keys()].join('');
  return [...found].map(([value, count]) => `${value} (${count})`).join(', ');
}

function expected({ value }: WaitCondition, which = ''): string {
  return value === undefined ? '' : `, not ${which}${text(value)}`;
}

function isGood(value: Value | undefined, { value: wanted }: WaitCondition): boolean {
  return wanted === undefined ? value !== undefined && value !== null && value !== '' : meets(value, wanted);
}

function isBad(value: Value | undefined, { fail_on: bad }: WaitCondition): boolean {
  return value !== undefined && bad !== undefined && meets(value, bad);
}

function meets(value: Value | undefined, wanted: Exclude<Wanted, undefined>): boolean {
  const all: readonly Scalar[] = typeof wanted === 'object' ? wanted : [wanted];
  return all.some((one) => one === value || (typeof one === 'string' && compares(value, one)));
}

const ORDER = /^(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)$/;
const MEMBERS = /^(not in|in)\s*\[(.*)\]$/;
const OTHER = /^!=\s*(.+)$/;

/** `< 5`, `in [UP, DEGRADED]`, `not in [DOWN]`, `!= 0` */
function compares(value: Value | undefined, comparison: string): boolean {
  const [, operator, limit] = ORDER.exec(comparison) ?? [];
  if (operator !== undefined) return isOrdered(value, operator, Number(limit));
  const [, membership, members = ''] = MEMBERS.exec(comparison) ?? [];
  const given = value === undefined ? undefined : text(value);
  if (membership !== undefined) {
    const names = members.split(',').map((member) => unquoted(member.trim()));
    return given !== undefined && names.includes(given) === (membership === 'in');
  }
  const [, other] = OTHER.exec(comparison) ?? [];
  return other !== undefined && given !== undefined && given !== unquoted(other.trim());
}

function isOrdered(value: Value | undefined, operator: string, limit: number): boolean {
  const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
  if (Number.isNaN(number)) return false;
  switch (operator) {
    case '<':
      return number < limit;
    case '<=':
      return number <= limit;
    case '>':
      return number > limit;
    default:
      return number >= limit;
  }
}

function unquoted(word: string): string {
  return /^(['"])(.*)\1$/.exec(word)?.[2] ?? word;
}

function text(value: Value): string {
  if (isList(value)) return value.map(text).join(' or ');
  return typeof value === 'string' ? value : jsonText(value);
}
