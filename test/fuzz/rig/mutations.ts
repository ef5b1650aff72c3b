import fc from 'fast-check';

/** Unexpected content of a text. */
const PIECES = [
  '\0',
  '\ufeff',
  '\r\n',
  '\r',
  '\n',
  '\t',
  ' ',
  '\u2028',
  '\u001b[2J',
  '\ud800',
  '{{',
  '}}',
  '{{ x }}',
  '{%',
  '[',
  ']',
  '{',
  '}',
  ': ',
  ':',
  '- ',
  '#',
  '&a ',
  '*a',
  '<<: ',
  '!vault |\n  ',
  '!unsafe ',
  '!!binary ',
  '---\n',
  '...\n',
  '? ',
  '|\n',
  '>-\n',
  '"',
  "'",
  '\\',
  '%',
  '@',
  '=',
  ',',
  '__proto__',
  'constructor',
  'prototype',
  '__proto__: { polluted: 1 }',
  '{"__proto__": {"polluted": 1}}',
  '[1:99999999]',
  '-1',
  '1e400',
  '0x',
  'null',
  '~',
  'true',
  '$ANSIBLE_VAULT;1.1;AES256\n',
  '['.repeat(3000),
  '{"a":'.repeat(3000),
  '('.repeat(3000),
  '- '.repeat(3000),
  'x'.repeat(70_000),
] as const;

/** Where, as a share of the text's length; how much, or what; which way. */
type Mutation = readonly [
  way: 'cut' | 'repeat' | 'insert' | 'swap lines' | 'drop line' | 'indent' | 'splice' | 'end',
  at: number,
  to: number,
  piece: string,
];

const share = fc.double({ min: 0, max: 1, noNaN: true });

function mutation(others: readonly string[]): fc.Arbitrary<Mutation> {
  const way = fc.constantFrom<Mutation[0][]>(
    'cut',
    'repeat',
    'insert',
    'swap lines',
    'drop line',
    'indent',
    'splice',
    'end',
  );
  const lines = [...new Set(others.flatMap((text) => text.split('\n')))];
  const piece = fc.oneof(fc.constantFrom(...PIECES), fc.constantFrom(...lines), fc.string({ maxLength: 8 }));
  return fc.tuple(way, share, share, piece);
}

/** Valid texts with random changes. */
export function mutated(corpus: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...corpus), fc.array(mutation(corpus), { minLength: 1, maxLength: 4 }))
    .map(([text, mutations]) => mutations.reduce(apply, text));
}

function apply(text: string, [way, at, to, piece]: Mutation): string {
  const [start, end] = [at, to].map((one) => Math.floor(one * text.length)).sort((a, b) => a - b) as [number, number];
  const lines = text.split('\n');
  const first = Math.floor(at * lines.length);
  const second = Math.floor(to * lines.length);
  switch (way) {
    case 'cut':
      return text.slice(0, start) + text.slice(Math.min(end, start + 40));
    case 'repeat':
      return text.slice(0, end) + text.slice(start);
    case 'insert':
      return text.slice(0, start) + piece + text.slice(start);
    case 'swap lines':
      return lines.with(at < 1 ? first : 0, lines[second] ?? '').join('\n');
    case 'drop line':
      return lines.toSpliced(first, 1).join('\n');
    case 'indent':
      return lines.map((line, index) => (index === first ? `  ${line}` : line)).join('\n');
    case 'splice':
      return [...lines.slice(0, first), piece, ...lines.slice(first)].join('\n');
    case 'end':
      return text.slice(0, start);
    default:
      return way satisfies never;
  }
}
