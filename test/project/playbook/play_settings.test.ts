import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { Cursor } from '../../../src/project/document/cursor.js';
import { readOrder, readPercentage, readPrompts, readSerial } from '../../../src/project/playbook/play_settings.js';
import { worded } from '../../rig/loaded.js';

const place = (path: readonly (string | number)[]) => ({ file: path.join('/'), line: 1, column: 1 });

/** What is read of `x`, and what is said. */
function read<T>(
  value: Value,
  reader: (cursor: Cursor | undefined) => T,
): { readonly found: T; readonly said: readonly string[] } {
  const diagnostics = new Diagnostics();
  const cursor = new Cursor({ x: value }, { diagnostics, locate: place, locateKey: place });
  return { found: reader(cursor.get('x')), said: diagnostics.list.map(worded) };
}

const at = (value: Value, file = 'x') => ({ value, source: { file, line: 1, column: 1 } });

describe('the settings of a play', () => {
  it('have one of the orders, or a template', () => {
    for (const order of ['inventory', 'reverse_inventory', 'sorted', 'reverse_sorted', 'shuffle', '{{ order }}'])
      expect(read(order, readOrder)).to.deep.equal({ found: at(order), said: [] });
    expect(read('sort', readOrder)).to.deep.equal({
      found: undefined,
      said: ['x:1:1 there is no order "sort" — did you mean "sorted"?'],
    });
    expect(read('', readOrder).said).to.deep.equal([
      'x:1:1 there is no order "" — use one of inventory, reverse_inventory, sorted, reverse_sorted, shuffle',
    ]);
    expect(read(null, readOrder)).to.deep.equal({ found: undefined, said: [] });
  });

  it('have a percentage with or without its sign', () => {
    for (const [written, number] of [
      [30, 30],
      [0, 0],
      ['30%', 30],
      [' 12.5 % ', 12.5],
      ['7', 7],
    ] as const)
      expect(read(written, readPercentage)).to.deep.equal({ found: at(number), said: [] });
    expect(read('{{ n }}%', readPercentage).found).to.deep.equal(at('{{ n }}%'));
    for (const wrong of [-1, '', 'a%', '30%%', '.5', true, [30], {}])
      expect(read(wrong, readPercentage), JSON.stringify(wrong)).to.deep.equal({
        found: undefined,
        said: ['x:1:1 "x" must be a percentage, such as 30 or "30%"'],
      });
    expect(read(null, readPercentage)).to.deep.equal({ found: undefined, said: [] });
  });

  it('have sizes of batches, one or several', () => {
    expect(read(2, readSerial)).to.deep.equal({ found: [at(2)], said: [] });
    expect(read([1, ' 3 ', '50%', '12.5%', '{{ n }}', -1], readSerial)).to.deep.equal({
      found: [at(1, 'x/0'), at(3, 'x/1'), at('50%', 'x/2'), at('12.5%', 'x/3'), at('{{ n }}', 'x/4'), at(-1, 'x/5')],
      said: [],
    });
    const wrong = 'takes a count, a percentage such as "25%", or a list of them';
    expect(read(['x', 2, 1.5, '%', '-5%', true], readSerial)).to.deep.equal({
      found: [at(2, 'x/1')],
      said: [0, 2, 3, 4, 5].map((index) => `x/${index}:1:1 "serial" ${wrong}`),
    });
    expect([read([], readSerial), read(null, readSerial)]).to.deep.equal(Array(2).fill({ found: undefined, said: [] }));
  });

  it('have prompts that hide answers and ask once, unless they are told otherwise', () => {
    const plain = { prompt: undefined, default: undefined, private: true, confirm: false, unsafe: false };
    const told = { prompt: 'P?', default: 7, private: false, confirm: true, unsafe: true };
    const source = (index: number) => at(null, `x/${index}`).source;
    expect(read([{ name: 'a' }, { name: 'b', ...told }], readPrompts)).to.deep.equal({
      found: [
        { name: 'a', source: source(0), ...plain },
        { name: 'b', source: source(1), ...told },
      ],
      said: [],
    });
    expect(read({ name: 'a' }, readPrompts).found).to.deep.equal([{ name: 'a', source: at(null).source, ...plain }]);
    expect(read(null, readPrompts)).to.deep.equal({ found: [], said: [] });
  });
});
