import { expect } from 'chai';
import fc from 'fast-check';
import { HIDDEN, entry, isMapping, type Mapping, type Value } from '../../../src/core/model/values/value.js';
import { matches } from '../../../src/module/comparison/comparison.js';
import { overlay } from '../../../src/module/comparison/overlay.js';
import { declarations, objects } from '../../rig/json_values.js';
import { IS_WHOLE } from '../../rig/random_seed.js';

describe('merging a declaration into an object', () => {
  it('keeps undeclared fields, at any depth', () => {
    const read = { uuid: 'u1', _last_modified: '7', portal: { http_port: 80, enable_https: true }, motd: 'hi' };
    expect(overlay({ portal: { http_port: 8080 } }, read)).to.deep.equal({
      uuid: 'u1',
      _last_modified: '7',
      portal: { http_port: 8080, enable_https: true },
      motd: 'hi',
    });
  });

  it('replaces lists', () => {
    expect(overlay({ list: ['c'] }, { list: ['a', 'b'] })).to.deep.equal({ list: ['c'] });
  });

  it('keeps undeclared fields of list elements that stay, even if they move', () => {
    const read = {
      servers: [
        { addr: 'a', key: 1 },
        { addr: 'b', key: 2 },
        { addr: 'c', key: 3 },
      ],
    };
    const declared = { servers: [{ addr: 'new' }, { addr: 'c' }, { addr: 'b' }] };
    expect(overlay(declared, read)).to.deep.equal({
      servers: [{ addr: 'new' }, { addr: 'c', key: 3 }, { addr: 'b', key: 2 }],
    });
  });

  it('takes the element at the same place first, and then the first free one, each once', () => {
    const three = ['x', 'y', 'z'].map((key) => ({ addr: 'a', key }));
    expect(overlay({ l: [{ addr: 'new' }, { addr: 'a' }] }, { l: three })).to.deep.equal({
      l: [{ addr: 'new' }, { addr: 'a', key: 'y' }],
    });
    expect(overlay({ l: [{ addr: 'a' }, { addr: 'a' }] }, { l: three })).to.deep.equal({ l: three.slice(0, 2) });
    const many = Array.from({ length: 20 }, (_, at) => ({ at, pin: at === 3 ? HIDDEN : at === 10 ? 'same' : 'other' }));
    expect(overlay({ l: [{ pin: 'same' }] }, { l: many })).to.deep.equal({ l: [{ at: 3, pin: 'same' }] });
  });

  it('keeps a reference as it is shown if it is the declared one', () => {
    const shown = { cloud_ref: '/api/cloud/c1#edge' };
    expect(overlay({ cloud_ref: '/api/cloud/?name=edge' }, shown)).to.deep.equal(shown);
    expect(overlay({ cloud_ref: '/api/cloud/?name=core' }, shown)).to.deep.equal({
      cloud_ref: '/api/cloud/?name=core',
    });
  });

  it('finds an element by its declared fields, even beside a hidden text or a reference', () => {
    const read = [
      { user: '<sensitive>', key: 1 },
      { user: 'a', key: 2 },
      { user: 'b', tenant_ref: '/api/tenant/1#admin', key: 3 },
      { inside: { addr: 'c' }, key: 4 },
    ];
    const declared = [
      { inside: { addr: 'c' } },
      { user: 'b', tenant_ref: '/api/tenant/1' },
      { user: 'a' },
      { user: 'a' },
      { inside: { addr: 'c' } },
    ];
    expect(overlay({ list: declared }, { list: read })).to.deep.equal({
      list: [
        { inside: { addr: 'c' }, key: 4 },
        { user: 'b', tenant_ref: '/api/tenant/1#admin', key: 3 },
        { user: 'a', key: 1 },
        { user: 'a', key: 2 },
        { inside: { addr: 'c' } },
      ],
    });
  });

  it('finds elements that moved in a long list', () => {
    const read = Array.from({ length: IS_WHOLE ? 100_000 : 20_000 }, (_, at) => ({
      inside: { type: 'V4', addr: `a${at}` },
      key: at,
    }));
    const declared = [{ addr: 'new' }, ...read.map(({ inside }) => ({ inside }))];
    expect(overlay({ list: declared }, { list: read })['list']).to.deep.equal([{ addr: 'new' }, ...read]);
  });

  it('finds the same elements in long lists as in short ones', () => {
    const leaf = fc.constantFrom<Value>('a', 'b', 1, null, '<sensitive>', { c: 'a' }, ['a']);
    const element = fc.dictionary(fc.constantFrom('a', 'b', 'x_ref'), leaf);
    const list = fc.array(element, { maxLength: 8 });
    const padding = Array.from({ length: 30 }, (_, pad) => ({ pad }));
    fc.assert(
      fc.property(list, list, (declared, read) => {
        const short = overlay({ list: declared }, { list: read })['list'] as readonly Value[];
        const long = overlay({ list: [...padding, ...declared] }, { list: [...padding, ...read] })['list'];
        expect(long).to.deep.equal([...padding, ...short]);
      }),
    );
  });

  it('matches each element of the controller with one declared element only', () => {
    expect(overlay({ list: [{}, { a: 1 }] }, { list: [{ a: 1, b: 2 }] })).to.deep.equal({
      list: [{ a: 1, b: 2 }, { a: 1 }],
    });
  });

  it('keeps the spelling of a reference that has not changed', () => {
    const read = { tenant_ref: '/api/tenant/1#admin' };
    expect(overlay({ tenant_ref: '/api/tenant/1', mtu: 1 }, read)).to.deep.equal({ ...read, mtu: 1 });
  });

  it('replaces a hidden secret by a declared one, in list elements, too', () => {
    const read = { password: '<sensitive>', keys: [{ key: '<sensitive>', key_number: 1, algorithm: 'MD5' }] };
    const declared = { password: 'p', keys: [{ key: 'k', key_number: 1 }] };
    expect(overlay(declared, read)).to.deep.equal({
      password: 'p',
      keys: [{ key: 'k', key_number: 1, algorithm: 'MD5' }],
    });
  });

  it('does not add a missing field that is declared as empty', () => {
    expect(overlay({ ref: null, tags: [] }, { mtu: 1 })).to.deep.equal({ mtu: 1 });
  });

  it('always results in an object that matches', () => {
    fc.assert(fc.property(declarations, objects, (declared, read) => matches(declared, overlay(declared, read))));
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(declarations, objects, (declared, read) => {
        const once = overlay(declared, read);
        expect(overlay(declared, once)).to.deep.equal(once);
      }),
    );
  });

  it('loses no undeclared field', () => {
    fc.assert(
      fc.property(declarations, objects, (declared, read) => {
        expectKept(declared, read, overlay(declared, read));
      }),
    );
  });
});

function expectKept(declared: Mapping, read: Mapping, result: Mapping): void {
  for (const [key, before] of Object.entries(read)) {
    const wanted = entry(declared, key);
    const after: Value | undefined = entry(result, key);
    if (wanted === undefined) expect(after).to.deep.equal(before);
    else if (isMapping(wanted) && isMapping(before)) expectKept(wanted, before, after as Mapping);
  }
}
