import { expect } from 'chai';
import type { Field, Structure } from '../../../src/kinds/kind_table.js';
import type { JsonObject } from '../../../src/simulator/protocol/exchange.js';
import {
  firstFault,
  smallestObject,
  withoutNullFields,
  withStructureDefaults,
} from '../../../src/simulator/service/structure.js';
import { withDefaults } from '../../../src/simulator/state/defaults.js';
import { withoutSecrets, withStoredSecrets } from '../../../src/simulator/state/secrets.js';

function structure(
  name: string,
  fields: Readonly<Record<string, Partial<Field>>>,
  required: readonly string[] = [],
): Structure {
  const whole = Object.entries(fields).map(([field, one]): readonly [string, Field] => [
    field,
    { name: field, type: 'string', list: false, structure: undefined, ...one },
  ]);
  return { name, fields: new Map(whole), required, key: [] };
}

const INNER = structure(
  'Inner',
  { n: { type: 'integer', default: 7 }, must: { default: 'x' }, key: { secret: true } },
  ['must'],
);
const POOL = structure(
  'Pool',
  {
    name: {},
    on: { type: 'boolean', default: true },
    port: { type: 'integer', range: [1, 9], special: [0, -1] },
    rate: { type: 'number' },
    mode: { choices: ['A', 'B'] },
    open: { choices: ['A'], openChoices: true },
    tags: { list: true, default: 'no' },
    ports: { type: 'integer', list: true },
    any: { type: 'any' },
    free: { type: 'mapping' },
    inner: { type: 'mapping', structure: INNER },
    many: { type: 'mapping', list: true, structure: INNER },
    token: { secret: false },
    password: {},
    odd: { secret: true },
  },
  ['name'],
);

describe('an object of a strict simulated controller', () => {
  const parse = (field: string, what: string): string => `Json Parse Error: Failed to parse ${field} field: ${what}`;
  const cases: readonly (readonly [fields: JsonObject, fault: string | undefined])[] = [
    [{}, undefined],
    [{ uuid: 'x', url: 'y', _last_modified: 'z' }, undefined],
    [{ zone: 1 }, 'Json Parse Error: Message type "Pool" has no field named "zone".'],
    [{ name: '' }, 'Message type "Pool" is missing required field "name".'],
    [{ name: 5 }, parse('name', "Couldn't parse string: 5.")],
    [{ on: 'true' }, parse('on', 'Couldn\'t parse boolean: "true".')],
    [{ port: 1 }, undefined],
    [{ port: 9 }, undefined],
    [{ port: '9' }, undefined],
    [{ port: 0 }, undefined],
    [{ port: -1 }, undefined],
    [{ port: 10 }, 'Value 10 of field "port" is out of range: 1-9.'],
    [{ port: -2 }, 'Value -2 of field "port" is out of range: 1-9.'],
    [{ port: 1.5 }, parse('port', "Couldn't parse integer: 1.5.")],
    [{ port: 'x' }, parse('port', 'Couldn\'t parse integer: "x".')],
    [{ rate: 1.5 }, undefined],
    [{ rate: '15' }, undefined],
    [{ rate: '1.5' }, parse('rate', 'Couldn\'t parse number: "1.5".')],
    [{ mode: 'B' }, undefined],
    [{ mode: 'C' }, parse('mode', 'Invalid enum value C for mode.')],
    [{ open: 'NEW_1' }, undefined],
    [{ open: 'new' }, parse('open', 'Invalid enum value new for open.')],
    [{ tags: 'a' }, parse('tags', 'repeated field tags must be in [].')],
    [{ tags: ['a', 5] }, parse('tags', "Couldn't parse string: 5.")],
    [{ any: [1], free: { x: 1 } }, undefined],
    [{ free: 5 }, parse('free', "Couldn't parse object: 5.")],
    [{ inner: {} }, undefined],
    [{ inner: { must: '' } }, 'Message type "Inner" is missing required field "must".'],
    [{ many: [{}, { zone: 1 }] }, parse('many', 'Message type "Inner" has no field named "zone".')],
    [{ many: [{ n: 'x' }] }, parse('many', 'Failed to parse n field: Couldn\'t parse integer: "x".')],
  ];
  for (const [fields, fault] of cases)
    it(`${fault === undefined ? 'may' : 'must not'} have ${JSON.stringify(fields)}`, () => {
      expect(firstFault({ name: 'a', ...fields }, POOL)).to.equal(fault);
    });

  it('must have what its kind requires', () => {
    expect(firstFault({}, POOL)).to.equal('Message type "Pool" is missing required field "name".');
    expect(firstFault({ n: 1 }, INNER)).to.equal('Message type "Inner" is missing required field "must".');
  });

  it('has the defaults of its kind, numbers for texts of digits, and no nulls', () => {
    expect(
      withStructureDefaults(
        { name: 'a', port: '8', ports: ['1', 2], inner: {}, many: [{ n: '3' }, 'x'], own: 1 },
        POOL,
      ),
    ).to.deep.equal({
      name: 'a',
      port: 8,
      ports: [1, 2],
      own: 1,
      on: true,
      inner: { n: 7, must: 'x' },
      many: [{ n: 3, must: 'x' }, 'x'],
    });
    expect(withoutNullFields({ a: null, b: { c: null, d: 1 }, e: [null, { f: null }], g: 0 })).to.deep.equal({
      b: { d: 1 },
      e: [null, {}],
      g: 0,
    });
    const needy = structure(
      'N',
      {
        a: { type: 'integer', range: [3, 4] },
        b: { type: 'boolean' },
        c: { choices: ['X', 'Y'] },
        d: {},
        e: { list: true },
        f: { type: 'number' },
      },
      ['a', 'b', 'c', 'd', 'e', 'f'],
    );
    expect(smallestObject(needy)).to.deep.equal({ a: 3, b: false, c: 'X', d: 'unset', e: [], f: 0 });
    expect(withDefaults({ a: { x: 1 }, b: [1] }, { a: { x: 0, y: 2 }, b: [0, 0], c: { z: 3 } })).to.deep.equal({
      a: { x: 1, y: 2 },
      b: [1],
      c: { z: 3 },
    });
  });

  it('does not show its secrets, by name or by kind, and keeps them', () => {
    const whole = {
      password: 'p',
      token: 't',
      odd: 'o',
      inner: { key: 'k', n: 1 },
      many: [{ key: 'a' }, { key: 'b' }],
      list: [['x']],
    };
    const hidden = '<sensitive>';
    expect(withoutSecrets(whole, POOL)).to.deep.equal({
      password: hidden,
      token: 't',
      odd: hidden,
      inner: { key: hidden, n: 1 },
      many: [{ key: hidden }, { key: hidden }],
      list: [['x']],
    });
    expect(
      withoutSecrets({ token: 't', my_secret: 's', secrets: 'x', key: 'k', deep: { private_key: 'p' } }, undefined),
    ).to.deep.equal({
      token: hidden,
      my_secret: hidden,
      secrets: 'x',
      key: 'k',
      deep: { private_key: hidden },
    });
    const sent = { password: hidden, odd: 'new', many: [{ key: 'c' }, { key: hidden }] };
    expect(withStoredSecrets(sent, whole, POOL)).to.deep.equal({
      password: 'p',
      odd: 'new',
      many: [{ key: 'c' }, { key: 'b' }],
    });
    expect(withStoredSecrets({ a: 1, inner: { key: hidden }, password: hidden }, { password: 'p' }, POOL)).to.equal(
      'inner.key',
    );
    expect(withStoredSecrets({ password: hidden }, undefined, POOL)).to.equal('password');
  });
});
