import { expect } from 'chai';
import { asError, errorHint, errorMessage, orElse } from '../../../src/core/model/error_message.js';
import { LoadError } from '../../../src/core/model/source/diagnostic.js';

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
