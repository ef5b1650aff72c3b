import { expect } from 'chai';
import fc from 'fast-check';
import type { Change } from '../../../src/core/model/run/result.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { isClearChange, maskChange } from '../../../src/core/secrets/mask_event.js';
import { isClear } from '../../../src/core/secrets/mask_value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';

const SECRET = 'hunter22!';

function knowing(...values: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

function update(before: Mapping, after: Mapping, object = 'cloud "edge"'): Change {
  return { kind: 'update', object, before, after };
}

const NAMES = fc.constantFrom('mtu', 'password', 'passwords', 'key', 'value', 'name', 'users', '__proto__', SECRET);
const LEAVES = fc.constantFrom<Value>('', 'edge', 'password', SECRET, 1500, null, -0);
const NESTED = fc.oneof(LEAVES, fc.array(LEAVES), fc.array(fc.tuple(NAMES, LEAVES)).map(Object.fromEntries<Value>));
const OBJECTS = fc.array(fc.tuple(NAMES, NESTED), { maxLength: 4 }).map(Object.fromEntries<Value>);
/** What is kept of the object before is the same one, as in an update that lays fields over what was read. */
const UPDATES = fc
  .tuple(OBJECTS, OBJECTS, fc.subarray(['mtu', 'password', 'passwords', 'key', 'value', 'name', 'users', SECRET]))
  .map(([before, laidOver, gone]) => {
    const kept = Object.entries(before).filter(([name]) => !gone.includes(name));
    return { before, after: Object.fromEntries([...kept, ...Object.entries(laidOver)]) };
  });

describe('a clear change', () => {
  it('has two clear images, although common parts are checked once', () => {
    const secrets = knowing(SECRET);
    fc.assert(
      fc.property(UPDATES, ({ before, after }) => {
        expect(isClearChange(update(before, after), secrets)).to.equal(
          isClear(before, secrets) && isClear(after, secrets),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('is not clear if an unchanged part has a secret name now', () => {
    const value = ['one', 'two'];
    const change = update({ name: 'colour', value }, { name: 'password', value });
    expect(isClearChange(change, knowing(SECRET))).to.be.false;
  });

  it('is reported unchanged', () => {
    const change = update({ mtu: 1500 }, { mtu: 9000 });
    expect(maskChange(change, knowing(SECRET))).to.equal(change);
  });

  it('is not searched again', () => {
    const secrets = knowing(SECRET);
    let looks = 0;
    const after = {
      get mtu(): number {
        looks++;
        return 1500;
      },
    };
    const change = update({}, after);
    maskChange(change, secrets);
    const first = looks;
    maskChange(change, secrets);
    expect(looks).to.equal(first);
  });

  it('is no longer clear when a part of it becomes a secret', () => {
    const secrets = knowing(SECRET);
    const change = update({ banner: 'welcome home' }, { banner: 'welcome home' });
    expect(isClearChange(change, secrets)).to.be.true;
    secrets.add('welcome home');
    expect(isClearChange(change, secrets)).to.be.false;
    expect(maskChange(change, secrets)).to.deep.equal(update({ banner: '********' }, { banner: '********' }));
  });

  it('has no secret in its name', () => {
    expect(isClearChange(update({}, {}, `cloud "${SECRET}"`), knowing(SECRET))).to.be.false;
  });
});
