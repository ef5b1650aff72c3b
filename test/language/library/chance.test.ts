import { expect } from 'chai';
import fc from 'fast-check';
import type { Value } from '../../../src/core/model/values/value.js';
import { MersenneTwister } from '../../../src/language/python/mersenne_twister.js';
import { evaluate } from '../../../src/language/render.js';
import { failure, HERE, variables } from '../scopes.js';

function value(expression: string, values: Readonly<Record<string, Value>> = {}): Value {
  return evaluate(expression, variables(values), HERE);
}

/** The values of Python's Random are compared in `ansible_expressions.test.ts`. */
describe('random choices', () => {
  it('are within their bounds, and the same for the same seed', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 2 ** 32 }), (seed, end) => {
        const drawn = new MersenneTwister(seed).below(end);
        expect(drawn).to.be.at.least(0).and.below(end);
        expect(new MersenneTwister(seed).below(end)).to.equal(drawn);
      }),
      { numRuns: 200 },
    );
  });

  it('reach every item, and shuffling loses none', () => {
    const list = [1, 2, 3, 4, 5];
    const drawn = Array.from({ length: 100 }, (_, seed) => value('list | random(seed=seed)', { list, seed }));
    expect(new Set(drawn)).to.deep.equal(new Set(list));
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1 }), (numbers, seed) => {
        expect(value('list | shuffle(seed=seed) | sort', { list: numbers, seed })).to.deep.equal(
          numbers.toSorted((a, b) => a - b),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('need a seed', () => {
    expect(failure(() => value('[1] | shuffle'))).to.include({
      message: 'shuffle: it needs a seed, because a repeated run must give the same result',
      hint: 'write seed=inventory_hostname',
    });
    expect(failure(() => value('[1] | random(seed=[2])'))).to.include({
      message:
        'random: it needs a text or a whole number as its seed, because a repeated run must give the same result',
    });
    expect(failure(() => value('0 | random(seed=1)'))).to.include({
      message: 'random: there is no number from 0 to below 0',
    });
    expect(value('[] | random(seed=1) | default("none")')).to.equal('none');
  });
});
