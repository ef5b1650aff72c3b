import { expect } from 'chai';
import { Wire, withObjectTexts } from '../../src/language/plugins/wire.js';
import { TemplateError } from '../../src/language/runtime/errors.js';
import { PythonObject } from '../../src/language/runtime/plugins.js';

describe('the variables that led to an error', () => {
  const through = (number: number): string => {
    const error = new TemplateError('no');
    for (let at = 1; at <= number; at++) error.through(`v${at}`);
    return error.message;
  };

  it('are named, the outermost first', () => {
    expect(through(1)).to.equal('no (from "v1")');
    expect(through(3)).to.equal('no (from "v3" → "v2" → "v1")');
  });

  it('are the first three and the last two of more than six', () => {
    expect(through(6)).to.equal('no (from "v6" → "v5" → "v4" → "v3" → "v2" → "v1")');
    expect(through(7)).to.equal('no (from "v7" → "v6" → "v5" → … → "v2" → "v1")');
  });
});

describe('values between the command and Python', () => {
  it('keep types that JSON lacks', () => {
    const wire = new Wire();
    const sent = {
      list: [1, { $: 'int', v: '12345678901234567890' }],
      infinite: { $: 'float', v: 'inf' },
      lowest: { $: 'float', v: '-inf' },
      tuple: { $: 'tuple', v: [1, [2]] },
      text: 'a',
      none: null,
      yes: true,
      keyed: {
        $: 'dict',
        v: [
          [1, 'one', '1'],
          [{ $: 'tuple', v: [] }, 'two', '()'],
        ],
      },
      object: { $: 'object', v: 'pickled', t: 'shown' },
    };
    const decoded = wire.decode(sent);
    expect(decoded).to.deep.include({ infinite: Infinity, lowest: -Infinity, tuple: [1, [2]], text: 'a', none: null });
    expect(decoded).to.deep.include({ keyed: { '1': 'one', '()': 'two' }, list: [1, 12345678901234567890n] });
    expect(wire.objects).to.equal(1);
    const { keyed, ...others } = sent;
    const encoded = wire.encode(decoded);
    const { t: _, ...object } = sent.object;
    expect(encoded).to.deep.include({ ...others, object });
    expect(encoded).to.deep.include({ keyed: { $: 'dict', v: keyed.v.map(([key, value]) => [key, value]) } });
    expect(wire.encode({ $: 'x', b: 1 })).to.deep.equal({
      $: 'dict',
      v: [
        ['$', 'x'],
        ['b', 1],
      ],
    });
    expect(wire.encode(NaN)).to.deep.equal({ $: 'float', v: 'nan' });
  });

  it('have the text of an object, wherever it is', () => {
    const object = new PythonObject('shown', 'pickled');
    expect([object, [1, object], { a: { b: [object] } }, 5].map(withObjectTexts)).to.deep.equal([
      'shown',
      [1, 'shown'],
      { a: { b: ['shown'] } },
      5,
    ]);
  });
});
