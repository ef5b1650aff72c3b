import { expect } from 'chai';
import { BlockSource, type Source } from '../../../src/core/model/source/diagnostic.js';
import { Interrupted, KnownAfterApply, NotKnownYet, TemplateError } from '../../../src/language/runtime/errors.js';

const AT: Source = { file: 'a.yml', line: 3, column: 5 };

/** A text whose lines begin in line 11 of the file. */
const BLOCK = new BlockSource(AT, ({ line, column }) => ({ file: 'a.yml', line: line + 10, column: column + 2 }));

describe('An error of a template', () => {
  it('has what it was made with', () => {
    const cause = new Error('why');
    const error = new TemplateError('it is odd', {
      source: AT,
      hint: 'write it',
      undefinedName: 'a.b',
      place: { line: 1, column: 2 },
      cause,
    });
    expect(error).to.include({ name: 'TemplateError', message: 'it is odd', hint: 'write it', undefinedName: 'a.b' });
    expect(error).to.deep.include({ source: AT, place: { line: 1, column: 2 } });
    expect(error.cause).to.equal(cause);
    expect(error.innermost).to.equal(undefined);
    const bare = new TemplateError('it is odd');
    expect(Object.hasOwn(bare, 'cause')).to.equal(false);
    expect([bare.source, bare.hint, bare.place, bare.undefinedName]).to.deep.equal(
      Array.from({ length: 4 }, () => undefined),
    );
  });

  it('keeps the first position', () => {
    const error = new TemplateError('it is odd');
    expect(error.locate(undefined).source).to.equal(undefined);
    expect(error.locate(() => undefined).source).to.equal(undefined);
    expect(error.locate(AT)).to.equal(error);
    let asked = 0;
    error.locate(() => {
      asked += 1;
      return { ...AT, line: 9 };
    });
    expect({ source: error.source, asked }).to.deep.equal({ source: AT, asked: 0 });
    expect(new TemplateError('x').locate(() => AT).source).to.equal(AT);
  });

  it('keeps the first place in its text', () => {
    const error = new TemplateError('it is odd').placed({ line: 1, column: 2 });
    expect(error.placed({ line: 7, column: 7 }).place).to.deep.equal({ line: 1, column: 2 });
  });

  it('says its place in words, unless the position in the file says it', () => {
    const make = (): TemplateError =>
      new TemplateError('it is odd', { place: { line: 2, column: 4 }, placeText: ' (line 2)' });
    expect(make().message).to.equal('it is odd (line 2)');
    expect(make().locate(AT)).to.deep.include({ message: 'it is odd (line 2)', source: AT });
    const inside = make().locate(BLOCK);
    expect(inside).to.deep.include({ message: 'it is odd', source: { file: 'a.yml', line: 12, column: 6 } });
    expect(inside.through('x').message).to.equal('it is odd (from "x")');
    expect(make().through('x').message).to.equal('it is odd (line 2) (from "x")');
  });

  it('has no place in the text of whoever named the variable', () => {
    const error = new TemplateError('it is odd', { place: { line: 2, column: 4 } }).through('x');
    expect(error.place).to.equal(undefined);
    expect(error.locate(BLOCK).source).to.equal(BLOCK);
  });

  const chain = (names: string, named?: number): string => {
    const error = new TemplateError('it is odd', { ...(named !== undefined && { named }) });
    for (const name of names) error.through(name);
    return error.message;
  };
  const chains: readonly (readonly [names: string, named: number | undefined, message: string])[] = [
    ['', undefined, 'it is odd'],
    ['a', undefined, 'it is odd (from "a")'],
    ['ab', undefined, 'it is odd (from "b" → "a")'],
    ['abcdef', undefined, 'it is odd (from "f" → "e" → "d" → "c" → "b" → "a")'],
    ['abcdefg', undefined, 'it is odd (from "g" → "f" → "e" → … → "b" → "a")'],
    ['abcdefghij', undefined, 'it is odd (from "j" → "i" → "h" → … → "b" → "a")'],
    ['a', 1, 'it is odd'],
    ['ab', 1, 'it is odd (from "b")'],
    ['abcdefg', 1, 'it is odd (from "g" → "f" → "e" → "d" → "c" → "b")'],
    ['ab', 5, 'it is odd'],
  ];
  for (const [names, named, message] of chains)
    it(`came through ${JSON.stringify(names)}, ${named ?? 0} named`, () =>
      expect(chain(names, named)).to.equal(message));

  it('knows the innermost variable, also if its message names it', () => {
    const error = new TemplateError('it is odd', { named: 1 }).through('a').through('b');
    expect(error.innermost).to.equal('a');
  });

  it('is told from what is known later, and from an interruption', () => {
    expect(new Interrupted('x')).to.be.instanceOf(TemplateError);
    expect(new NotKnownYet('the answer')).to.include({
      name: 'NotKnownYet',
      what: 'the answer',
      message: 'the answer is known only during the run',
    });
    expect(new NotKnownYet('x')).to.not.be.instanceOf(TemplateError);
    expect(new KnownAfterApply('x')).to.be.instanceOf(NotKnownYet);
  });
});
