import { expect } from 'chai';
import fc from 'fast-check';
import { BUILT_IN } from '../../../../src/language/library/index.js';
import { TemplateError } from '../../../../src/language/runtime/errors.js';
import type { Expression } from '../../../../src/language/syntax/expressions/nodes.js';
import { parseExpression } from '../../../../src/language/syntax/expressions/parser.js';

/** A tree in the prefix form, with every call in parentheses. */
function prefix(node: Expression): string {
  switch (node.type) {
    case 'PathExpression':
      return node.original;
    case 'SubExpression':
      return `(${[node.name, ...node.params.map(prefix)].join(' ')})`;
    case 'StringLiteral':
      return JSON.stringify(node.value);
    case 'NumberLiteral':
    case 'BooleanLiteral':
      return String(node.value);
    case 'NullLiteral':
      return 'null';
    case 'UndefinedLiteral':
      return 'undefined';
    default:
      return node satisfies never;
  }
}

function tree(text: string): string {
  return prefix(parseExpression(text, BUILT_IN));
}

describe('the expression parser', () => {
  const same: readonly (readonly [string, string])[] = [
    ['env == "prod"', 'eq env "prod"'],
    ['not canary', '(not canary)'],
    ['a and not b', 'and a (not b)'],
    ['a or b and c', 'or a (and b c)'],
    ['not a == b', '(not (eq a b))'],
    ['"eu" in regions', 'in "eu" regions'],
    ['x not in y', '(not (in x y))'],
    ['1 + 2 * 3', 'add 1 (multiply 2 3)'],
    ['1 - 2 - 3', 'subtract (subtract 1 2) 3'],
    ['1 + 2 ~ 3', 'add 1 (concat 2 3)'],
    ['2 ** 3 ** 2', 'power (power 2 3) 2'],
    ['a // b % c', 'modulo (floordiv a b) c'],
    ['-x | abs', 'abs (negate x)'],
    ['2 * x | abs', 'multiply 2 (abs x)'],
    ['1 < x <= 3', 'and (lt 1 x) (le x 3)'],
    ['name | default("x") | upper', 'upper (default name "x")'],
    ['list | length > 3', 'gt (length list) 3'],
    ['length list > 3', 'gt (length list) 3'],
    ['a if b else c', 'ternary b a c'],
    ['a if b else c if d else e', 'ternary b a (ternary d c e)'],
    ['items[i + 1].name', 'item (item items (add i 1)) "name"'],
    ['items[1:3]', 'cut items 1 3'],
    ['items[:-1]', 'cut items null -1'],
    ['items[::2]', 'cut items null null 2'],
    ['[1, "a", b]', 'array 1 "a" b'],
    ['(1, 2)', 'array 1 2'],
    ['{"a": 1}', 'object "a" 1'],
    ['range(1, 5)', 'range 1 5'],
    ['range (1, 5)', 'range 1 5'],
    ['name.split(",")', 'split name ","'],
    ['",".join(names)', 'join names ","'],
    ['config.get("a")', 'get config "a"'],
    ['lookup("env", "HOME")', 'lookup "env" "HOME"'],
    ['a | ansible.builtin.upper', 'upper a'],
    ['max -1 n', 'max (-1) n'],
    ['a -1', 'subtract a 1'],
    ['count -1', 'subtract count 1'],
    ['round (n) -1', 'round n (-1)'],
    ["d ['k']", 'd["k"]'],
    ['d . k', 'd.k'],
    ["(d) ['k']", 'd["k"]'],
    ["d . get ('k')", 'get d "k"'],
    ['range (5) [0]', 'item (range 5) "0"'],
    ['first (d) .k', 'item (first d) "k"'],
    ['own (x)', 'own(x)'],
    ['eq d ["k"]', 'd == ["k"]'],
    ['in (d) [1]', 'd in [1]'],
    ['eq d . k 1', 'd.k == 1'],
    ['and (a) (b)', 'a and b'],
    ['. == "x"', 'eq . "x"'],
    ['a is defined and b', 'and (defined a) b'],
    ['x is not none', '(not (none x))'],
    ['n is divisibleby 3', 'divisibleby n 3'],
  ];
  for (const [infix, form] of same) {
    it(`reads ${infix} as ${form}`, () => {
      expect(tree(infix)).to.equal(tree(form));
    });
  }

  it('distinguishes literal and computed indexes', () => {
    expect(parseExpression('a[0].b["c d"].[e f].1', BUILT_IN)).to.deep.equal({
      type: 'PathExpression',
      data: false,
      depth: 0,
      own: false,
      parts: ['a', '0', 'b', 'c d', 'e f', '1'],
      original: 'a[0].b["c d"].[e f].1',
    });
  });

  const wrong: readonly (readonly [string, string, (string | undefined)?])[] = [
    ['', 'an expression is expected, but the text is empty'],
    ['a ==', 'cannot read the expression "a ==": it ends where a value is expected'],
    ['1 + else', 'cannot read the expression "1 + else": "else" found where a value is expected (character 5)'],
    ['a = b', 'cannot read the expression "a = b": "=" is not expected after "a"', 'write == to compare'],
    ['a && b', 'cannot read the expression "a && b": "&&" is not expected after "a"', 'write "and"'],
    ['a || b', 'cannot read the expression "a || b": "||" is not expected after "a"', 'write "or"'],
    ['a ? b : c', 'cannot read the expression "a ? b : c": "?" is not expected after "a"', 'write "a if b else c"'],
    ...Object.entries({
      '===': 'write ==',
      '!==': 'write !=',
      '&': 'write "and"',
      '??': 'write "a | default(b)"',
      '!': 'write "not"',
      '"x"': 'put an operator before "x", such as == or in',
      b: undefined,
      '2': undefined,
    }).map(([token, hint]): readonly [string, string, string | undefined] => [
      `1 ${token}`,
      `cannot read the expression "1 ${token}": "${token}" is not expected after "1"`,
      hint,
    ]),
    ...['a', 'my.filter'].map((before): readonly [string, string, string] => [
      `${before} b`,
      `cannot read the expression "${before} b": "b" is not expected after "${before}"`,
      `two values need an operator between them, and there is no filter "${before}"`,
    ]),
    [
      'stage is defined and x y',
      'cannot read the expression "stage is defined and x y": "y" is not expected after "stage is defined and x"',
    ],
    ['(a b)', 'cannot read the expression "(a b)": "b" found where ")" is expected (character 4)'],
    [
      'a upper',
      'cannot read the expression "a upper": "upper" is not expected after "a"',
      'write | upper to call the filter',
    ],
    ['(a', 'cannot read the expression "(a": it ends where ")" is expected'],
    ['a | ', 'cannot read the expression "a |": it ends where the name of a filter is expected'],
    ['"abc', 'the text that begins with "abc has no closing "'],
    ['a # b', 'unexpected character "#" at character 3 of the expression "a # b"'],
    ['x.sort()', 'cannot read the expression "x.sort()": there is no method "sort"', 'write list | sort'],
    ...['length [1, 2]', 'default (x) []'].map((text): readonly [string, string, string] => [
      text,
      `cannot read the expression "${text}": an index is one value`,
      'for a list that is an argument of a function, write function([a, b])',
    ]),
    [
      'f(a=1, 2)',
      'cannot read the expression "f(a=1, 2)": "2" found where a named argument (name=value) is expected (character 8)',
    ],
  ];
  for (const [text, message, hint] of wrong) {
    it(`reports the mistake in ${text || 'an empty text'}`, () => {
      expect(() => parseExpression(text, BUILT_IN))
        .to.throw(TemplateError)
        .that.includes({ message, hint });
    });
  }

  it('refuses too deep nesting in every form', () => {
    for (const text of [
      `${'('.repeat(100_000)}a`,
      `a${' + 1'.repeat(100_000)}`,
      `${'not '.repeat(100_000)}a`,
      `a${'[b'.repeat(100_000)}`,
      `${'-'.repeat(100_000)}a`,
    ]) {
      expect(() => parseExpression(text, BUILT_IN)).to.throw(TemplateError, /it is nested too deeply$/);
    }
  });

  it('reads the prefix and the infix form of an expression as the same tree', () => {
    fc.assert(
      fc.property(expressions, ({ infix, prefix: form }) => {
        expect(tree(infix)).to.equal(tree(form));
      }),
    );
  });

  it('throws only TemplateError', () => {
    const pieces = [
      'a',
      'eq',
      '"s"',
      '1',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '.',
      ',',
      '|',
      'is',
      'not',
      'in',
      'and',
      'if',
      'else',
      '==',
      '-',
      '~',
      ':',
      '=',
      '@x',
      '../',
      './',
      "'",
    ];
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((one) => one.join(' ')),
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((one) => one.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          parseExpression(text, BUILT_IN);
        } catch (error) {
          expect(error).to.be.instanceOf(TemplateError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

/** An expression in both forms, with all parentheses, because the table above tests precedence. */
interface Written {
  readonly infix: string;
  readonly prefix: string;
}

const OPERATORS: readonly (readonly [string, string])[] = [
  ['==', 'eq'],
  ['<', 'lt'],
  ['and', 'and'],
  ['or', 'or'],
  ['in', 'in'],
  ['+', 'add'],
  ['-', 'subtract'],
  ['*', 'multiply'],
  ['~', 'concat'],
  ['//', 'floordiv'],
];

const leaf: fc.Arbitrary<Written> = fc
  .constantFrom('a', 'b.c', 'd[0]', '"text"', '7', '-2', 'true', 'null')
  .map((text) => ({ infix: text, prefix: text }));

/** A first argument of the prefix form. `name -2` is a subtraction, as in Jinja. */
function first({ prefix: form }: Written): string {
  return form.startsWith('-') ? `(${form})` : form;
}

const { expressions } = fc.letrec<{ expressions: Written }>((tie) => ({
  expressions: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc
      .tuple(fc.constantFrom(...OPERATORS), tie('expressions'), tie('expressions'))
      .map(([[operator, name], left, right]) => ({
        infix: `(${left.infix} ${operator} ${right.infix})`,
        prefix: `(${name} ${first(left)} ${right.prefix})`,
      })),
    fc
      .tuple(fc.constantFrom('upper', 'length', 'default'), tie('expressions'), leaf)
      .map(([name, value, argument]) => ({
        infix: `((${value.infix}) | ${name}(${argument.infix}))`,
        prefix: `(${name} ${first(value)} ${argument.prefix})`,
      })),
    tie('expressions').map((value) => ({ infix: `(not ${value.infix})`, prefix: `(not ${value.prefix})` })),
    fc.tuple(tie('expressions'), tie('expressions'), tie('expressions')).map(([condition, yes, no]) => ({
      infix: `(${yes.infix} if ${condition.infix} else ${no.infix})`,
      prefix: `(ternary ${first(condition)} ${yes.prefix} ${no.prefix})`,
    })),
  ),
}));
