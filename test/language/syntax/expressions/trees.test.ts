import { expect } from 'chai';
import { BUILT_IN } from '../../../../src/language/library/index.js';
import type { Expression } from '../../../../src/language/syntax/expressions/nodes.js';
import { parseExpression } from '../../../../src/language/syntax/expressions/parser.js';

/** All that a tree says: `own`, of a block (`./a`); `up`, of the block around it; `is`, a test. */
function shown(node: Expression): string {
  switch (node.type) {
    case 'PathExpression': {
      const kind = [node.data ? 'data ' : '', node.own ? 'own ' : '', node.depth === 0 ? '' : `up ${node.depth} `];
      return `${kind.join('')}[${node.parts.join('|')}]`;
    }
    case 'SubExpression': {
      const named = node.hash.map(({ key, value }) => `${key}=${shown(value)}`);
      return `${node.test ? 'is ' : ''}${node.name}(${[...node.params.map(shown), ...named].join(', ')})`;
    }
    case 'StringLiteral':
      return JSON.stringify(node.value);
    case 'NumberLiteral':
    case 'BooleanLiteral':
      return String(node.value);
    case 'NullLiteral':
    case 'UndefinedLiteral':
      return node.type;
    default:
      return node satisfies never;
  }
}

describe('the tree of an expression', () => {
  for (const [text, tree] of [
    ['@root.x', 'data [root|x]'],
    ['@../index', 'data up 1 [index]'],
    ['../a.b', 'own up 1 [a|b]'],
    ['..', 'own up 1 []'],
    ['../..', 'own up 2 []'],
    ['./a', 'own [a]'],
    ['.', 'own []'],
    ['this.a', 'own [a]'],
    ['this', 'own []'],
    ['a.b[0]["c d"]', '[a|b|0|c d]'],
    ['a[b].c', 'item(item([a], [b]), "c")'],
    ['[1, 2,]', 'array(1, 2)'],
    ['(1,)', 'array(1)'],
    ['()', 'array()'],
    ['(1)', '1'],
    ['[]', 'array()'],
    ['{}', 'object()'],
    ['{"a": 1, b: 2,}', 'object("a", 1, [b], 2)'],
    ['lookup(*list)', 'lookup(*=[list])'],
    ['lookup("x", *list, **map)', 'lookup("x", *=[list], **=[map])'],
    ['lookup("x", a=1, b=c)', 'lookup("x", a=1, b=[c])'],
    ['a[1:2]', 'cut([a], 1, 2)'],
    ['a[:]', 'cut([a], NullLiteral, NullLiteral)'],
    ['a[::2]', 'cut([a], NullLiteral, NullLiteral, 2)'],
    ['a[1:]', 'cut([a], 1, NullLiteral)'],
    ['a.b.get("x")', 'get([a|b], "x")'],
    ['d.items()', 'items([d])'],
    ['name.upper().lower()', 'lower(upper([name]))'],
    ['"a".join(b)', 'join([b], "a")'],
    ['x is defined', 'is defined([x])'],
    ['x is not divisibleby(3)', 'not(is divisibleby([x], 3))'],
    ['a | default("x", true) | upper', 'upper(default([a], "x", true))'],
    ['a | map(attribute="b")', 'map([a], attribute="b")'],
    ['true', 'true'],
    ['none', 'NullLiteral'],
    ['not a', 'not([a])'],
    ['a if b', 'ternary([b], [a], UndefinedLiteral)'],
    ['a.update({"b": 1})', 'change("update", "a", array(), [a], object("b", 1))'],
    ['l.append(1)', 'change("append", "l", array(), [l], 1)'],
    ['a.b.append(1)', 'change("append", "a", array("b"), [a|b], 1)'],
    ['a[0].append(1)', 'change("append", "a", array("0"), [a|0], 1)'],
    ['a["x y"].z', '[a|x y|z]'],
    ['loop.index', '[loop|index]'],
    ['namespace(a=1)', 'namespace(a=1)'],
    ['-1', '-1'],
    ['-a', 'negate([a])'],
    ['+1', '1'],
    ['a not in b', 'not(in([a], [b]))'],
  ] as const)
    it(`is that of ${text}`, () => {
      expect(shown(parseExpression(text, BUILT_IN))).to.equal(tree);
    });
});
