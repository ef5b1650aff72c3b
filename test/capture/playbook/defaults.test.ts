import { expect } from 'chai';
import { comesWithControllers, isUnconfigured, withoutSharedDefaults } from '../../../src/capture/playbook/defaults.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { builtInKinds, type Field, type Structure } from '../../../src/kinds/kind_table.js';

const field = (name: string, more: Partial<Field>): readonly [string, Field] => [
  name,
  { name, type: 'any', list: false, structure: undefined, ...more },
];
const structure = (
  name: string,
  fields: readonly (readonly [string, Field])[],
  required: string[] = [],
): Structure => ({
  name,
  fields: new Map(fields),
  required,
  key: [],
});
const RATIO = structure('Ratio', [field('weight', { default: 1 }), field('unit', { default: 'x' })]);
const SERVER = structure('Server', [
  field('port', { default: 80 }),
  field('ratio', { type: 'mapping', structure: RATIO }),
]);
const MEMBER = structure('Member', [field('ip', {}), field('enabled', { default: true })], ['ip']);
const POOL = structure(
  'Pool',
  [
    field('name', { default: 'pool' }),
    field('mtu', { default: 1500 }),
    field('monitor', { type: 'mapping', structure: SERVER }),
    field('servers', { type: 'mapping', list: true, structure: SERVER }),
    field('members', { type: 'mapping', list: true, structure: MEMBER }),
  ],
  ['name'],
);

/** Objects of two controllers, and what is left of them. */
const cases: Readonly<Record<string, readonly [given: readonly Mapping[], left: readonly Mapping[]]>> = {
  'leaves out a field with its default on all controllers, unless it is required': [
    [
      { name: 'pool', mtu: 1500, x: 1 },
      { name: 'pool', x: 1 },
    ],
    [
      { name: 'pool', x: 1 },
      { name: 'pool', x: 1 },
    ],
  ],
  'keeps a default if another controller has another value': [
    [{ mtu: 1500 }, { mtu: 9000 }],
    [{ mtu: 1500 }, { mtu: 9000 }],
  ],
  'keeps fields without a default where they are': [
    [{ a: 1, constructor: 2 }, { b: null }],
    [{ a: 1, constructor: 2 }, { b: null }],
  ],
  'does the same within mappings, at any depth': [
    [
      { monitor: { port: 80, ratio: { weight: 1, unit: 'x' } } },
      { monitor: { port: 80, ratio: { weight: 2, unit: 'x' } } },
    ],
    [{ monitor: { ratio: { weight: 1 } } }, { monitor: { ratio: { weight: 2 } } }],
  ],
  'does the same within mappings that only some controllers have': [
    [{ monitor: { port: 80, ratio: { weight: 1 } } }, {}, { monitor: { port: 81 } }, { monitor: null }],
    [{ monitor: { port: 80, ratio: {} } }, {}, { monitor: { port: 81 } }, { monitor: null }],
  ],
  'leaves out the defaults of a mapping that another controller does not have': [
    [{ monitor: { port: 80, ratio: { weight: 3, unit: 'x' } } }, { mtu: 1500 }],
    [{ monitor: { ratio: { weight: 3 } } }, {}],
  ],
  'keeps a default of an element that has another value in the list of another controller': [
    [
      { members: [{ ip: 'a', enabled: true }, 'x', { ip: 'b', enabled: true }] },
      {
        members: [
          { ip: 'b', enabled: false },
          { ip: 'a', enabled: true },
        ],
      },
      {},
    ],
    [
      { members: [{ ip: 'a' }, 'x', { ip: 'b', enabled: true }] },
      { members: [{ ip: 'b', enabled: false }, { ip: 'a' }] },
      {},
    ],
  ],
  'leaves out the defaults of the elements of lists': [
    [{ servers: [{ port: 80, ratio: { weight: 1 } }, { port: 81 }] }, { servers: [] }],
    [{ servers: [{ ratio: {} }, { port: 81 }] }, { servers: [] }],
  ],
};

describe('the defaults of an object on two controllers', () => {
  for (const [title, [given, left]] of Object.entries(cases)) {
    it(title, () => {
      expect(withoutSharedDefaults(given, POOL)).to.deep.equal(left);
      expect(withoutSharedDefaults(given.toReversed(), POOL)).to.deep.equal(left.toReversed());
      expect(withoutSharedDefaults([...given, ...given], POOL)).to.deep.equal([...left, ...left]);
    });
  }

  it('are kept if the structure is unknown', () => {
    expect(withoutSharedDefaults([{ mtu: 1500 }], undefined)).to.deep.equal([{ mtu: 1500 }]);
  });
});

describe('objects that come with controllers', () => {
  const builtIn: readonly (readonly [kind: string, names: readonly string[], inPlace: boolean])[] = [
    ['tenant', ['admin'], false],
    ['user', ['admin'], false],
    ['cloud', ['Default-Cloud'], true],
    ['serviceenginegroup', ['Default-Group'], true],
    ['vrfcontext', ['global', 'management'], true],
    ['network', ['VM Network'], true],
    ['backupconfiguration', ['Backup-Configuration'], true],
    ['role', ['Tenant-Admin', 'Application-Admin', 'Application-Operator'], false],
    ['useraccountprofile', ['Default-User-Account-Profile', 'No-Lockout-User-Account-Profile'], false],
  ];
  for (const [kind, names, inPlace] of builtIn)
    it(`are ${names.join(', ')} of ${kind}${inPlace ? ', which users configure in place' : ''}`, () => {
      for (const name of [...names, 'System-Standard']) expect(comesWithControllers(kind, name), name).to.equal(true);
      expect(comesWithControllers(kind, `${names[0]}-2`)).to.equal(false);
      expect(comesWithControllers('pool', names[0] ?? '')).to.equal(false);
      const structure = builtInKinds().kind(kind)?.structure;
      const initial = {
        name: names[0] ?? '',
        tenant_ref: 'admin',
        cloud_ref: 'Default-Cloud',
        system_default: true,
        license_type: 'a',
        license_tier: 'b',
      };
      expect(isUnconfigured(kind, initial, structure)).to.equal(true);
      expect(isUnconfigured(kind, { ...initial, description: 'ours' }, structure)).to.equal(!inPlace);
    });

  it('are configured if a required field of theirs has another value than its default', () => {
    const structure = builtInKinds().kind('cloud')?.structure;
    const isInitial = (vtype: string) => isUnconfigured('cloud', { name: 'Default-Cloud', vtype }, structure);
    expect([isInitial('CLOUD_NONE'), isInitial('CLOUD_VCENTER')]).to.deep.equal([true, false]);
  });
});
