import { expect } from 'chai';
import { bind } from '../../../src/language/evaluation/binding.js';
import { Library } from '../../../src/language/library.js';
import { BUILT_IN } from '../../../src/language/library/index.js';
import { callable, CallableTable, form, table } from '../../../src/language/runtime/callable.js';
import type { Expression, SubExpression } from '../../../src/language/syntax/expressions/nodes.js';
import { failure, variables } from '../scopes.js';

const run = (): number => 1;
const filters = table([
  {
    none: callable('', run),
    one: callable('value', run),
    some: callable('value, width?, mark?', run),
    two: callable('left, right', run),
    many: callable('first, ...others', run),
    fill: callable('first, ...others, fill=', run),
    open: callable('name, ...terms, **', run),
    all: callable('...all', run),
    lazy: form('value, other?', run),
  },
]);
const tests = table([{ odd: callable('value', run) }]);
const known = new CallableTable(filters, tests);

const text = (value: string) => ({ type: 'StringLiteral', value }) as const;

function node(name: string, params: string, hash: string, test = false): SubExpression {
  const words = (given: string): readonly string[] => (given === '' ? [] : given.split(' '));
  return {
    type: 'SubExpression',
    name,
    test,
    params: words(params).map(text),
    hash: words(hash).map((pair) => {
      const [key = '', value = ''] = pair.split('=');
      return { key, value: text(value) };
    }),
  };
}

type Bound = ReturnType<typeof bind>;

/** The values of the parameters, of the rest, and of the other names; or the problem. */
function shown(bound: Bound): string {
  if ('problem' in bound) {
    const { message, hint } = bound.problem;
    return hint === undefined ? message : `${message} — ${hint}`;
  }
  const value = (one: Expression | undefined): string =>
    one !== undefined && 'value' in one ? String(one.value) : '·';
  const named = bound.named.map((pair) => `${pair.key}=${value(pair.value)}`);
  return [bound.slots.map(value), bound.rest.map(value), named].map((list) => list.join(' ')).join(' | ');
}

describe('The arguments of a call', () => {
  const rows: readonly (readonly [name: string, params: string, hash: string, bound: string])[] = [
    ['none', '', '', ' |  | '],
    ['one', 'a', '', 'a |  | '],
    ['one', '', 'value=a', 'a |  | '],
    ['some', 'a', '', 'a · · |  | '],
    ['some', 'a b c', '', 'a b c |  | '],
    ['some', 'a', 'mark=c', 'a · c |  | '],
    ['some', '', 'mark=c value=a', 'a · c |  | '],
    ['two', 'a', 'right=b', 'a b |  | '],
    ['many', 'a', '', 'a |  | '],
    ['many', 'a b c', '', 'a | b c | '],
    ['fill', 'a b c', '', 'a · | b c | '],
    ['fill', 'a b', 'fill=c', 'a c | b | '],
    ['open', 'a b', 'x=1 y=2', 'a | b | x=1 y=2'],
    ['open', 'a', 'name=edge x=1', 'a |  | name=edge x=1'],
    ['open', '', 'name=a x=1', 'a |  | x=1'],
    ['all', '', '', ' |  | '],
    ['all', 'a b', '', ' | a b | '],
    ['lazy', 'a b', '', 'a b |  | '],
  ];
  for (const [name, params, hash, bound] of rows)
    it(`are those of ${name}(${[params, hash].filter((one) => one !== '').join(' ')})`, () =>
      expect(shown(bind(node(name, params, hash), known))).to.equal(bound));

  const refused: readonly (readonly [name: string, params: string, hash: string, message: string])[] = [
    ['fill', 'a', 'fll=b', '"fill" has no argument "fll" — did you mean "fill"?'],
    ['none', 'a', '', '"none" takes no arguments, but one is given — write none()'],
    ['one', '', '', '"one" takes 1 argument, but none is given — write one(value)'],
    ['one', 'a b', '', '"one" takes 1 argument, but 2 are given — write one(value)'],
    ['two', 'a', '', '"two" takes 2 arguments, but one is given — write two(left, right)'],
    ['two', '', 'right=b', '"two" takes 2 arguments, but one is given — write two(left, right)'],
    ['some', '', 'mark=a', '"some" takes 1 to 3 arguments, but one is given — write some(value, width?, mark?)'],
    ['some', 'a b c d', '', '"some" takes 1 to 3 arguments, but 4 are given — write some(value, width?, mark?)'],
    ['some', 'a b c d', 'x=1', '"some" takes 1 to 3 arguments, but 5 are given — write some(value, width?, mark?)'],
    ['many', '', '', '"many" takes at least 1 argument, but none is given — write many(first, ...others)'],
    ['open', '', 'x=1', '"open" takes at least 1 argument, but one is given — write open(name, ...terms, **)'],
    ['one', 'a', 'value=b', '"one" gets its argument "value" twice'],
    ['some', 'a', 'mark=b mark=c', '"some" gets its argument "mark" twice'],
    ['some', 'a', 'widht=b', '"some" has no argument "widht" — did you mean "width"?'],
    ['some', 'a', 'colour=b', '"some" has no argument "colour" — write some(value, width?, mark?)'],
    ['many', 'a', 'others=b', '"many" has no argument "others" — write many(first, ...others)'],
    ['manny', 'a', '', 'there is no filter or function "manny" — did you mean "many"?'],
    ['whatever', 'a', '', 'there is no filter or function "whatever"'],
    ['ansible.builtin.whatever', 'a', '', 'there is no filter or function "whatever"'],
    ['acme.lb.whatever', 'a', '', 'there is no filter or function "acme.lb.whatever"'],
    ['attr', 'a', '', 'there is no filter or function "attr" — write value[name]'],
    ['community.general.jc', 'a', '', 'there is no filter or function "jc" — write pipe("… | jc …") | from_json'],
  ];
  for (const [index, [name, params, hash, message]] of refused.entries())
    it(`are refused ${index}: ${message}`, () =>
      expect(shown(bind(node(name, params, hash), known))).to.equal(message));

  it('of a test are those of a test', () => {
    expect(shown(bind(node('odd', 'a', '', true), known))).to.equal('a |  | ');
    expect(shown(bind(node('ood', 'a', '', true), known))).to.equal('there is no test "ood" — did you mean "odd"?');
    expect(shown(bind(node('mane', 'a', '', true), known))).to.equal('there is no test "mane"');
    expect(shown(bind(node('mane', 'a', ''), known))).to.equal(
      'there is no filter or function "mane" — did you mean "many"?',
    );
  });

  it('are not counted if they are unpacked', () => {
    expect(shown(bind(node('two', 'a', '*=list **=map'), known))).to.equal('a · |  | ');
    expect(shown(bind(node('none', 'a b', '*=list'), known))).to.equal(' |  | ');
    expect(shown(bind(node('manny', '', '*=list'), known))).to.equal(
      'there is no filter or function "manny" — did you mean "many"?',
    );
  });
});

describe('A filter or test that another one calls by its name', () => {
  const asked: string[] = [];
  const counting = BUILT_IN.withPlugins({
    collections: [],
    find: (type, name) => void asked.push(`${type} ${name}`),
    redirect: () => undefined,
    addFolder: () => undefined,
    during: (evaluated) => evaluated(),
  });
  const items = ['lb1', 'lb2', 'web1'].map((name) => ({ name, tags: [name] }));
  const ask = (text: string) => {
    const evaluate = new Library(counting).expression(text);
    asked.length = 0;
    return evaluate({ scope: variables({ items }), block: undefined });
  };
  const rows: readonly (readonly [text: string, found: unknown, asked: readonly string[]])[] = [
    ['(items | map(attribute="name")) | map("upper") | list', ['LB1', 'LB2', 'WEB1'], ['filter upper']],
    [
      'items | map(attribute="name") | map("regex_replace", "LB", "x", ignorecase=true) | first',
      'x1',
      ['filter regex_replace'],
    ],
    ['items | map(attribute="name") | select("match", "lb") | list', ['lb1', 'lb2'], ['test match']],
    ['items | map(attribute="name") | reject("match", "lb") | list', ['web1'], ['test match']],
    ['items | selectattr("name", "match", "w") | length', 1, ['test match']],
    ['items | rejectattr("name", "match", "w") | length', 2, ['test match']],
    ['[] | map("nothing") | list', [], []],
  ];
  for (const [text, found, bound] of rows)
    it(`is bound once: ${text}`, () => {
      expect(ask(text)).to.deep.equal(found);
      expect(asked).to.deep.equal(bound);
    });

  it('is bound for each list within another', () => {
    expect(ask('items | map(attribute="tags") | map("map", "upper") | map("first") | list')).to.deep.equal([
      'LB1',
      'LB2',
      'WEB1',
    ]);
    expect(asked.filter((one) => one === 'filter upper')).to.have.lengthOf(3);
    expect(asked.filter((one) => one === 'filter map')).to.have.lengthOf(1);
  });

  it('is unknown when the first item needs it', () => {
    expect(String(failure(() => ask('items | map("uper") | list')))).to.contain(
      'there is no filter or function "uper"',
    );
  });
});
