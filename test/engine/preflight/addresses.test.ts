import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { Addresses } from '../../../src/engine/preflight/addresses.js';
import { BUILT_IN_LIBRARY } from '../../../src/language/library.js';
import { Variables } from '../../../src/language/scope.js';
import { layer, variables } from '../../language/scopes.js';

const A = 'https://a.example.com';
const B = 'https://b.example.com';
const PAIRS = { lb1: A, lb2: B, lb3: A, lb4: B, lb5: 'https://c.example.com' };

describe('the addresses of controllers', () => {
  const of = (url: string, more = {}) => variables({ controller_url: url, controller_username: 'me', ...more });
  const equal = (addresses: Addresses) =>
    addresses.equal.map(({ address, names }) => [address, names.map(({ name }) => name)]);

  it('are compared for all pairs of names', () => {
    const addresses = new Addresses(new Map(), BUILT_IN_LIBRARY);
    for (const [name, url] of Object.entries(PAIRS)) {
      expect([addresses.has(name), addresses.isLocated(name)]).to.deep.equal([false, false]);
      addresses.add(name, of(url), true);
      expect([addresses.has(name), addresses.isLocated(name)]).to.deep.equal([true, true]);
    }
    expect(equal(addresses)).to.deep.equal([
      [A, ['lb1', 'lb3']],
      [B, ['lb2', 'lb4']],
    ]);
    expect([...addresses.owners.values()].map((named) => named.map(({ name }) => name))).to.deep.equal([
      ['lb1', 'lb3'],
      ['lb2', 'lb4'],
      ['lb5'],
    ]);
  });

  it('may be equal only for the names that all say so', () => {
    const addresses = new Addresses(new Map(), BUILT_IN_LIBRARY);
    for (const [name, url] of Object.entries(PAIRS))
      addresses.add(name, of(url, { controller_shared: url === A || name === 'lb2' }), true);
    expect(equal(addresses)).to.deep.equal([[B, ['lb2', 'lb4']]]);
  });

  it('count for a name that the run does not select only if they belong to it, and not to a play', () => {
    const given = { controller_url: A, controller_username: 'me' };
    const addresses = new Addresses(new Map(), BUILT_IN_LIBRARY);
    addresses.add('lb1', of(A), true);
    addresses.add('play', new Variables([layer(given, 'play vars')]), false);
    addresses.add('own', new Variables([layer(given, 'inventory host vars')]), false);
    expect(equal(addresses)).to.deep.equal([[A, ['lb1', 'own']]]);
  });

  it('keep none of the variables in memory, because a run keeps them for all of its controllers', async () => {
    const addresses = new Addresses(new Map(), BUILT_IN_LIBRARY);
    const seen = ['lb1', 'lb2', 'lb3'].map((name) => {
      const scope = of(PAIRS.lb1);
      addresses.add(name, scope, true);
      return new WeakRef(scope);
    });
    // A reference is strong until the end of the turn in which it was made.
    await new Promise((resolve) => setImmediate(resolve));
    setFlagsFromString('--expose-gc');
    runInNewContext('gc()');
    expect(seen.map((scope) => scope.deref())).to.deep.equal([undefined, undefined, undefined]);
    expect(addresses.equal).to.have.length(1);
  });
});
