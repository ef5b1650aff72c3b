import { expect } from 'chai';
import {
  asError,
  at,
  atUnlessOption,
  BlockSource,
  Diagnostics,
  errorHint,
  errorMessage,
  inReadingOrder,
  LoadError,
  orElse,
  pathText,
  placeText,
  sourceInside,
  type Diagnostic,
} from '../../../../src/core/model/source/diagnostic.js';
import { letters, nearestName, findSpelling } from '../../../../src/core/model/source/suggestion.js';

describe('places', () => {
  const source = { file: 'a.yml', line: 3, column: 5 };

  it('are paths of fields and elements, or positions in files', () => {
    expect([pathText(['a', 0, 'b', 1, 2]), pathText([0, 'a']), pathText([])]).to.deep.equal([
      'a[0].b[1][2]',
      '[0].a',
      '',
    ]);
    expect(placeText(source)).to.equal('a.yml:3:5');
    expect([at('--limit', 'no'), at(source, 'no'), at(undefined, 'no')]).to.deep.equal([
      { message: '--limit: no' },
      { message: 'no', source },
      { message: 'no', source: undefined },
    ]);
    expect([
      atUnlessOption('--limit', 'no'),
      atUnlessOption('EVENKEEL_X', 'no'),
      atUnlessOption(source, 'no'),
    ]).to.deep.equal([{ message: 'no', source: undefined }, { message: 'EVENKEEL_X: no' }, { message: 'no', source }]);
  });

  it('inside of a block are those of the file', () => {
    const block = new BlockSource(source, ({ line, column }) => ({ file: 'a.yml', line: 10 + line, column }));
    expect(block).to.include(source);
    expect(sourceInside(block, { line: 2, column: 7 })).to.deep.equal({ file: 'a.yml', line: 12, column: 7 });
    expect([sourceInside(block, undefined), sourceInside(source, { line: 2, column: 7 })]).to.deep.equal([
      block,
      source,
    ]);
  });
});

describe('diagnostics', () => {
  const source = (file: string, line: number, column = 1) => ({ file, line, column });

  it('are collected in order, and fail if one of them is an error', () => {
    const found = new Diagnostics();
    found.warn('one', source('a', 1), 'hint 1');
    found.add([
      { severity: 'warning', message: 'two', rule: 'no-exec' },
      { severity: 'warning', message: 'three', rule: 's' },
    ]);
    expect(found.failed()).to.equal(false);
    found.requireExecution();
    expect(found.failed()).to.equal(true);
    found.error('four', source('b', 2), 'hint 4');
    expect(found.list).to.deep.equal([
      { severity: 'warning', message: 'one', source: source('a', 1), hint: 'hint 1' },
      { severity: 'error', message: 'two', rule: 'no-exec' },
      { severity: 'warning', message: 'three', rule: 's' },
      { severity: 'error', message: 'four', source: source('b', 2), hint: 'hint 4' },
    ]);
    expect(new LoadError('no', source('a', 1), 'hint')).to.include({ name: 'LoadError', message: 'no', hint: 'hint' });
  });

  it('are read file by file, from top to bottom, each once', () => {
    const one = (message: string, where?: Diagnostic['source'], severity: Diagnostic['severity'] = 'error') => ({
      severity,
      message,
      ...(where !== undefined && { source: where }),
    });
    const ordered = inReadingOrder([
      one('b9', source('b', 9)),
      one('a5', source('a', 5)),
      one('b2:7', source('b', 2, 7)),
      one('none'),
      one('b2:3', source('b', 2, 3)),
      one('a1', source('a', 1)),
      one('b9', source('b', 9)),
      one('b9', source('b', 9), 'warning'),
      one('b9 too', source('b', 9)),
      one('a5', source('a', 5, 2)),
      one('none'),
    ]);
    expect(ordered.map(({ message, severity }) => `${severity} ${message}`)).to.deep.equal([
      'error b2:3',
      'error b2:7',
      'error b9',
      'warning b9',
      'error b9 too',
      'error a1',
      'error a5',
      'error a5',
      'error none',
    ]);
  });
});

describe('a name that is near', () => {
  it('is the nearest, the first of equally near ones, or the one with more of its letters', () => {
    expect(nearestName('colour', ['colors', 'color', 'colours'])).to.equal('colours');
    expect(nearestName('abcd', ['abcx', 'abc', 'abcde'])).to.equal('abcde');
    expect(nearestName('port', ['part', 'sort', 'fort'])).to.equal('part');
    expect(nearestName('abcdef', ['abcdxy', 'abcdex', 'abcdey'])).to.equal('abcdex');
    expect(nearestName('abcdefghi', ['abcdefxyz', 'abcdxxxxi'])).to.equal('abcdefxyz');
    expect([nearestName('abcdefghi', ['abcdexxxx']), nearestName('abcde', ['abxxx'])]).to.deep.equal([
      undefined,
      undefined,
    ]);
    expect([nearestName('abc', ['abd']), nearestName('ab', ['ac']), nearestName('a', ['b'])]).to.deep.equal([
      'abd',
      'ac',
      undefined,
    ]);
    expect([nearestName('abc', ['axx']), nearestName('ab', ['cd'])]).to.deep.equal([undefined, undefined]);
  });

  it('may differ in case and hyphens', () => {
    expect(findSpelling('Dry-Run', ['dry', 'dry_run', 'DRY_RUN'])).to.equal('dry_run');
    expect(findSpelling('a', ['b'])).to.equal(undefined);
    expect([letters('cab'), letters('abc'), letters('')]).to.deep.equal(['abc', 'abc', '']);
  });
});

describe('what was thrown', () => {
  it('has a message, may have a hint, and is an error', () => {
    const error = new LoadError('broken', undefined, 'mend it');
    expect([errorMessage(error), errorMessage('text'), errorMessage(undefined)]).to.deep.equal([
      'broken',
      'text',
      'undefined',
    ]);
    const numbered = Object.assign(new Error('x'), { hint: 5 });
    expect([error, new Error('x'), numbered, { hint: 'no' }, null].map(errorHint)).to.deep.equal([
      'mend it',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(asError(error)).to.equal(error);
    expect(asError('text')).to.be.instanceOf(Error).and.to.have.property('message', 'text');
  });

  it('has a fallback, if it is of one of these types', () => {
    const failing = (error: Error) => () => {
      throw error;
    };
    expect([orElse('no', () => 'yes'), orElse('no', failing(new Error('x')))]).to.deep.equal(['yes', 'no']);
    for (const error of [new TypeError('x'), new RangeError('x')])
      expect(orElse('no', failing(error), TypeError, RangeError)).to.equal('no');
    expect(() => orElse('no', failing(new Error('x')), TypeError, RangeError)).to.throw('x');
  });
});
