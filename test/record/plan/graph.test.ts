import { expect } from 'chai';
import fc from 'fast-check';
import { Unsafe, Vaulted } from '../../../src/core/model/values/value.js';
import { fromJson, toJson } from '../../../src/record/plan/graph.js';

const source = { file: 'a.yml', line: 1, column: 2 };
const vaulted = (envelope: string, where: () => typeof source): Vaulted => new Vaulted(envelope, where, () => 'opened');

/** As a plan file would keep it. */
function kept(value: unknown): unknown {
  const json: unknown = JSON.parse(JSON.stringify(toJson(value)));
  return fromJson(json, { vaulted, completed: () => undefined });
}

describe('the loaded run in a plan', () => {
  it('is restored as it was, whatever it contains', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value')),
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$', '__proto__', 'constructor')), tie('value'), {
          noNullPrototype: true,
        }),
        fc.array(fc.tuple(fc.string(), tie('value'))).map((entries) => new Map(entries)),
        fc.array(fc.string()).map((items) => new Set(items)),
      ),
    }));
    fc.assert(
      fc.property(value, (one) => {
        expect(kept([one, one])).to.deep.equal([one, one]);
      }),
    );
  });

  it('contains an object once, and cycles', () => {
    const shared = { name: 'a' };
    const cycle: { self?: unknown; readonly parts: unknown[] } = { parts: [shared] };
    cycle.self = cycle;
    const back = kept([shared, cycle]) as [object, { self: unknown; parts: [object] }];
    expect(back[1].self).to.equal(back[1]);
    expect(back[1].parts[0]).to.equal(back[0]);
  });

  it('keeps unsafe and encrypted values as such', () => {
    const data = new Unsafe('{{ a }}');
    const [unsafe, secret] = kept([data, vaulted('$ANSIBLE_VAULT;…', () => source)]) as [Unsafe, Vaulted];
    expect(unsafe).to.be.instanceOf(Unsafe);
    expect(unsafe.text).to.equal('{{ a }}');
    expect([secret.envelope, secret.text, secret.source()]).to.deep.equal(['$ANSIBLE_VAULT;…', 'opened', source]);
  });

  it('leaves out functions and undefined fields, and has additional ones', () => {
    const object = { a: 1, gone: undefined, act: () => 1 };
    const json = toJson(object, (one) => (one === object ? [['b', 2]] : []));
    expect(fromJson(json, { vaulted, completed: () => undefined })).to.deep.equal({ a: 1, b: 2 });
  });
});
