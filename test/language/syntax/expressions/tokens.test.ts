import { expect } from 'chai';
import { BUILT_IN } from '../../../../src/language/library/index.js';
import { TemplateError } from '../../../../src/language/runtime/errors.js';
import { isSymbol, TokenCursor, tokenize } from '../../../../src/language/syntax/expressions/tokens.js';
import { failure } from '../../scopes.js';

/** `TYPE:TEXT@START`, with a blank where there is one before or after. */
const shown = (text: string): readonly string[] =>
  tokenize(text, 'kept').map(({ type, text: content, start, spaced, spacedAfter }) =>
    [spaced ? ' ' : '', `${type}:${content}@${start}`, spacedAfter ? ' ' : ''].join(''),
  );

describe('the tokens of an expression', () => {
  for (const [text, tokens] of [
    ['', [' end:@0 ']],
    ['a.b', [' name:a@0', 'operator:.@1', 'name:b@2 ', ' end:@3 ']],
    [' ä_1 + $b', [' name:ä_1@1 ', ' operator:+@5 ', ' name:$b@7 ', ' end:@9 ']],
    ['aä', [' name:aä@0 ', ' end:@2 ']],
    ['0x1F|1_0.5e-3', [' number:0x1F@0', 'operator:|@4', 'number:1_0.5e-3@5 ', ' end:@13 ']],
    ['0b1 0o7', [' number:0b1@0 ', ' number:0o7@4 ', ' end:@7 ']],
    [`"a'"'b"'`, [` string:a'@0`, `string:b"@4 `, ' end:@8 ']],
    ['../a ..', [' up:../@0', 'name:a@3 ', ' up:..@5 ', ' end:@7 ']],
    ['./a .', [' here:./@0', 'name:a@2 ', ' here:.@4 ', ' end:@5 ']],
    ['a.[b c].1', [' name:a@0', 'segment:b c@1', 'operator:.@7', 'number:1@8 ', ' end:@9 ']],
    ['@index @../first', [' data:index@0 ', ' data:../first@7 ', ' end:@16 ']],
    ['a . b', [' name:a@0 ', ' operator:.@2 ', ' name:b@4 ', ' end:@5 ']],
    ['") . b', undefined],
    ['(a) . b', [' operator:(@0', 'name:a@1', 'operator:)@2 ', ' operator:.@4 ', ' name:b@6 ', ' end:@7 ']],
    ['a == . b', [' name:a@0 ', ' operator:==@2 ', ' here:.@5 ', ' name:b@7 ', ' end:@8 ']],
    ['a and . b', [' name:a@0 ', ' name:and@2 ', ' here:.@6 ', ' name:b@8 ', ' end:@9 ']],
    ['a . "b"', [' name:a@0 ', ' here:.@2 ', ' string:b@4 ', ' end:@7 ']],
    ['a**b//c', [' name:a@0', 'operator:**@1', 'name:b@3', 'operator://@4', 'name:c@6 ', ' end:@7 ']],
  ] as const)
    it(`are those of ${text}`, () => {
      if (tokens === undefined) expect(() => shown(text)).to.throw(TemplateError);
      else expect(shown(text)).to.deep.equal(tokens);
    });

  it('are refused where a character means nothing, or a text is not closed', () => {
    const message = (text: string) => (failure(() => tokenize(text, 'kept')) as Error).message;
    expect(message(' a ;')).to.equal('unexpected character ";" at character 4 of the expression "a ;"');
    expect(message(`x == 'a text that is never closed`)).to.equal(
      `the text that begins with 'a text that is neve has no closing '`,
    );
    expect(message(String.raw`"a\"`)).to.equal(String.raw`the text that begins with "a\" has no closing "`);
  });

  it('are texts whose escapes are kept in templates, and read as in Python elsewhere', () => {
    const [kept, python] = (['kept', 'python'] as const).map(
      (escapes) => (text: string) => tokenize(text, escapes)[0]?.text,
    );
    for (const [written, asKept, asPython] of [
      [String.raw`'\d\'\"'`, String.raw`\d'\"`, String.raw`\d'"`],
      [String.raw`"\a\b\f\n\r\t\v\\"`, String.raw`\a\b\f\n\r\t\v\\`, '\x07\b\f\n\r\t\v\\'],
      [String.raw`"\101\7\0\x41\u00e9\U0001f600"`, String.raw`\101\7\0\x41\u00e9\U0001f600`, 'A\x07\0Aé😀'],
      [String.raw`"\U00110000\xZ"`, String.raw`\U00110000\xZ`, String.raw`\U00110000\xZ`],
      ['"a\\\nb"', 'a\\\nb', 'ab'],
      ['"plain"', 'plain', 'plain'],
    ] as const)
      expect([kept?.(written), python?.(written)], written).to.deep.equal([asKept, asPython]);
  });
});

describe('the position in an expression', () => {
  const at = (text: string, title?: string) => new TokenCursor(text, BUILT_IN, 'kept', title);

  it('moves from token to token, and stays at the end', () => {
    const cursor = at('a + "+"');
    expect([cursor.at('a'), cursor.at('+'), cursor.peek(1).text, cursor.peek(9).type]).to.deep.equal([
      true,
      false,
      '+',
      'end',
    ]);
    expect([cursor.skip('b'), cursor.skip('a'), cursor.advance().text, cursor.at('+')]).to.deep.equal([
      false,
      true,
      '+',
      false,
    ]);
    expect([isSymbol(cursor.current, '+'), cursor.ended(), cursor.raw(cursor.current)]).to.deep.equal([
      false,
      false,
      '"+"',
    ]);
    cursor.advance();
    expect([cursor.ended(), cursor.current.type]).to.deep.equal([true, 'end']);
  });

  it('is named in errors', () => {
    const cursor = at('a  b');
    expect(cursor.unexpected('x').message).to.equal(
      'cannot read the expression "a b": "a" found where x is expected (character 1)',
    );
    cursor.expect('a');
    expect(() => {
      cursor.expect('c');
    }).to.throw('"b" found where "c" is expected (character 4)');
    cursor.advance();
    expect(cursor.unexpected('y').message).to.equal('cannot read the expression "a b": it ends where y is expected');
    const { message, hint } = at('a', '{% set %}').error('no', 'why');
    expect([message, hint]).to.deep.equal(['cannot read {% set %}: no', 'why']);
    const long = (length: number) => at('a'.repeat(length)).error('no').message;
    expect([long(80), long(81)]).to.deep.equal([
      `cannot read the expression "${'a'.repeat(80)}": no`,
      `cannot read the expression "${'a'.repeat(77)}…": no`,
    ]);
  });

  it('is at most 200 levels deep', () => {
    const cursor = at('a');
    const nest = (levels: number): number => (levels === 0 ? 0 : cursor.nested(() => nest(levels - 1)) + 1);
    expect([nest(200), nest(200)]).to.deep.equal([200, 200]);
    expect(() => nest(201)).to.throw(TemplateError, 'it is nested too deeply');
    const built = at('a');
    const leaf = { type: 'NumberLiteral', value: 1 } as const;
    const wrap = (levels: number) => {
      let node = built.built({ ...leaf });
      for (let level = 1; level < levels; level += 1) node = built.built({ ...leaf }, { ...leaf }, node);
      return node;
    };
    expect(wrap(200)).to.deep.equal(leaf);
    expect(() => wrap(201)).to.throw(TemplateError, 'it is nested too deeply');
  });
});
