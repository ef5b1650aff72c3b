import { expect } from 'chai';
import fc from 'fast-check';
import { TraceSearch } from './planted/trace_search.js';

/** Few letters, so that traces come about by chance, and begin within each other. */
const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '日'), maxLength: 60 });
const traces = fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '日'), minLength: 4, maxLength: 9 }), {
  minLength: 1,
  maxLength: 6,
});

describe('the search for many texts at once', () => {
  it('finds the same as a separate search for each of them', () => {
    fc.assert(
      fc.property(traces, letters, fc.nat(5), (texts, around, index) => {
        const text = around + (texts[index] ?? '') + around;
        const found = new TraceSearch(texts.map((trace) => ({ trace }))).in(text);
        const expected = texts.flatMap((trace) => (text.includes(trace) ? [{ trace, at: text.indexOf(trace) }] : []));
        expect(found).to.have.deep.members(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
