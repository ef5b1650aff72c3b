import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { LazyMapping, type Value } from '../../../src/core/model/values/value.js';
import { Addresses } from '../../../src/engine/preflight/addresses.js';
import { previewLibrary } from '../../../src/engine/preflight/preview_library.js';
import { BUILT_IN_LIBRARY } from '../../../src/language/library.js';
import { Variables } from '../../../src/language/scope.js';
import { layer, variables } from '../../language/scopes.js';
import { inFolder } from '../../rig/folder.js';

const A = 'https://a.example.com';
const B = 'https://b.example.com';
class Broken extends LazyMapping {
  override get(): never {
    throw new RangeError('broken');
  }

  override keys(): readonly string[] {
    return [];
  }
}

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

  describe('at which tasks contact controllers', () => {
    const create = () => new Addresses(new Map(), BUILT_IN_LIBRARY);
    const owned = (addresses: Addresses) =>
      [...addresses.owners].map(([address, names]) => [address, names.map(({ name }) => name)]);

    it('count beside those of a controller of the run', () => {
      const addresses = create();
      addresses.add('lb1', of(A), true);
      addresses.addContacted('lb2', of(B), of(A), false);
      expect(equal(addresses)).to.deep.equal([[A, ['lb1', 'lb2']]]);
      expect(owned(addresses)).to.deep.equal([[A, ['lb1', 'lb2']]]);
      expect([addresses.has('lb2'), addresses.isLocated('lb2')]).to.deep.equal([false, true]);
    });

    it('do not replace the own address of a controller', () => {
      const addresses = create();
      addresses.add('lb1', of(A), true);
      addresses.addContacted('lb1', of(A), of(A), false);
      addresses.add('lb2', of(A), true);
      expect(addresses.equal.map(({ names }) => names.map(({ isOfTask }) => isOfTask))).to.deep.equal([[false, false]]);
      addresses.addContacted('lb3', of(B), of(A), false);
      addresses.add('lb3', of(A), true);
      expect(addresses.equal.map(({ names }) => names.map(({ isOfTask }) => isOfTask))).to.deep.equal([
        [false, false, false],
      ]);
    });

    it('count only for what is a controller itself, and by its own address if the arguments name it', () => {
      const addresses = create();
      addresses.add('lb1', of(A), true);
      addresses.addContacted('local', variables({ controller_username: 'me' }), of(A), false);
      addresses.addContacted('lb2', of(B), of(A), true);
      expect([equal(addresses), addresses.isLocated('local'), addresses.isLocated('lb2')]).to.deep.equal([
        [],
        false,
        false,
      ]);
      addresses.addContacted('lb3', of(A), of(A, { controller_shared: true }), true);
      expect(equal(addresses)).to.deep.equal([[A, ['lb1', 'lb3']]]);
      expect(addresses.owners.get(A)).to.deep.equal([
        { name: 'lb1', isShared: false },
        { name: 'lb3', isShared: false },
      ]);
    });

    it('are equal to those of controllers outside of the run only if one of the run is there by itself', () => {
      const own = (url: string) => new Variables([layer({ controller_url: url }, 'inventory host vars')]);
      const addresses = create();
      addresses.add('outside', own(A));
      addresses.addContacted('lb1', of(B), of(A), false);
      expect([equal(addresses), owned(addresses)]).to.deep.equal([[], [[A, ['lb1']]]]);
      addresses.addContacted('lb2', of(B), of(A), false);
      expect(equal(addresses)).to.deep.equal([[A, ['lb1', 'lb2']]]);
      addresses.add('lb3', of(A), true);
      expect(equal(addresses)).to.deep.equal([[A, ['outside', 'lb1', 'lb2', 'lb3']]]);
      const alone = create();
      alone.add('outside', own(A));
      expect([owned(alone), alone.has('outside')]).to.deep.equal([[], true]);
    });
  });

  const hosts: readonly (readonly [title: string, given: Record<string, Value>, isController: boolean])[] = [
    ['a host with an address alone', { ansible_host: 'a.example.com' }, true],
    [
      'one that Ansible reaches by httpapi',
      { ansible_host: 'a.example.com', ansible_connection: 'ansible.netcommon.httpapi' },
      true,
    ],
    ['one that Ansible reaches otherwise', { ansible_host: 'a.example.com', ansible_connection: 'ssh' }, false],
    [
      'this with a password of the API',
      { ansible_host: 'a.example.com', ansible_connection: 'ssh', ansible_httpapi_password: 'x' },
      true,
    ],
    ['this with a password', { ansible_host: 'a.example.com', ansible_connection: 'ssh', ansible_password: 'x' }, true],
    ['this with a URL', { controller_url: A, ansible_connection: 'ssh' }, true],
    ['this with a URL and an address', { controller_url: A, ansible_host: 'x', ansible_connection: 'ssh' }, true],
    ['a host without an address', { controller_username: 'me' }, false],
    ['one with a wrong address', { controller_url: 'ftp://x' }, false],
    ['one with an address that is not defined', { controller_url: '{{ absent }}' }, false],
  ];
  for (const [title, given, isController] of hosts)
    it(`are ${isController ? 'known' : 'not known'} of ${title}`, () => {
      const addresses = new Addresses(new Map(), BUILT_IN_LIBRARY);
      addresses.add('lb1', variables(given), true);
      expect([addresses.has('lb1'), addresses.isLocated('lb1')]).to.deep.equal([true, isController]);
    });

  it('are different by different routes, which the project may name', () => {
    const hops = (port: number) => [`socks5h://bastion:${port}`];
    const addresses = new Addresses(
      new Map([
        ['madrid', hops(1)],
        ['paris', hops(2)],
      ]),
      BUILT_IN_LIBRARY,
    );
    const by = (controller_route: string) => of(A, { controller_route });
    addresses.add('lb1', by('madrid'), true);
    addresses.add('lb2', by('paris'), true);
    addresses.add('lb3', of(A), true);
    expect(equal(addresses)).to.deep.equal([]);
    addresses.add('lb4', by('madrid'), true);
    addresses.addContacted('lb5', by('paris'), by('paris'), true);
    expect(addresses.equal.map(({ names }) => names.map(({ name }) => name))).to.deep.equal([
      ['lb1', 'lb4'],
      ['lb2', 'lb5'],
    ]);
    expect(addresses.isLocated('lb5')).to.equal(true);
    addresses.add('lb6', by('rome'), true);
    expect(addresses.isLocated('lb6')).to.equal(false);
  });

  it('are read from files, whose absence is no error here', () =>
    inFolder({ address: `${A}\n` }, (cwd) => {
      const addresses = new Addresses(new Map(), BUILT_IN_LIBRARY);
      const read = (name: string) => of(`{{ lookup('file', '${path.join(cwd, name)}') }}`);
      const before = previewLibrary(BUILT_IN_LIBRARY, () => undefined);
      const seen = (name: string) => new Variables(read(name).layersSince(), undefined, undefined, before);
      addresses.add('lb1', seen('address'), true);
      addresses.add('lb2', seen('absent'), true);
      addresses.add('lb3', of(A), true);
      expect([equal(addresses), addresses.isLocated('lb2')]).to.deep.equal([[[A, ['lb1', 'lb3']]], false]);
      return Promise.resolve();
    }));

  it('have a place, and errors that are no mistakes of the user are thrown', () => {
    const addresses = new Addresses(new Map(), BUILT_IN_LIBRARY);
    addresses.add('lb1', of(A), true);
    addresses.add('lb2', variables({ ansible_host: 'a.example.com' }), true);
    addresses.addContacted('lb3', of(B), of(A), false);
    const place = { file: 'vars.yml', line: 1, column: 1 };
    expect(addresses.equal[0]?.names.map(({ locate }) => locate())).to.deep.equal([place, place, place]);
    const broken = new Variables([{ level: 'play vars', origin: 'x', values: {} }], undefined, new Broken());
    expect(() => {
      addresses.add('lb4', broken, true);
    }).to.throw(RangeError, 'broken');
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
