import { LONGEST } from '../../runtime/arguments.js';
import { TemplateError } from '../../runtime/errors.js';
import { formatText } from '../texts/format.js';

/** `start=1 end=10 stride=2 format=lb%02d`; `end` is the last number. */
interface Sequence {
  readonly start: number;
  readonly end: number;
  readonly stride: number;
  readonly format: string;
}

const SHORTCUT = /^(?:((?:0x)?[0-9a-f]+)-)?((?:0x)?[0-9a-f]+)(?:\/((?:0x)?[0-9a-f]+))?(?::(.+))?$/i;

export const SEQUENCE_OPTIONS = ['start', 'end', 'count', 'stride', 'format'];

type Words = ReadonlyMap<string, string>;

/**
 * The texts of a term of `with_sequence` or of the lookup `sequence`: `5`, `2-10/2`, `4:host%02d`, or `start= end= count= stride=
 * format=`.
 *
 * @param given the same settings as options; those in the term are stronger
 */
export function sequence(term: string, given: Words = new Map()): readonly string[] {
  const { start, end, stride, format } = numbersOf(new Map([...given, ...wordsOf(term.trim())]));
  if (stride === 0) return [];
  if (stride > 0 && end < start) throw new TemplateError('with_sequence: to count backwards make stride negative');
  if (stride < 0 && end > start) throw new TemplateError("with_sequence: to count forward don't make stride negative");
  const length = Math.floor((end - start) / stride) + 1;
  if (length > LONGEST) throw new TemplateError(`with_sequence: ${length} numbers are too many`);
  return Array.from({ length }, (_, index) => printf(format, start + index * stride));
}

function wordsOf(term: string): Words {
  if (term === '') return new Map();
  const match = SHORTCUT.exec(term);
  if (match === null) return new Map(term.split(/\s+/).map((word) => pair(word)));
  const [, start, end, stride, format] = match;
  const found = Object.entries({ start, end, stride, format });
  return new Map(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

function numbersOf(words: Words): Sequence {
  const unknown = [...words.keys()].filter((name) => !SEQUENCE_OPTIONS.includes(name));
  if (unknown.length > 0) throw new TemplateError(`with_sequence does not know ${unknown.join(', ')}`);
  const number = (name: string): number | undefined => {
    const text = words.get(name);
    return text === undefined ? undefined : integer(name, text);
  };
  return bounded(
    number('start') ?? 1,
    number('end'),
    number('count'),
    number('stride') ?? 1,
    words.get('format') ?? '%d',
  );
}

function bounded(
  start: number,
  end: number | undefined,
  count: number | undefined,
  stride: number,
  format: string,
): Sequence {
  if ((end === undefined) === (count === undefined)) throw new TemplateError('with_sequence needs either end or count');
  if (end !== undefined) return { start, end, stride, format };
  if (count === undefined || count === 0) return { start: 0, end: 0, stride: 0, format };
  return { start, end: start + count * stride - Math.sign(stride), stride, format };
}

function pair(word: string): [string, string] {
  const at = word.indexOf('=');
  if (at < 1)
    throw new TemplateError(`with_sequence cannot read "${word}"`, { hint: 'write it as: start=1 end=10 stride=2' });
  return [word.slice(0, at), word.slice(at + 1).replace(/^(["'])(.*)\1$/, '$2')];
}

function integer(name: string, text: string): number {
  const number = /^[+-]?(?:0x[0-9a-f]+|0o?[0-7]+|\d+)$/i.test(text) ? parseInteger(text) : Number.NaN;
  if (Number.isNaN(number)) throw new TemplateError(`with_sequence: ${name} must be a whole number, not "${text}"`);
  return number;
}

/** Decimal, `0x` hexadecimal and `0o` octal. */
function parseInteger(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  return sign * Number(text.replace(/^[+-]/, '').toLowerCase());
}

/** One number in the style of printf: `%d %x %X %o %s`, with a width and zeros. */
function printf(format: string, value: number): string {
  if (/^[^%]*%[-0+ ]*\d*[dixXos][^%]*$/.test(format)) return formatText(format, [value], null);
  throw new TemplateError(`with_sequence cannot use the format "${format}"`, {
    hint: 'one of %d, %x, %o, such as "lb%02d"',
  });
}
